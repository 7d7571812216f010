import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatAmount, parseAmount, ZERO } from '../../src/core/money/amount.ts';
import { forecastOf } from '../../src/features/billing/postpaid/forecast.ts';
import { spendingMessage } from '../../src/features/billing/postpaid/messages.ts';
import { toPlainText } from '../../src/platform/slack/phrase.ts';
import { runs } from '../support/runs.ts';

const NOW = Date.UTC(2026, 10, 16);

/** What a person reads of it. `owed`: from before. */
function read(soFar: string, owed?: string, now = NOW): string {
  const monthSoFar = parseAmount(soFar) ?? ZERO;
  const { lines } = spendingMessage({
    currency: 'USD',
    monthSoFar,
    owedBefore: parseAmount(owed),
    budget: undefined,
    forecast: forecastOf(monthSoFar, now),
    remark: 'A stopped Droplet still costs.',
    asOf: now,
    details: [],
  });
  return lines.map(toPlainText).join('\n');
}

test('half a month is shown with what the whole comes to', () => {
  expect(read('12.50')).toMatch(/^🧾 12\.50 USD this month so far · about 25 USD by .*30/);
  expect(read('12.50')).toContain('Billed monthly in arrears. A stopped Droplet still costs.');
});

test('credit that is left after this month is called credit, and what is owed is called owed', () => {
  expect(read('12.50', '-40.00')).toContain('After that, 27.50 USD of credit is left.');
  expect(read('12.50', '-10.00')).toContain(
    '10 USD of credit counts against it, so 2.50 USD is owed in all.',
  );
  expect(read('12.50', '79.48')).toContain('79.48 USD is owed from before, so 91.98 USD is owed in all.');
  for (const nothing of [undefined, '0.00']) expect(read('12.50', nothing)).not.toMatch(/credit|owed/);
});

test('nothing is forecast on the first day of a month', () => {
  expect(read('12.50', undefined, Date.UTC(2026, 10, 1, 23, 59))).toMatch(
    /^🧾 12\.50 USD this month so far$/m,
  );
});

test('a forecast is never less than what is spent already, and is that on the last moment', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 0n, max: 10n ** 12n }),
      fc.date({ min: new Date('2024-01-02'), max: new Date('2030-12-31'), noInvalidDate: true }),
      (units, date) => {
        const now = date.getTime();
        const forecast = forecastOf({ units, scale: 2 }, now);
        if (!forecast) return date.getUTCDate() === 1;
        const isEnough = forecast.amount.units * 100n >= units;
        const atEnd = forecastOf({ units, scale: 2 }, forecast.until);
        const whole = (units + 99n) / 100n;
        const isClose = atEnd && atEnd.amount.units - whole <= 1n + units / 10n ** 9n;
        return isEnough && forecast.until >= now && isClose;
      },
    ),
    { numRuns: runs(5_000) },
  );
  expect(formatAmount(forecastOf({ units: 100n, scale: 2 }, NOW)?.amount ?? ZERO)).toBe('2');
});
