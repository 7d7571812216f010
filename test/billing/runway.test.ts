import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runwayOf } from '../../src/features/billing/balance/reading.ts';
import { amountOf } from '../../src/features/billing/ledger/daily-costs.ts';
import { RULE_RUNS } from '../support/runs.ts';

const NOW = Date.UTC(2026, 10, 20, 12);
const DAY_MS = 86_400_000;

test.each([
  ['1500', '225', { lasts: 'days', days: 6, emptyAt: NOW + Math.floor((1500 / 225) * DAY_MS) }],
  ['0.3', '0.1', { lasts: 'days', days: 3, emptyAt: NOW + 3 * DAY_MS }],
  ['1', '100', { lasts: 'days', days: 0, emptyAt: NOW + DAY_MS / 100 }],
  ['9007199254740993', '9007199254740993', { lasts: 'days', days: 1, emptyAt: NOW + DAY_MS }],
  ['0', '10', { lasts: 'empty' }],
  ['-12.30', '10', { lasts: 'empty' }],
  ['10', '0', { lasts: 'free' }],
  ['10', '-1', { lasts: 'negative cost' }],
  ['9007199254740993', '1', { lasts: 'without end' }],
])('%s at %s a day', (balance, perDay, runway) => {
  expect(runwayOf(amountOf(balance), amountOf(perDay), NOW)).toEqual(runway);
});

test('what a day costs is not guessed where the service does not say it', () => {
  expect(runwayOf(amountOf('10'), undefined, NOW)).toEqual({ lasts: 'unknown' });
});

test('a balance never lasts less for being higher, nor longer for a higher cost', () => {
  const cents = fc.integer({ min: 1, max: 1_000_000 });
  const of = (balance: number, perDay: number): number => {
    const runway = runwayOf({ units: BigInt(balance), scale: 2 }, { units: BigInt(perDay), scale: 1 }, NOW);
    return runway.lasts === 'days' ? runway.emptyAt : Number.POSITIVE_INFINITY;
  };
  fc.assert(
    fc.property(cents, cents, cents, (balance, perDay, more) => {
      expect(of(balance + more, perDay)).toBeGreaterThanOrEqual(of(balance, perDay));
      expect(of(balance, perDay + more)).toBeLessThanOrEqual(of(balance, perDay));
      expect(of(balance, perDay)).toBeGreaterThanOrEqual(NOW);
    }),
    { numRuns: RULE_RUNS },
  );
});
