import fc from 'fast-check';
import { expect, test } from 'vitest';
import { adapter } from '../../src/platform/hosting/adapters/hetzner.ts';
import type { Answer } from '../../src/platform/hosting/answer.ts';
import { createHostingClient } from '../../src/platform/hosting/client.ts';
import type { Requester } from '../../src/platform/hosting/request.ts';
import type { HostingService } from '../../src/platform/hosting/service.ts';
import { RULE_RUNS } from '../support/runs.ts';

interface Numbered {
  readonly ids: readonly number[];
  readonly size: number;
  /** Runs before each call is answered, the first being 1, and may take ids away. */
  readonly before: (call: number, ids: number[]) => void;
  /** What the service says that it has in all; the truth without it. */
  readonly total?: () => number;
}

/** A client of a service that numbers its pages. */
function clientOf({ ids, size, before, total }: Numbered) {
  const left = [...ids];
  let calls = 0;
  const read: Requester['read'] = async ({ path }): Promise<Answer> => {
    before((calls += 1), left);
    const page = Number(new URL(path, adapter.origin).searchParams.get('page') ?? 1);
    const servers = left.slice((page - 1) * size, page * size).map(serverOf);
    const next_page = page * size < left.length ? page + 1 : null;
    const pagination = { page, per_page: size, next_page, total_entries: total?.() ?? left.length };
    return { status: 200, headers: {}, body: { servers, meta: { pagination } } };
  };
  const requester: Requester = { read, write: read, close: async () => undefined };
  const hosting: HostingService = createHostingClient(adapter, adapter.origin ?? '', requester);
  return { hosting, left: () => left.map(String), calls: () => calls };
}

const serverOf = (id: number): object => ({
  id,
  name: `m-${id}`,
  status: 'running',
  created: '2026-01-05T10:00:00Z',
  locked: false,
  protection: { delete: false, rebuild: false },
  public_net: { ipv4: { ip: '192.0.2.20' }, ipv6: null },
  server_type: { id: 22, name: 'cpx22' },
});

const idsTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);
const idsOf = async (hosting: HostingService): Promise<{ ids: string[]; isWhole: boolean }> => {
  const { instances, incomplete } = await hosting.listInstances();
  return { ids: instances.map(({ id }) => id), isWhole: incomplete === undefined };
};

/** Before which call instances go, and where in the list each stands, from its begin (0) to its end (1). */
const deletions = fc.array(
  fc.record({
    call: fc.integer({ min: 1, max: 12 }),
    at: fc.array(fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }), {
      minLength: 1,
      maxLength: 6,
    }),
  }),
  { maxLength: 4 },
);

test('a list that becomes shorter while it is read lacks nothing that stays, or says that it may', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 30 }),
      fc.integer({ min: 1, max: 7 }),
      deletions,
      async (count, size, planned) => {
        const before = (call: number, ids: number[]): void => {
          const going = planned.filter((one) => one.call === call).flatMap(({ at }) => at);
          for (const place of going) ids.splice(Math.floor(place * ids.length), 1);
        };
        const { hosting, left } = clientOf({ ids: idsTo(count), size, before });
        const { ids, isWhole } = await idsOf(hosting);
        if (isWhole) expect(ids).toEqual(expect.arrayContaining(left()));
      },
    ),
    { numRuns: RULE_RUNS },
  );
});

test('more than a page that goes at once hides nothing, and only what moved is read again', async () => {
  const before = (call: number, ids: number[]): void => {
    if (call === 4) ids.splice(0, 15);
  };
  const { hosting, left, calls } = clientOf({ ids: idsTo(40), size: 10, before });
  const { ids, isWhole } = await idsOf(hosting);
  expect(isWhole).toBe(true);
  expect(ids).toEqual(expect.arrayContaining(left()));
  // Four pages, of which the last is gone by then, and the two before it once more.
  expect(calls()).toBe(6);
});

test('a page whose records go while it is read again is read once more', async () => {
  const before = (call: number, ids: number[]): void => {
    if (call === 3) ids.splice(0, 2);
    if (call === 4) ids.splice(0, 2);
  };
  const { hosting, left } = clientOf({ ids: idsTo(8), size: 2, before });
  expect((await idsOf(hosting)).ids).toEqual(expect.arrayContaining(left()));
});

test('totals that fall with each page end in no endless reading, and the list says that it may lack something', async () => {
  let total = 400;
  const { hosting, calls } = clientOf({
    ids: idsTo(400),
    size: 10,
    before: () => undefined,
    total: () => (total -= 1),
  });
  expect(await idsOf(hosting)).toMatchObject({ ids: idsTo(400).map(String), isWhole: false });
  expect(calls()).toBeLessThanOrEqual(60);
});
