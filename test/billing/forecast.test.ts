import { describe, expect, it } from 'vitest';
import { withDays } from '../support/ledger-days.ts';
import { answerTo, readAll } from '../support/sandbox.ts';

const MONTH = new Intl.DateTimeFormat('en', { month: 'long', timeZone: 'UTC' });
const isLastDay = (): boolean => new Date(Date.now() + 86_400_000).getUTCDate() === 1;

describe('from days of spending', () => {
  it('the balance says when it is empty as a range, and from how many days', async () => {
    const sandbox = await withDays(42);
    const text = await answerTo(sandbox, 'fin', '/billing');
    expect(text).toMatch(
      /about (?:\d+ to )?\d+ days left(?:, empty| \(most likely \d+, empty) [A-Z][a-z]{2} \d+.*, from 4[0-2] days of spending/,
    );
  });

  it('an alert says the same as the balance, and not one number beside it', async () => {
    const sandbox = await withDays(42, {
      env: { BILLING_WARN: '900d', BILLING_CHANNELS: 'C0OPS000001' },
      timings: { billingCheckEveryMs: 1_000 },
    });
    const card = await sandbox.slack.until(() =>
      readAll(sandbox).find((text) => text.includes('The balance is')),
    );
    const said = /about (?:\d+ to )?\d+ days left.*?, from \d+ days of spending/;
    const [left] = said.exec(card) ?? [];
    expect(left).toBeDefined();
    expect(await answerTo(sandbox, 'fin', '/billing')).toContain(left);
  });

  it('below ten days the balance says what it is at the cost of today, and the forecast that it needs ten', async () => {
    const sandbox = await withDays(9);
    expect(await answerTo(sandbox, 'fin', '/billing')).toMatch(/credits a day · about \d+ days left, empty/);
    const text = await answerTo(sandbox, 'fin', '/billing forecast');
    expect(text).toContain('I know what 9 days cost so far; I give a range from 10 days on.');
    expect(text).toMatch(/About [\d,]+ credits more by [A-Z][a-z]{2} \d+, \d{4} at today's cost\./);
  });

  it.each(['/billing forecast', '/billing forecasts'])(
    '%s says what the month comes to as a range',
    async (line) => {
      const sandbox = await withDays(70);
      const text = await answerTo(sandbox, 'fin', line);
      expect(text).toContain(`📈 ${MONTH.format(Date.now())} comes to `);
      // On its last day what is left of a month may be too little for a range.
      expect(text).toMatch(isLastDay() ? /comes to (?:about|.* most likely) / : /credits, most likely /);
      expect(text).toMatch(/from (?:69|70) days of spending/);
      expect(text).toMatch(/[A-Z][a-z]+ cost (?:at least )?\d\d,\d{3} credits\./);
    },
  );
});
