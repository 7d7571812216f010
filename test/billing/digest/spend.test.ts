import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Change, changeOf } from '../../../src/features/billing/digest/change.ts';
import { NO_SUMS, type Spend, spendOf, summed } from '../../../src/features/billing/digest/spend.ts';
import { add, type Amount, compare, formatAmount, sum } from '../../../src/core/money/amount.ts';
import type { Transaction } from '../../../src/platform/hosting/service.ts';
import { RULE_RUNS } from '../../support/runs.ts';

const FROM = Date.UTC(2026, 10, 9, 9);
const TO = FROM + 7 * 86_400_000;
const NAMES = new Map([
  ['101', 'web-1'],
  ['102', 'llm'],
  ['103', 'db-1'],
]);

let count = 0;
function one(amountCredits: string, instanceId?: string, over: Partial<Transaction> = {}): Transaction {
  return {
    id: String(++count),
    type: 'daily_charge',
    amountCredits,
    createdAt: new Date(FROM).toISOString(),
    ...(instanceId === undefined ? {} : { instanceId }),
    ...over,
  };
}

const week = (transactions: readonly Transaction[], names: ReadonlyMap<string, string> = NAMES): Spend =>
  spendOf(summed(NO_SUMS, transactions, { fromMs: FROM, toMs: TO }), names);
const shown = (amount: Amount | undefined): string => (amount ? formatAmount(amount) : 'nothing');
const usesOf = ({ uses }: Spend): string[] =>
  uses.map(({ id, name, used }) => `${name} (${id}) ${shown(used)}`);
const causesOf = ({ causes }: Change): string[] =>
  causes.map(
    ({ id, name, was, is, difference }) =>
      `${name} (${id}) ${shown(was)} → ${shown(is)}: ${shown(difference)}`,
  );

describe('what was spent', () => {
  test('is summed up by instance, most expensive first, apart from what was added', () => {
    const spend = week([
      one('-10.10', '101'),
      one('-5', '102'),
      one('5000'),
      one('-0.2', '101'),
      one('-1'),
      one('-3', ''),
      one('-7', '999'),
      one('0', '103'),
    ]);
    expect(usesOf(spend)).toEqual(['web-1 (101) 10.30', ' (999) 7', 'llm (102) 5', 'other (undefined) 4']);
    expect([spend.used, spend.added].map(shown)).toEqual(['26.30', '5,000']);
    expect(spend.unreadable).toBe(0);
  });

  test('begins at the first moment of the week and ends before the last', () => {
    const at = (ms: number): Transaction => one('-1', '101', { createdAt: new Date(ms).toISOString() });
    expect(shown(week([at(FROM - 1), at(FROM), at(TO - 1), at(TO)]).used)).toBe('2');
  });

  test('leaves out what can not be read, and says how much that is', () => {
    const spend = week([
      one('-1', '101'),
      one('1e3', '101'),
      one('-2', '101', { createdAt: 'soon' }),
      one('-4', '101', { createdAt: '7' }),
      one('?', '101', { createdAt: new Date(TO).toISOString() }),
    ]);
    expect([shown(spend.used), spend.unreadable]).toEqual(['1', 3]);
  });

  test('is exact past what a float can hold', () => {
    expect(shown(week([one('-9007199254740993'), one('-0.1'), one('-0.25')]).used)).toBe(
      '9,007,199,254,740,993.35',
    );
  });
});

describe('the change', () => {
  test('names the three largest causes, whichever way they go, and sums up the rest', () => {
    const change = changeOf(
      week([one('-140', '101'), one('-9', '103'), one('-3'), one('-2', '998')]),
      week([one('-100', '101'), one('-12', '102'), one('-5')]),
    );
    expect(causesOf(change)).toEqual([
      'web-1 (101) 100 → 140: 40',
      'llm (102) 12 → nothing: -12',
      'db-1 (103) nothing → 9: 9',
    ]);
    expect([change.difference, change.rest].map(shown)).toEqual(['37', '0']);
    expect(change.isWhole).toBe(true);
  });

  test('goes by name and then by id where causes are alike', () => {
    const names = new Map([
      ['1', 'b'],
      ['2', 'a'],
      ['3', 'a'],
      ['4', 'c'],
    ]);
    const spend = week(
      ['1', '2', '3', '4'].map((id) => one('-1', id)),
      names,
    );
    expect(changeOf(spend, week([])).causes.map(({ id }) => id)).toEqual(['2', '3', '1']);
  });

  test('keeps the name of an instance that only the week before knows', () => {
    const before = week([one('-1', '7')], new Map([['7', 'old']]));
    expect(changeOf(week([one('-2', '7')]), before).causes[0]?.name).toBe('old');
  });

  test('has no cause where every instance used what it used before', () => {
    const change = changeOf(week([one('-1.50', '101')]), week([one('-1.5', '101')]));
    expect([change.causes.length, shown(change.difference)]).toEqual([0, '0']);
  });

  test('is not whole where one of the weeks is not', () => {
    expect(changeOf(week([]), week([one('?')])).isWhole).toBe(false);
    expect(changeOf(week([one('?')]), week([])).isWhole).toBe(false);
  });
});

describe('for any transactions', () => {
  /** To compare many, which is far cheaper so. */
  const written = (value: unknown): string =>
    JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? String(part) : part));
  const IDS = ['101', '102', '103', '104', '105', undefined];
  const TIMES = [FROM - 1, TO, FROM, TO - 1, FROM + 1, FROM + 2].map((ms) => new Date(ms).toISOString());

  /** Cents with or without needless noughts, an instance and a time, all out of one number, since that is cheap. */
  const transaction = fc.nat(2_001 * 2 * 6 * 6 - 1).map((number) => {
    const cents = (number % 2_001) - 1_000;
    const [digits, which, when] = [2_001, 4_002, 24_012].map((by) => Math.floor(number / by));
    return {
      cents: when! < 2 ? 0 : cents,
      one: one((cents / 100).toFixed(2 + (digits! % 2)), IDS[which! % 6], { createdAt: TIMES[when!]! }),
    };
  });
  const transactions = fc.array(transaction, { maxLength: 6 });

  test('the sums are exact, and the uses and causes make them up, in whatever order they come', () => {
    const total = (parts: readonly number[]): Amount => ({
      units: BigInt(parts.reduce((all, part) => all + part, 0)),
      scale: 2,
    });
    fc.assert(
      fc.property(transactions, transactions, fc.nat(6), (some, others, turn) => {
        const said = some.map((each) => each.one);
        const [now, before] = [week(said), week(others.map((each) => each.one))];
        const change = changeOf(now, before);
        const sums: [Amount, Amount][] = [
          [now.used, total(some.map(({ cents }) => Math.max(0, -cents)))],
          [now.added, total(some.map(({ cents }) => Math.max(0, cents)))],
          [now.used, sum(now.uses.map(({ used }) => used))],
          [now.used, add(before.used, change.difference)],
          [change.difference, add(change.rest, sum(change.causes.map(({ difference }) => difference)))],
        ];
        expect(sums.every(([is, wanted]) => compare(is, wanted) === 0)).toBe(true);
        expect(change.causes.length).toBeLessThanOrEqual(3);
        const turned = week([...said.slice(turn), ...said.slice(0, turn)].toReversed());
        expect(written([turned, changeOf(turned, before)])).toBe(written([now, change]));
      }),
      { numRuns: RULE_RUNS },
    );
  });
});
