import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dayAt } from '../../../src/features/billing/ledger/day.ts';
import {
  begun,
  type ByDay,
  LEDGER,
  type Reading,
  withNextPage,
} from '../../../src/features/billing/ledger/filling.ts';
import { isPlaceGone } from '../../../src/features/billing/transactions/walk.ts';
import { HostingError } from '../../../src/platform/hosting/hosting-error.ts';
import type { Transaction, TransactionPage } from '../../../src/platform/hosting/service.ts';

const NOW = Date.UTC(2026, 10, 16, 9);
const HOUR_MS = 3_600_000;
const PER_PAGE = 7;

/** One that was so many hours ago. */
function one(hoursAgo: number): Transaction {
  return {
    id: `t${hoursAgo}`,
    type: 'daily_charge',
    amountCredits: '-1.25',
    createdAt: new Date(NOW - hoursAgo * HOUR_MS).toISOString(),
  };
}

const BEGUN = begun(LEDGER.none, 'first', NOW);
const next = (reading: Reading, page: TransactionPage, taken: ByDay = new Map()): Reading =>
  withNextPage(reading, page, taken);

/** What Redis gives back of what was put into it. */
const written = (reading: Reading): Reading =>
  LEDGER.schema.parse(JSON.parse(JSON.stringify({ ...LEDGER.none, reading }))).reading ?? BEGUN;

test('however often reading is put off, and whatever is new meanwhile, nothing is counted twice or left out', () => {
  const pushes = fc.array(fc.nat(40), { maxLength: 8 });
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 400 }), pushes, (count, news) => {
      const before = Array.from({ length: count }, (_, index) => one(index));
      // What is new is of today, which is not over.
      const pushed: Transaction[] = [];
      const taken: ByDay = new Map();
      let reading = BEGUN;
      for (let at = 0; reading.end === undefined; at++) {
        const all = [...pushed.toReversed(), ...before];
        const start = (reading.page - 1) * PER_PAGE;
        const transactions = all.slice(start, start + PER_PAGE);
        reading = written(next(reading, { transactions, hasMore: start + PER_PAGE < all.length }, taken));
        for (let more = news[at] ?? 0; more > 0; more--) pushed.push(one(-pushed.length / 1_000));
      }
      const dayOf = ({ createdAt }: Transaction): string => dayAt(Date.parse(createdAt));
      const over = before.filter((each) => dayOf(each) < dayAt(NOW));
      expect([...taken.values()].flat()).toEqual(over);
      for (const [day, these] of taken) expect([...new Set(these.map(dayOf))]).toEqual([day]);
      expect(reading.end).toBe('all');
    }),
  );
});

test('reading ends with the first page that goes further back than what is wanted', () => {
  const filled = { from: '2026-01-01', to: '2026-11-14', at: NOW };
  const reading = begun({ ...LEDGER.none, filled }, 'later', NOW);
  const transactions = [one(1), one(10 * 24)];
  expect(next(reading, { transactions, hasMore: true }).end).toBe('all');
  expect(next(reading, { transactions: [one(1)], hasMore: true }).end).toBeUndefined();
});

test('pages that come oldest first are all read', () => {
  const pages = [40, 30, 20, 10].map((days) => [days, days - 3, days - 6].map((each) => one(each * 24)));
  let reading = BEGUN;
  for (const [index, transactions] of pages.entries())
    reading = next(reading, { transactions, hasMore: index + 1 < pages.length });
  expect(reading).toMatchObject({ end: 'all', count: 12 });
});

test('a service that gives the same page again and again comes to an end, and all of it is not claimed', () => {
  const page = { transactions: [one(1), one(2)], hasMore: true };
  let reading = BEGUN;
  while (reading.end === undefined) reading = next(reading, page);
  expect(reading).toMatchObject({ end: 'cut', count: 2, page: 52 });
});

test('where the list ends before the service’s own count of it, all of it is not claimed', () => {
  const page = { transactions: [one(1), one(2)], hasMore: false };
  expect(next(BEGUN, { ...page, total: 3 }).end).toBe('cut');
  expect(next(BEGUN, { ...page, total: 2 }).end).toBe('all');
  // What was bought meanwhile counts with the next reading.
  const first = written(next(BEGUN, { transactions: [one(1)], hasMore: true, total: 2 }));
  expect(next(first, { ...page, total: 3 }).end).toBe('all');
});

test('a service that names the place of its next page is asked for that, after a crash as well', () => {
  const place = { path: '/api/v1/billing/transactions?cursor=x', range: 'id ]7..; max=100' };
  const read = written(next(BEGUN, { transactions: [one(1)], hasMore: true, next: place }));
  expect(read.next).toEqual(place);
  expect(next(read, { transactions: [one(2)], hasMore: true }).next).toBeUndefined();
});

test('a place that the service does not know any more is left, and any other fault keeps what was read', () => {
  const further = { ...BEGUN, page: 4, count: 300, next: { path: '/transactions?cursor=old' } };
  const answered = (status: number): HostingError =>
    new HostingError('listing', { fault: 'refused', outcome: 'not-done', retryable: false, status });
  for (const status of [400, 404, 410, 422]) expect(isPlaceGone(further, answered(status))).toBe(true);
  for (const status of [401, 403, 429, 500, 503]) expect(isPlaceGone(further, answered(status))).toBe(false);
  const { next: _, ...numbered } = further;
  expect(isPlaceGone(numbered, answered(404))).toBe(false);
  expect(isPlaceGone(further, new Error('lost'))).toBe(false);
});
