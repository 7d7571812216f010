import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createExplainPaused } from '../../src/platform/hosting/explain-paused.ts';
import type { Instance } from '../../src/platform/hosting/service.ts';

// A reason is judged again after 15 s.
beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

const SERVICE = { atMost: 5, sameForMs: 15_000 };
const paused = (id: number): Instance => ({
  id: String(id),
  name: `web-${id}`,
  status: 'paused',
  statusWord: 'paused',
  can: {},
});
const pausedUpTo = (count: number): readonly Instance[] =>
  Array.from({ length: count }, (_, index) => paused(index + 1));

/** What explains by a balance of 5, of which a day of an instance takes 10, and what it asked the service for. */
function open() {
  const asked = { balance: 0, details: [] as string[] };
  const explain = createExplainPaused(
    {
      kind: 'prepaid',
      pausedFor: ({ dailyCostCredits }) => (Number(dailyCostCredits) > 5 ? 'no-credit' : undefined),
    },
    async () => {
      asked.balance += 1;
      return { credits: '5' };
    },
    async (id) => {
      asked.details.push(id);
      return { ...paused(Number(id)), dailyCostCredits: '10' };
    },
  );
  const countOf = async (instances: readonly Instance[]): Promise<number> =>
    (await explain(instances, 'read', performance.now())).filter((one) => one.pausedFor === 'no-credit')
      .length;
  return { asked, countOf };
}

it.each([501, 1_200])('gives each of %i its reason by one look at the balance', async (count) => {
  const { asked, countOf } = open();
  const priced = pausedUpTo(count).map((one) => ({ ...one, dailyCostCredits: '10' }));
  expect(await countOf(priced)).toBe(count);
  expect(await countOf(priced)).toBe(count);
  expect(asked.balance).toBe(1);
});

it('looks up each price once, however many there are', async () => {
  const { asked, countOf } = open();
  const all = pausedUpTo(505);
  for (let known = SERVICE.atMost; known <= all.length; known += SERVICE.atMost) {
    expect(await countOf(all)).toBe(known);
    vi.advanceTimersByTime(SERVICE.sameForMs);
  }
  expect(await countOf(all)).toBe(all.length);
  expect(asked.details).toEqual(all.map(({ id }) => id));
});

it('keeps what it knows of the others where one is read by its id, and nothing of what is gone', async () => {
  const { asked, countOf } = open();
  await countOf(pausedUpTo(3));
  expect(await countOf([paused(2)])).toBe(1);
  expect(await countOf(pausedUpTo(3))).toBe(3);
  expect(asked).toEqual({ balance: 1, details: ['1', '2', '3'] });
  await countOf(pausedUpTo(2));
  expect(await countOf(pausedUpTo(3))).toBe(3);
  expect(asked).toEqual({ balance: 2, details: ['1', '2', '3', '3'] });
});
