import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Adapter, ListRead } from '../../src/platform/hosting/adapter.ts';
import { adapter as hetzner } from '../../src/platform/hosting/adapters/hetzner.ts';
import { createHostingClient } from '../../src/platform/hosting/client.ts';
import { incompleteOfAll, listsOf } from '../../src/platform/hosting/read-list.ts';
import type { Requester } from '../../src/platform/hosting/request.ts';
import { HostingError, type HostingFault } from '../../src/platform/hosting/hosting-error.ts';
import type { Instance, InstanceList } from '../../src/platform/hosting/service.ts';
import { runs } from '../support/runs.ts';

const [one] = listsOf(hetzner.instances.list);
const named = (path: string): ListRead<Instance> => ({ ...one!, path });

/** A service with several lists, in pages of `perPage`; it says of each how long it is unless `isSilent`. */
function serviceOf(
  lists: readonly (readonly number[])[],
  {
    perPage = 50,
    isSilent = false,
    endless = -1,
    faults = [],
  }: {
    perPage?: number;
    isSilent?: boolean;
    endless?: number;
    /** Of each list, what it fails with, if at all. */
    faults?: readonly (HostingFault | undefined)[];
  } = {},
) {
  const asked: string[] = [];
  const priorities: string[] = [];
  const read: Requester['read'] = async ({ path, priority }) => {
    asked.push(path);
    priorities.push(priority ?? '');
    const url = new URL(path, 'https://x.test');
    const nth = Number(url.pathname.split('-').at(-1));
    const ids = lists[nth] ?? [];
    const fault = faults[nth];
    if (fault) throw new HostingError('reading', { fault, outcome: 'not-done', retryable: false });
    const page = Number(url.searchParams.get('page') ?? 1);
    const servers = ids
      .slice((page - 1) * perPage, page * perPage)
      .map((id) => ({ id, name: `m-${id}`, status: 'running' }));
    const hasMore = page * perPage < ids.length || nth === endless;
    const pagination = {
      // One that goes on somewhere, but doesn't say where.
      next_page: hasMore ? (nth === endless ? { odd: true } : page + 1) : null,
      total_entries: isSilent ? null : ids.length + (nth === endless ? 1 : 0),
    };
    return { status: 200, headers: {}, body: { servers, meta: { pagination } } };
  };
  const [first, ...rest] = lists.map((_, nth) => named(`/list-${nth}`));
  const adapter: Adapter = { ...hetzner, instances: { ...hetzner.instances, list: [first!, ...rest] } };
  const requester: Requester = { read, write: read, close: async () => undefined };
  return { hosting: createHostingClient(adapter, 'https://x.test', requester), asked, priorities };
}

const lists = fc.array(fc.uniqueArray(fc.nat({ max: 60 }), { maxLength: 30 }), {
  minLength: 1,
  maxLength: 3,
});

