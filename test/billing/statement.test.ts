import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  passes,
  type Statement,
  statementFrom,
  sumsFrom,
  tallyOf,
} from '../../src/features/billing/transactions/statement.ts';
import { type Amount, formatAmount, parseAmount } from '../../src/core/money/amount.ts';
import type { Transaction } from '../../src/platform/hosting/service.ts';
import { runs } from '../support/runs.ts';

const at = '2026-11-20T12:00:00Z';
function one(
  amountCredits: string,
  balanceAfterCredits?: string,
  over: Partial<Transaction> = {},
): Transaction {
  return {
    id: '1',
    type: 'daily_charge',
    amountCredits,
    createdAt: at,
    ...(balanceAfterCredits === undefined ? {} : { balanceAfterCredits }),
    ...over,
  };
}
const statementOf = (newestFirst: readonly Transaction[]): Statement | undefined =>
  statementFrom(tallyOf(newestFirst));
const shown = (amount: Amount | undefined): string => (amount ? formatAmount(amount) : 'nothing');

describe('a statement', () => {
  test('adds up what was added and used', () => {
    const statement = statementOf([one('-10.10', '94.90'), one('105', '105'), one('-5', '0')]);
    expect(
      [statement?.opening, statement?.credits, statement?.usage, statement?.closing, statement?.gap].map(
        shown,
      ),
    ).toEqual(['5', '105', '15.10', '94.90', '0']);
  });

  test('shows by how much it does not add up', () => {
    expect(shown(statementOf([one('-10', '80'), one('100', '100')])?.gap)).toBe('-10');
  });

  test('is none where the service gives no balances', () => {
    expect(statementOf([one('-10')])).toBeUndefined();
    expect(statementOf([])).toBeUndefined();
  });

  test('is none where an amount can not be read, and the sums are without it', () => {
    const { amountCredits: _, ...unreadable } = one('-7', '93');
    const tally = tallyOf([one('-3', '90'), unreadable, one('100', '100')]);
    expect(statementFrom(tally)).toBeUndefined();
    const sums = sumsFrom(tally);
    expect([shown(sums.credits), shown(sums.usage), sums.unreadable]).toEqual(['100', '3', 1]);
  });

  test('has no gap for any ledger without one', () => {
    const cents = fc.integer({ min: -100_000, max: 100_000 });
    fc.assert(
      fc.property(cents, fc.array(cents, { minLength: 1, maxLength: 30 }), (opening, amounts) => {
        let balance = opening;
        const decimal = (value: number): string => (value / 100).toFixed(2);
        const oldestFirst = amounts.map((amount) => one(decimal(amount), decimal((balance += amount))));
        const statement = statementOf(oldestFirst.toReversed());
        expect(statement?.gap.units).toBe(0n);
        expect(statement?.opening).toEqual(parseAmount(decimal(opening)));
      }),
      { numRuns: runs(20_000) },
    );
  });
});

describe('a filter', () => {
  const charge = one('-1', '1', { instanceId: '101' });

  test.each([
    [{}, true],
    [{ type: 'Daily_Charge' }, true],
    [{ type: 'daily charge' }, true],
    [{ type: ' DAILY-charge ' }, true],
    [{ type: 'purchase' }, false],
    [{ instanceId: '101' }, true],
    [{ instanceId: '102' }, false],
    [{ since: Date.parse(at) }, true],
    [{ since: Date.parse(at) + 1 }, false],
  ])('%j passes it: %s', (wanted, isPassed) => expect(passes(charge, wanted)).toBe(isPassed));

  test('does not hide what has no readable time', () => {
    expect(passes(one('-1', '1', { createdAt: 'soon' }), { since: 0 })).toBe(true);
  });
});
