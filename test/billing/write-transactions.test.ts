import { expect, test } from 'vitest';
import { sentMessage } from '../../src/features/billing/transactions/export.ts';
import { writeTransactions } from '../../src/features/billing/transactions/write-transactions.ts';
import { formatAmount } from '../../src/core/money/amount.ts';
import { HostingError } from '../../src/platform/hosting/hosting-error.ts';
import type { HostingService, Transaction } from '../../src/platform/hosting/service.ts';
import { parseCsv } from './rfc4180.ts';

type List = HostingService['listTransactions'];

/** The transaction that is `index` away from the newest of so many: each takes one, the oldest begins at zero. */
const one = (index: number, count: number): Transaction => ({
  id: String(count - index),
  type: 'daily_charge',
  amountCredits: '-1.50',
  balanceAfterCredits: (-(count - index) * 1.5).toFixed(2),
  description: 'A day',
  instanceId: '101',
  createdAt: '2026-11-20T00:00:00Z',
});
const pageOf = (count: number, page: number, perPage: number): Awaited<ReturnType<List>> => {
  const from = (page - 1) * perPage;
  const length = Math.max(0, Math.min(perPage, count - from));
  return {
    transactions: Array.from({ length }, (_, index) => one(from + index, count)),
    hasMore: from + length < count,
  };
};
const serviceOf = (count: number): { listTransactions: List } => ({
  listTransactions: async (page, perPage) => pageOf(count, page, perPage),
});
const table = {
  wanted: {},
  unit: 'credits',
  names: new Map([['101', 'web-1']]),
  mostRows: 200_000,
  mostBytes: 64 * 1024 * 1024,
};

async function writtenBy(service: { listTransactions: List }, over: Partial<typeof table> = {}) {
  const written = await writeTransactions(service, { ...table, ...over });
  return {
    written,
    ids: parseCsv(written.parts.join(''))
      .map(([id]) => id)
      .slice(1),
  };
}

test('a hundred thousand rows are in the file, and add up', async () => {
  const { written, ids } = await writtenBy(serviceOf(100_000));
  const { rows, statement, end } = written;
  expect([rows, end, new Set(ids).size]).toEqual([100_000, 'all', 100_000]);
  expect(statement && [statement.opening, statement.usage, statement.gap].map(formatAmount)).toEqual([
    '0',
    '150,000',
    '0',
  ]);
});

test('past the most rows the file ends, and what is in it adds up', async () => {
  const { written, ids } = await writtenBy(serviceOf(251), { mostRows: 250 });
  expect([written.rows, written.end, ids.length]).toEqual([250, 'most rows', 250]);
  expect(written.statement?.gap.units).toBe(0n);
  expect((await writtenBy(serviceOf(250), { mostRows: 250 })).written.end).toBe('all');
});

test('past the most bytes the file ends as well', async () => {
  const { written, ids } = await writtenBy(serviceOf(250), { mostBytes: 1_000 });
  expect(written.end).toBe('most bytes');
  expect(ids.length).toBe(written.rows);
  expect(written.rows).toBeLessThan(15);
});

test('what is bought while pages are read makes no row come twice or go missing', async () => {
  const { written, ids } = await writtenBy({
    // 150 new ones before the second page: more than a page.
    listTransactions: async (page, perPage) => pageOf(page === 1 ? 450 : 600, page, perPage),
  });
  expect(ids).toEqual(Array.from({ length: 450 }, (_, index) => String(450 - index)));
  expect(written.end).toBe('all');
});

test('a service that gives the same page for ever comes to an end, which is said', async () => {
  const { written, ids } = await writtenBy({
    listTransactions: async (_page, perPage) => pageOf(300, 1, perPage),
  });
  expect([written.end, ids.length]).toEqual(['same page again', 100]);
});

test('a rate limit is waited for, and any other fault is not', async () => {
  let isLimited = true;
  const fault = (details: { retryAfterMs?: number }): HostingError =>
    new HostingError('listing', { fault: 'rate-limited', outcome: 'not-done', retryable: true, ...details });
  const { written } = await writtenBy({
    listTransactions: async (page, perPage) => {
      if (page === 2 && isLimited) {
        isLimited = false;
        throw fault({ retryAfterMs: 1 });
      }
      return pageOf(150, page, perPage);
    },
  });
  expect(written.rows).toBe(150);
  const broken = { listTransactions: () => Promise.reject(fault({})) };
  await expect(writtenBy(broken)).rejects.toBeInstanceOf(HostingError);
});

test('a reading that takes as long as it may ends with what was read, and says that older rows are left out', async () => {
  const limited = new HostingError('listing', {
    fault: 'rate-limited',
    outcome: 'not-done',
    retryable: true,
    retryAfterMs: 3_600_000,
  });
  const { written, ids } = await writtenBy({
    listTransactions: async (page, perPage) => {
      if (page === 3) throw limited;
      return pageOf(450, page, perPage);
    },
  });
  expect([written.end, written.rows, ids.length]).toEqual(['most time', 200, 200]);
  const { lines } = sentMessage(written, { name: 'a.csv', unit: 'credits', filters: [], isWhole: true });
  expect(JSON.stringify(lines)).toContain('The file is cut off: reading took too long');
  const nothing = { listTransactions: () => Promise.reject(limited) };
  await expect(writtenBy(nothing)).rejects.toBe(limited);
});
