import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { gainsOf } from '../../src/features/billing/buy-time/messages.ts';
import type { Amount } from '../../src/core/money/amount.ts';
import { play, powerCalls, privateMessage, readAll } from '../support/sandbox.ts';
import { RULE_RUNS } from '../support/runs.ts';

const whole = (value: number | bigint): Amount => ({ units: BigInt(value), scale: 0 });

describe('buying time', () => {
  it('shows what stopping each would bring, asks about the one that is picked, and stops it once', async () => {
    const sandbox = await play({ env: { LAMPLIGHTER_EVERYONE: 'admin' }, customer: 'draining' });
    const ana = sandbox.slack.person('ana');
    await ana.types('#ops', '/billing buy-time');
    const preview = await privateMessage(sandbox, 'ana', 'What stopping one saves at most');
    expect(sandbox.slack.read(preview)).toMatch(/900 credits · 300 credits a day · about 3 days left/);
    expect(sandbox.slack.read(preview)).toMatch(/\(50[12]\): \d+ credits a day, [\d.]+ days more/);
    const [, label = ''] = /\[ (Stop [^|\]]+?) [|\]]/.exec(sandbox.slack.read(preview)) ?? [];
    await ana.presses(preview, label);
    const question = await privateMessage(sandbox, 'ana', 'It was picked to save credits');
    expect(sandbox.slack.read(question)).toContain('Nothing has been done yet');
    await sandbox.settled();
    expect(powerCalls(sandbox)).toBe(0);

    await ana.presses(question, 'Stop');
    await ana.presses(question, 'Stop');
    await sandbox.settled();
    expect(powerCalls(sandbox, 'stop')).toBe(1);
    expect(readAll(sandbox)[0]).toMatch(/^✅ Stopped/);
  });

  it('shows finance the figures alone, with nothing that stops', async () => {
    const sandbox = await play({ env: { LAMPLIGHTER_EVERYONE: 'finance' }, customer: 'draining' });
    await sandbox.slack.person('fin').types('#ops', '/billing buy-time');
    const preview = await privateMessage(sandbox, 'fin', 'What stopping one saves at most');
    expect(sandbox.slack.read(preview)).not.toContain('[ Stop');
    expect(powerCalls(sandbox)).toBe(0);
  });
});

it('never promises more days than the balance has at the cost that is left', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 0n, max: 10n ** 12n }),
      fc.bigInt({ min: 1n, max: 10n ** 6n }),
      fc.bigInt({ min: 0n, max: 10n ** 6n }),
      (balance, perDay, saved) => {
        const [gain] = gainsOf({ balance: whole(balance), perDay: whole(perDay) }, [
          { id: '1', name: 'web-1', perDay: whole(saved) },
        ]);
        if (typeof gain?.tenths !== 'bigint' || saved >= perDay) return;
        const before = (balance * 10n) / perDay;
        const after = (balance * 10n) / (perDay - saved);
        expect(gain.tenths >= 0n && before + gain.tenths <= after).toBe(true);
      },
    ),
    { numRuns: RULE_RUNS },
  );
});