describe('several lists that are one', () => {
  it('have each instance once, whatever their pages are, and are whole', async () => {
    await fc.assert(
      fc.asyncProperty(
        lists,
        fc.integer({ min: 1, max: 40 }),
        fc.boolean(),
        async (all, perPage, isSilent) => {
          const { hosting, asked } = serviceOf(all, { perPage, isSilent });
          const { instances, incomplete, pages } = await hosting.listInstances();
          const different = new Set(all.flat());
          expect(instances).toHaveLength(different.size);
          expect(new Set(instances.map(({ id }) => Number(id)))).toEqual(different);
          expect(incomplete).toBeUndefined();
          expect(pages).toBe(asked.length);
        },
      ),
      { numRuns: runs(300) },
    );
  });

  it('are not whole where one of them is not, and say how many there are in all', async () => {
    const all = [[1, 2, 3], [3, 4], [5]];
    for (const endless of [0, 1, 2])
      expect((await serviceOf(all, { endless }).hosting.listInstances()).incomplete).toEqual({
        read: 5,
        total: 6,
        isCertain: true,
      });
    expect((await serviceOf(all, { endless: 1, isSilent: true }).hosting.listInstances()).incomplete).toEqual(
      {
        read: 5,
        isCertain: true,
      },
    );
  });

  const OF_ONE = ['unavailable', 'unclear', 'refused', 'forbidden', 'not-found'] as const;
  const fault = fc.option(fc.constantFrom(...OF_ONE), { nil: undefined });

  it('are as many as came where some fail alone, and say how many did; the first fault where all do', async () => {
    await fc.assert(
      fc.asyncProperty(lists, fc.array(fault, { minLength: 3, maxLength: 3 }), async (all, faults) => {
        const its = all.map((_, nth) => faults[nth]);
        const { hosting } = serviceOf(all, { faults: its });
        const failed = its.filter((said) => said !== undefined);
        const read = await hosting.listInstances().catch((error: unknown) => error);
        const checked = await hosting.checkKey().catch((error: unknown) => error);
        if (failed.length === all.length) {
          expect(read).toMatchObject({ fault: failed[0] });
          expect(checked).toMatchObject({ fault: failed[0] });
          return;
        }
        const came = new Set(all.flatMap((ids, nth) => (its[nth] ? [] : ids)));
        expect(read).toMatchObject({ instances: { length: came.size } });
        const isShown = all.some((ids, nth) => ids.length > 0 && !its[nth]);
        if (isShown || failed.length === 0) expect(checked).toBeInstanceOf(Array);
        else expect(checked).toMatchObject({ fault: failed[0] });
        const { incomplete } = read as InstanceList;
        if (failed.length === 0) expect(incomplete).toBeUndefined();
        else
          expect(incomplete).toEqual({
            read: came.size,
            isCertain: true,
            failed: { lists: failed.length, of: all.length },
          });
      }),
      { numRuns: runs(300) },
    );
  });

  it.each(['unauthorized', 'rate-limited', 'not-built', 'no-answer', 'unreadable'] as const)(
    'are none at all where one says no: %s',
    async (said) => {
      for (const faults of [[said], [undefined, said]])
        await expect(serviceOf([[1], [2]], { faults }).hosting.listInstances()).rejects.toMatchObject({
          fault: said,
        });
    },
  );

  it('are cut where one list is, and say so', async () => {
    const upTo = (from: number, count: number): number[] =>
      Array.from({ length: count }, (_, nth) => from + nth);
    const whole = serviceOf([upTo(0, 6_000), upTo(6_000, 4_000)], { perPage: 500 });
    expect((await whole.hosting.listInstances()).incomplete).toBeUndefined();
    const cut = serviceOf([upTo(0, 6_000), upTo(5_999, 4_002)], { perPage: 500, isSilent: true });
    const { instances, incomplete } = await cut.hosting.listInstances();
    expect([instances.length, incomplete]).toEqual([
      10_000,
      { read: 10_000, total: 10_001, isCertain: true },
    ]);
  });

  it('are read once for all who ask at once', async () => {
    const { hosting, asked } = serviceOf([[1], [2]]);
    await Promise.all(Array.from({ length: 20 }, () => hosting.listInstances()));
    expect(asked).toHaveLength(2);
  });

  it('are not thrown away halfway by a check that nobody waits for', async () => {
    const { hosting, priorities } = serviceOf([[1], [2]]);
    await hosting.listInstances({ priority: 'background' });
    expect(priorities).toEqual(['background', 'continued']);
  });

  it('say of one list what that says itself', () => {
    const total = fc.option(fc.nat({ max: 500 }), { nil: undefined });
    const record = fc.record({ read: fc.nat({ max: 500 }), total, isCertain: fc.boolean() });
    fc.assert(
      fc.property(fc.option(record, { nil: undefined }), (incomplete) => {
        const read = incomplete?.read ?? 7;
        const joined = incompleteOfAll([{ read, incomplete }], { different: read, most: 10_000 });
        expect(joined).toEqual(incomplete);
      }),
      { numRuns: runs(300) },
    );
  });
});
