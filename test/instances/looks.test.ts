import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Operation } from '../../src/core/operations/operation.ts';
import { createInstanceObserver } from '../../src/features/instances/observer.ts';
import { adapter as hetzner } from '../../src/platform/hosting/adapters/hetzner.ts';
import { createHostingClient } from '../../src/platform/hosting/client.ts';
import type { Requester } from '../../src/platform/hosting/request.ts';
import type { HostingService, Instance } from '../../src/platform/hosting/service.ts';
import { instance as instanceOf, operation } from '../operations/operation.ts';
import { PURE_RUNS } from '../support/runs.ts';
import { fixedClock } from '../support/fixed-clock.ts';

/** An account whose list has so many pages, and how many calls it was asked for. */
function account(pages: number, now: () => number) {
  let calls = 0;
  const of = (id: string): Instance => ({ ...instanceOf('running'), id });
  const known: Partial<HostingService> = {
    countListPages: async () => pages,
    findActions: () => async () => undefined,
    listInstances: async () => {
      calls += pages;
      return { instances: Array.from({ length: 300 }, (_, index) => of(String(index))), pages };
    },
    findInstance: async (id) => {
      calls += 1;
      return of(id);
    },
  };
  const hosting = new Proxy(known as HostingService, {
    get: (own, name) =>
      Reflect.get(own, name) ?? (() => Promise.reject(new Error(`${String(name)} is asked`))),
  });
  const clock = fixedClock(now);
  return {
    observer: createInstanceObserver(hosting, clock, { actionsSince: async () => undefined }),
    calls: () => calls,
  };
}

/** Hetzner with 300 servers whose actions run, and the calls that it was asked for. */
function hetznerAccount(now: () => number) {
  const asked: string[] = [];
  const server = (id: number): object => ({ id, name: `web-${id}`, status: 'running' });
  const answer: Requester['read'] = async ({ path }) => {
    asked.push(path.replace(/\?.*/, ''));
    const { searchParams, pathname } = new URL(path, 'http://127.0.0.1');
    const ids = searchParams.getAll('id').map(Number);
    const meta = { pagination: { next_page: null, total_entries: 300 } };
    const body = pathname.endsWith('/servers')
      ? { servers: Array.from({ length: 300 }, (_, id) => server(id)), meta }
      : { actions: ids.map((id) => ({ id, status: 'running', error: null })), meta };
    return { status: 200, headers: {}, body };
  };
  const requester: Requester = { read: answer, write: answer, close: async () => undefined };
  const hosting = createHostingClient(hetzner, hetzner.origin ?? '', requester);
  const clock = fixedClock(now);
  return {
    observer: createInstanceObserver(hosting, clock, { actionsSince: async () => undefined }),
    asked,
  };
}

/** So many operations that were accepted then, each about another instance. */
function due(count: number, acceptedAt: number, first = 0): Operation[] {
  return Array.from({ length: count }, (_, index) => {
    const one = operation({ execution: { state: 'accepted', acceptedAt } });
    const id = String(first + index);
    return { ...one, id: `op-${id}`, subject: { ...one.subject, id } };
  });
}

test('a look at whatever number of operations takes as many calls as they are, or as the list has pages, whichever is less', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 50 }),
      fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 5 }),
      async (pages, counts) => {
        let now = 0;
        const { observer, calls } = account(pages, () => now);
        for (const count of counts) {
          now += 2_000;
          const before = calls();
          const operations = due(count, now - 1_000);
          const see = await observer.observe(operations);
          for (const one of operations) expect((await see(one)).status).toBe('running');
          expect(calls() - before).toBe(Math.min(count, pages));
        }
      },
    ),
    { numRuns: Math.min(PURE_RUNS, 100) },
  );
});

test('those who were due when a list was begun are served by it, and nobody twice', async () => {
  let now = 10_000;
  const { observer, calls } = account(1, () => now);
  const [some, others] = [due(5, now - 1_000), due(5, now - 500, 5)];
  await observer.observe(some);
  const see = await observer.observe(others);
  for (const one of others) await see(one);
  expect(calls()).toBe(1);
  await observer.observe(some);
  expect(calls()).toBe(2);
  now += 2_000;
  await observer.observe(due(5, now - 1_000, 10));
  expect(calls()).toBe(3);
});

test('a list that was begun before an operation was accepted says nothing of it', async () => {
  const now = 10_000;
  const { observer, calls } = account(1, () => now);
  await observer.observe(due(5, now - 1_000));
  await observer.observe(due(5, now, 5));
  expect(calls()).toBe(2);
});

test.each([
  [2, 1],
  [50, 1],
  [51, 2],
  [120, 3],
])('the actions of %i restarts at Hetzner are read in %i calls', async (count, calls) => {
  const now = 10_000;
  const { observer, asked } = hetznerAccount(() => now);
  const operations = due(count, now - 1_000).map((one, nth) => ({
    ...one,
    execution: { ...one.execution, actionId: String(nth) },
  }));
  const see = await observer.observe(operations);
  const found = await Promise.all(operations.map(see));
  expect(found.every(({ action }) => action?.state === 'running')).toBe(true);
  expect(asked).toEqual(['/v1/servers', ...Array.from({ length: calls }, () => '/v1/actions')]);
});
