import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type AskedBudget, parseBudget } from '../../../src/features/billing/budget/budget-words.ts';
import { type Budget, dueOf, reachedBy, withTold } from '../../../src/features/billing/budget/budgets.ts';
import { listMessage } from '../../../src/features/billing/budget/messages.ts';
import { Refusal } from '../../../src/core/refusal.ts';
import { say, toPlainText } from '../../../src/platform/slack/phrase.ts';
import { anyText } from '../../support/any-text.ts';
import { PURE_RUNS, RULE_RUNS } from '../../support/runs.ts';

const read = (words: readonly string[]): AskedBudget =>
  parseBudget(
    words,
    [
      { name: 'web', filter: '' },
      { name: 'staging', filter: '' },
    ],
    'credits',
  );
const spending = (spent: number, likely?: number) => ({
  spent: { units: BigInt(spent), scale: 0 },
  likely: likely === undefined ? undefined : { units: BigInt(likely), scale: 0 },
  lines: [],
  isAtLeast: false,
  source: 'the transactions of the service',
  asOf: 0,
});

test.each(['staging off', 'staging off at 80', 'staging off now'])(
  '"%s" is no amount, and "off" is offered by itself',
  (line) => {
    const asked = (): AskedBudget => read(line.split(' '));
    expect(asked).toThrow(Refusal);
    try {
      asked();
    } catch (error) {
      const { answer, instead } = error as Refusal;
      expect(JSON.stringify(answer)).toContain('To turn a budget off, name no channel and no percents.');
      expect(instead([])).toEqual([['staging', 'off']]);
    }
  },
);

test('a budget that is typed is read as what it says, each part once and in order', () => {
  const part = fc.oneof(fc.integer({ min: 1, max: 500 }), fc.constant('pace' as const));
  fc.assert(
    fc.property(
      fc.constantFrom('web', 'staging', 'all'),
      fc.integer({ min: 1, max: 999_999_999 }),
      fc.uniqueArray(part, { minLength: 1, maxLength: 10 }),
      fc.constantFrom('', '%'),
      fc.constantFrom(' ', ', ', ' and '),
      (group, amount, at, percent, between) => {
        const parts = at.map((one) => (one === 'pace' ? one : `${one}${percent}`)).join(between);
        const line = `${group.toUpperCase()} ${amount} credits at ${parts}`;
        const percents = at.filter((one) => one !== 'pace').toSorted((one, other) => one - other);
        expect(read(line.split(' '))).toEqual({
          group,
          amount: String(amount),
          at: [...percents.map(String), ...(at.includes('pace') ? ['pace'] : [])],
        });
      },
    ),
    { numRuns: RULE_RUNS },
  );
  expect(read(['web', '1,500.50'])).toEqual({
    group: 'web',
    amount: '1500.50',
    at: ['80', '100', 'pace'],
  });
});

test('whatever is typed is a budget, or refused in words', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(anyText(), fc.constantFrom('web', '500', 'at', 'pace', 'off', '80'))),
      (words) => {
        try {
          const asked = read(words);
          expect(['web', 'staging', 'all']).toContain(asked.group);
        } catch (error) {
          expect(error).toBeInstanceOf(Refusal);
        }
      },
    ),
    { numRuns: PURE_RUNS },
  );
});

test('of a month that only grows each part is told once, on the day on which it is reached', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 1_000 }),
      fc.uniqueArray(fc.integer({ min: 1, max: 200 }).map(String), { maxLength: 5 }),
      fc.array(fc.nat(100), { maxLength: 30 }),
      (amount, at, costs) => {
        let budget: Budget = { group: 'web', amount: String(amount), at, by: 'U1', setAt: 0 };
        const told: string[] = [];
        let spent = 0;
        for (const cost of costs) {
          spent += cost;
          const due = dueOf(budget, '2026-11', spending(spent));
          budget = withTold(budget, '2026-11', due);
          told.push(...due);
          expect(new Set(told)).toEqual(new Set(at.filter((one) => spent * 100 >= amount * Number(one))));
        }
        expect(new Set(told).size).toBe(told.length);
        expect(dueOf(budget, '2026-12', spending(spent))).toEqual(reachedBy(budget, spending(spent)));
      },
    ),
    { numRuns: RULE_RUNS },
  );
});

test('the pace is reached where the month is likely to cost more than the budget, and not by as much', () => {
  const budget = { amount: '500', at: ['pace'] };
  expect(reachedBy(budget, spending(10))).toEqual([]);
  expect(reachedBy(budget, spending(10, 500))).toEqual([]);
  expect(reachedBy(budget, spending(10, 501))).toEqual(['pace']);
});

test('what has cost at least so much is said with a space before the figure', () => {
  const budget: Budget = { group: 'web', amount: '100', at: ['80'], by: 'U0ANA000001', setAt: 0 };
  const listed = { budget, spending: { ...spending(20), isAtLeast: true }, isKnown: true, where: say`here` };
  const { bullets = [] } = listMessage([listed], { unit: 'credits', now: 0, month: '1970-01' });
  expect(bullets.map(toPlainText).join()).toContain('has cost at least 20 credits so far');
});
