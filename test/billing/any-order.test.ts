import { expect, it, test } from 'vitest';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { sentMessage } from '../../src/features/billing/transactions/export.ts';
import { writeTransactions } from '../../src/features/billing/transactions/write-transactions.ts';
import type { Transaction } from '../../src/platform/hosting/service.ts';
import { say, toPlainText } from '../../src/platform/slack/phrase.ts';
import { answerTo, play } from '../support/sandbox.ts';

const DAY_MS = 86_400_000;
const NOW = Date.now();

/** The charge of so many days ago, after which so much was left. */
const charge = (daysAgo: number) => ({
  id: daysAgo,
  type: 'daily_charge',
  amount: -10,
  balance_after: 1_000 + daysAgo * 10,
  created_at: new Date(NOW - daysAgo * DAY_MS).toISOString(),
});

/** The service's next pages of transactions, each with the charges of so many days ago. */
function answerWith(sandbox: Sandbox, ...pages: readonly (readonly number[])[]): void {
  for (const [index, days] of pages.entries()) {
    const body = { data: days.map(charge), meta: { page: index + 1, total_pages: pages.length } };
    sandbox.hosting.failNext(
      { path: /transactions$/ },
      { answer: 200, done: true, body: JSON.stringify(body) },
    );
  }
}

it('what comes oldest first, or in no order, is sorted where all of it is there', async () => {
  const sandbox = await play({ env: { LAMPLIGHTER_EVERYONE: 'finance' } });
  for (const days of [
    [5, 4, 3],
    [4, 3, 5],
  ]) {
    answerWith(sandbox, days);
    const text = await answerTo(sandbox, 'fin', '/billing transactions');
    expect(text).toContain('3 transactions, newest first, in credits');
    expect(text).toContain('1,060 before, 0 added, 30 used, 1,030 after.');
    expect(text).not.toContain('does not add up');
  }
});

it('of several pages that come oldest first none is taken for the last, and no order is said of them', async () => {
  const sandbox = await play({ env: { LAMPLIGHTER_EVERYONE: 'finance' } });
  answerWith(sandbox, [40, 39, 38], [5, 4, 3]);
  const text = await answerTo(sandbox, 'fin', '/billing transactions --last 7d');
  expect(text).toContain("3 transactions of the last 7d, in the service's own order, in credits");
  expect(text).toContain('0 added and 30 used.');
  expect(text).not.toMatch(/newest|does not add up|before,/);
});

it('all are shown of those that have no id, also where two are alike', async () => {
  const sandbox = await play({ env: { LAMPLIGHTER_EVERYONE: 'finance' } });
  const data = [3, 4, 4, 5].map((daysAgo) => ({ ...charge(daysAgo), id: undefined }));
  const body = JSON.stringify({ data, meta: { page: 1, total_pages: 1 } });
  sandbox.hosting.failNext({ path: /transactions$/ }, { answer: 200, done: true, body });
  const text = await answerTo(sandbox, 'fin', '/billing transactions');
  expect(text).toContain('4 transactions, newest first');
});

const one = (daysAgo: number): Transaction => ({
  id: String(daysAgo),
  type: 'daily_charge',
  amountCredits: '-1',
  balanceAfterCredits: String(daysAgo),
  createdAt: new Date(NOW - daysAgo * DAY_MS).toISOString(),
});
const PAGES = [40, 30, 20, 10].map((daysAgo) => [daysAgo, daysAgo - 3, daysAgo - 6, daysAgo - 9].map(one));

test('a file of pages that come oldest first has all that was asked for, and says that it can not add up', async () => {
  const service = {
    listTransactions: async (page: number) => ({
      transactions: PAGES[page - 1] ?? [],
      hasMore: page < PAGES.length,
    }),
  };
  const table = { unit: 'credits', names: new Map(), mostRows: 100, mostBytes: 10_000 };
  const wanted = { since: NOW - 15 * DAY_MS };
  const written = await writeTransactions(service, { ...table, wanted });
  expect([written.rows, written.end]).toEqual([6, 'all']);
  const { lines } = sentMessage(written, { name: 'a.csv', unit: 'credits', filters: [], isWhole: true });
  const text = lines.map((line) => toPlainText(say`${line}`)).join(' ');
  expect(text).toContain("They don't come in the order of their times, so I can't tell whether they add up.");
});
