import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { compare, parseAmount, toDecimal, ZERO } from '../../src/core/money/amount.ts';
import { isCurrency, parsePriced } from '../../src/core/money/typed.ts';
import { Refusal } from '../../src/core/refusal.ts';
import { type Alarm, NO_ALARM } from '../../src/features/billing/alerts/alarm.ts';
import { judge, type Rules } from '../../src/features/billing/alerts/judge.ts';
import { monthIn } from '../../src/features/billing/alerts/seen.ts';
import { readBudget } from '../../src/features/billing/postpaid/budget.ts';
import { budgetMeasure } from '../../src/features/billing/postpaid/budget-face.ts';
import { runs } from '../support/runs.ts';
import { posted, rulesOf } from './judged.ts';

describe('a budget as it is typed', () => {
  it.each([
    ['200', '200', undefined],
    ['200 EUR', '200', 'EUR'],
    ['eur 200', '200', 'EUR'],
    ['€200', '200', '€'],
    ['200€', '200', '€'],
    ['1,500.50 usd', '1500.50', 'USD'],
    ['US$20', '20', 'US$'],
    ['12,000,000', '12000000', undefined],
  ])('%s is %s, called %s', (typed, amount, called) => {
    const priced = parsePriced(typed);
    expect(priced && [toDecimal(priced.amount), priced.called]).toEqual([amount, called]);
  });

  it('is never taken for another amount than the one that was typed', () => {
    const amount = fc.tuple(fc.integer({ min: 0, max: 9_999_999 }), fc.integer({ min: 0, max: 99 }));
    const called = fc.constantFrom('USD', 'usd', '$', 'US$', '');
    fc.assert(
      fc.property(amount, called, fc.boolean(), fc.boolean(), ([whole, cents], name, isBefore, isGrouped) => {
        const typed = isGrouped ? whole.toLocaleString('en-US') : String(whole);
        const decimal = `${whole}.${String(cents).padStart(2, '0')}`;
        const number = `${typed}.${String(cents).padStart(2, '0')}`;
        const priced = parsePriced(isBefore ? `${name} ${number}`.trim() : `${number} ${name}`.trim());
        if (whole + cents === 0) return priced === undefined;
        return (
          priced !== undefined && toDecimal(priced.amount) === decimal && isCurrency('USD', priced.called)
        );
      }),
      { numRuns: runs(5_000) },
    );
  });

  it('is more than nothing, or refused in words, whatever is typed', () => {
    const text = fc.oneof(
      fc.string(),
      fc.string({ unit: fc.constantFrom(...'0123456789.,- €$USDEUR') }),
      fc.string({ unit: 'grapheme' }),
    );
    fc.assert(
      fc.property(text, (typed) => {
        try {
          const read = parseAmount(readBudget(typed, { name: 'Example Cloud', currency: 'USD' }));
          return read !== undefined && compare(read, ZERO) > 0;
        } catch (error) {
          return error instanceof Refusal;
        }
      }),
      { numRuns: runs(5_000) },
    );
  });
});

const rules = (id: number, budget: string): Rules =>
  rulesOf(budgetMeasure(budget), { newId: `episode-${id}` });

test('one wild answer uses up no budget, and two do', () => {
  const at = Date.UTC(2026, 9, 20);
  const amounts = ['10.00', '9000.00', '10.10', '10.20', '9000.00', '9000.00'];
  let alarm: Alarm = NO_ALARM;
  const levels = amounts.map((monthSoFar, index) => {
    alarm = judge(alarm, { monthSoFar, at: at + index }, rules(index, '200'), at + index);
    return alarm.level;
  });
  expect(levels).toEqual(['ok', 'ok', 'ok', 'ok', 'ok', 'empty']);
});

test('each thing that is reached of a budget is reported once a month, and never from a failed look', () => {
  const step = fc.record({
    hours: fc.integer({ min: 1, max: 60 }),
    cents: fc.integer({ min: 0, max: 2_500 }),
    isRead: fc.boolean(),
    budget: fc.constantFrom('200', '200', '200', '300'),
  });
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 40, size: 'max' }), (steps) => {
      let alarm: Alarm = NO_ALARM;
      let now = Date.UTC(2026, 9, 28);
      let cents = 0;
      let before = '';
      const said = new Set<string>();
      for (const [index, one] of steps.entries()) {
        const month = new Date(now).getUTCMonth();
        now += one.hours * 3_600_000;
        const isNew = new Date(now).getUTCMonth() !== month;
        cents = isNew ? one.cents : cents + one.cents;
        const budget = one.budget;
        const look = one.isRead ? { monthSoFar: (cents / 100).toFixed(2), at: now } : undefined;
        let { alarm: after, posts } = posted(judge(alarm, look, rules(index, budget), now));
        // What contradicts the reading before is read again.
        if (look && after.doubt)
          ({ alarm: after, posts } = posted(judge(after, look, rules(index, budget), now)));
        const ofMoney = posts.filter(({ kind }) => kind === 'card' || kind === 'worse');
        const term = `${new Date(now).toISOString().slice(0, 7)} ${budget}`;
        // Another budget in between is another alert.
        if (term !== before && one.isRead) said.clear();
        if (one.isRead) before = term;
        if (!one.isRead && ofMoney.length > 0) return false;
        for (const { seen } of ofMoney) {
          const reached = (monthIn(seen)?.reached ?? []).join();
          if (said.has(reached) || reached === '') return false;
          said.add(reached);
        }
        const isFirstDay = new Date(now).getUTCDate() === 1;
        const isUsedUp = look && cents >= Number(budget) * 100;
        if (isUsedUp && !isFirstDay && after.level !== 'empty') return false;
        if (look && cents * 100 < Number(budget) * 8_000 && new Date(now).getUTCDate() <= 5)
          if (ofMoney.some(({ kind }) => kind === 'card')) return false;
        alarm = after;
      }
      return true;
    }),
    { numRuns: runs(5_000) },
  );
});
