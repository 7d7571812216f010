import { expect, test } from 'vitest';
import { weeksBefore } from '../../../src/features/billing/digest/look.ts';
import { attemptOf } from '../../../src/features/billing/bulletin/record.ts';
import { DIGEST } from '../../../src/features/billing/digest/record.ts';
import { nothingBooked } from '../../../src/features/billing/ledger/booked.ts';
import { daysFrom } from '../../../src/features/billing/ledger/days.ts';
import { type Filling, LEDGER } from '../../../src/features/billing/ledger/filling.ts';

const NOW = Date.UTC(2026, 10, 16, 9);
const AT_REST: Filling = { failures: 0, dueAt: NOW + 1 };

/** The weeks of a digest that is due then, where the ledger has the days from `since` on. */
function weeks(dueAt: string, since = '2026-01-01', ledger = AT_REST) {
  const days = {
    list: async (from: string, to: string) =>
      daysFrom(from, to).map((day) => ({
        day,
        record: day < since ? {} : { booked: nothingBooked('first', NOW) },
      })),
  };
  return weeksBefore({ days, filling: { get: async () => ledger } }, Date.parse(dueAt), NOW);
}

test.each([
  ['2026-11-16T09:00:00Z', '2026-11-09', '2026-11-15'],
  // The ledger has a day half an hour after it ends; nobody waits for it at nine in Tokyo.
  ['2026-11-16T00:00:00Z', '2026-11-08', '2026-11-14'],
  ['2026-11-16T01:00:00Z', '2026-11-09', '2026-11-15'],
])('a digest due at %s tells of the days from %s to %s', async (dueAt, first, last) => {
  const { days, before } = await weeks(dueAt);
  expect([days.length, before.length]).toEqual([7, 7]);
  expect([days[0]?.day, days.at(-1)?.day]).toEqual([first, last]);
  expect((before.at(-1)?.day ?? '') < first).toBe(true);
});

test('it is waited for days only while they may come', async () => {
  const due = '2026-11-16T09:00:00Z';
  const coming = async (since: string, ledger: Filling) => (await weeks(due, since, ledger)).isComing;
  const [reading, failing] = [
    { ...AT_REST, dueAt: 0 },
    { ...AT_REST, failures: 3 },
  ];
  for (const ledger of [LEDGER.none, reading, failing]) {
    expect(await coming('2026-11-12', ledger)).toBe(true);
    expect(await coming('2026-11-02', ledger)).toBe(false);
  }
  expect(await coming('2026-11-12', AT_REST)).toBe(false);
  expect((await weeks(due, '2026-11-12')).gaps).toEqual([['2026-11-02', '2026-11-11']]);
});

test('a service that lists no transactions has no weeks, unless they were read before', async () => {
  const ledger: Filling = { ...AT_REST, isNotOffered: true };
  const offered = async (since: string) => !(await weeks('2026-11-16T09:00:00Z', since, ledger)).isNotOffered;
  expect(await offered('2026-12-01')).toBe(false);
  expect(await offered('2026-01-01')).toBe(true);
});

test('a record of a version that was reading for its digest is read, and that is made anew', () => {
  const schedule = { weekday: 1, hour: 9, minute: 0, zone: 'UTC', onlyChanges: false };
  const set = { schedule, channelId: 'C1', by: 'U1', dueAt: NOW };
  const progress = { page: 3, count: 200, cursor: {}, stale: 0, thisWeek: {}, lastWeek: {} };
  const making = { dueAt: NOW, startedAt: NOW, nextAt: NOW + 60_000, failures: 2, progress };
  const record = DIGEST.schema.parse({ set, making });
  expect(record).toEqual({ set });
  expect(DIGEST.dueAt(record)).toBe(NOW);
  expect(record.set && attemptOf(record, record.set, NOW + 1)).toMatchObject({ of: NOW, failures: 0 });
});
