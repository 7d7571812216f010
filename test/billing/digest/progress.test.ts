import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  NOTHING_READ,
  NO_SUMS,
  type Progress,
  progressSchema,
  summed,
  withPage,
} from '../../../src/features/billing/digest/spend.ts';
import type { Transaction } from '../../../src/platform/hosting/service.ts';

const DUE = Date.UTC(2026, 10, 16, 9);
const HOUR_MS = 3_600_000;
const WEEK_MS = 7 * 24 * HOUR_MS;
const PER_PAGE = 7;

/** One that was so many hours before the digest is due; every eleventh has an amount that can't be read. */
function one(hoursAgo: number): Transaction {
  return {
    id: `t${hoursAgo}`,
    type: 'daily_charge',
    ...(hoursAgo % 11 === 0 ? {} : { amountCredits: hoursAgo % 5 === 0 ? '20.5' : '-1.25' }),
    instanceId: ['101', '__proto__', ''][Math.abs(hoursAgo) % 3]!,
    createdAt: new Date(DUE - hoursAgo * HOUR_MS).toISOString(),
  };
}

/** What Redis gives back of what was put into it. */
const written = (progress: Progress): Progress => progressSchema.parse(JSON.parse(JSON.stringify(progress)));

test('however often reading is put off, and whatever is new meanwhile, nothing is counted twice or left out', () => {
  const pushes = fc.array(fc.nat(40), { maxLength: 8 });
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 400 }), pushes, (count, news) => {
      const before = Array.from({ length: count }, (_, index) => one(index));
      // What is new is of after the digest was due.
      const pushed: Transaction[] = [];
      let progress: Progress = NOTHING_READ;
      for (let at = 0; progress.end === undefined; at++) {
        const all = [...pushed.toReversed(), ...before];
        const start = (progress.page - 1) * PER_PAGE;
        const transactions = all.slice(start, start + PER_PAGE);
        const hasMore = start + PER_PAGE < all.length;
        progress = written(withPage(progress, { transactions, hasMore }, DUE));
        for (let more = news[at] ?? 0; more > 0; more--) pushed.push(one(-pushed.length - 1));
      }
      const weekOf = (toMs: number) => summed(NO_SUMS, before, { fromMs: toMs - WEEK_MS, toMs });
      expect(progress.thisWeek).toEqual(weekOf(DUE));
      expect(progress.lastWeek).toEqual(weekOf(DUE - WEEK_MS));
      expect(progress.end).toBe('all');
    }),
  );
});

test('reading ends with the first page that goes further back than two weeks', () => {
  const transactions = [one(1), one(2 * 7 * 24 + 1)];
  expect(withPage(NOTHING_READ, { transactions, hasMore: true }, DUE).end).toBe('all');
  expect(withPage(NOTHING_READ, { transactions: [one(1)], hasMore: true }, DUE).end).toBeUndefined();
});

test('a service that gives the same page again and again comes to an end, and all of it is not claimed', () => {
  const page = { transactions: [one(1), one(2)], hasMore: true };
  let progress: Progress = NOTHING_READ;
  while (progress.end === undefined) progress = withPage(progress, page, DUE);
  expect(progress).toMatchObject({ end: 'cut', count: 2, page: 52 });
});

test('where the list ends before the service’s own count of it, all of it is not claimed', () => {
  const page = { transactions: [one(1), one(2)], hasMore: false };
  expect(withPage(NOTHING_READ, { ...page, total: 3 }, DUE).end).toBe('cut');
  expect(withPage(NOTHING_READ, { ...page, total: 2 }, DUE).end).toBe('all');
  // What was bought meanwhile counts with the next reading.
  const begun = written(withPage(NOTHING_READ, { transactions: [one(1)], hasMore: true, total: 2 }, DUE));
  expect(withPage(begun, { ...page, total: 3 }, DUE).end).toBe('all');
});

test('a service that names the place of its next page is asked for that, after a crash as well', () => {
  const next = { path: '/api/v1/billing/transactions?cursor=x', range: 'id ]7..; max=100' };
  const read = written(withPage(NOTHING_READ, { transactions: [one(1)], hasMore: true, next }, DUE));
  expect(read.next).toEqual(next);
  expect(withPage(read, { transactions: [one(2)], hasMore: true }, DUE).next).toBeUndefined();
});
