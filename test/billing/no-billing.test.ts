import { describe, expect, it } from 'vitest';
import type { Sandbox, SandboxOptions } from '../../sandbox/sandbox.ts';
import { play, readAll } from '../support/sandbox.ts';
import { asks, looks, OPS, reads } from './watching.ts';
import { askUntil } from '../support/until.ts';

const NOT_OFFERED = "This hosting service doesn't offer a balance";
const SUMMARY = /\/billing\/summary$/;

const poor = (options: SandboxOptions = {}): Promise<Sandbox> =>
  play({
    customer: 'no-billing',
    ...options,
    env: { LAMPLIGHTER_EVERYONE: 'finance', BILLING_CHANNELS: OPS, ...options.env },
  });

describe('a hosting service without a balance', () => {
  it('is said to have none, is not asked again, and raises no alert', async () => {
    const sandbox = await poor({
      timings: { billingCheckEveryMs: 30, unknownAfterMs: 1, sweepEveryMs: 50 },
    });
    expect(await asks(sandbox, '/billing')).toContain(NOT_OFFERED);
    expect(await asks(sandbox, '/billing')).toContain(NOT_OFFERED);
    // The first look of its own comes when the machine has time for it.
    await askUntil(
      () => asks(sandbox, '/billing alerts'),
      (text) => text.includes(NOT_OFFERED),
    );
    const calls = sandbox.hosting.countCalls('GET', SUMMARY);
    // Each answer is later than a look that began before it.
    for (let round = 0; round < 5; round++)
      expect(await asks(sandbox, '/billing alerts')).toContain(
        "This hosting service doesn't offer a balance, so there is nothing to warn of.",
      );
    expect(sandbox.hosting.countCalls('GET', SUMMARY)).toBe(calls);
    expect(readAll(sandbox)).toEqual([]);
  });

  it('is said in words by usage, transactions, their file, and what stopping would bring', async () => {
    const sandbox = await poor();
    expect(await asks(sandbox, '/billing usage')).toBe("This hosting service doesn't offer usage figures.");
    for (const line of ['/billing transactions', '/billing transactions --csv'])
      expect(await asks(sandbox, line)).toBe("This hosting service doesn't offer a list of transactions.");
    expect(await asks(sandbox, '/billing buy-time')).toContain(NOT_OFFERED);
  });

  it.each([405, 501])('is one whose very first answer is %i', async (answer) => {
    const sandbox = await poor({ customer: 'harbour' });
    sandbox.hosting.breakBalance('harbour', { answer, done: false });
    const text = await asks(sandbox, '/billing');
    expect(text).toContain(NOT_OFFERED);
    expect(text).toContain('Usage');
    expect(sandbox.hosting.countCalls('GET', SUMMARY)).toBe(1);
  });

  it('is not taken for one that had a balance before: then it is a fault, and blindness is reported', async () => {
    const sandbox = await poor({
      customer: 'harbour',
      timings: { billingCheckEveryMs: 30, unknownAfterMs: 100, sweepEveryMs: 50 },
    });
    expect(await asks(sandbox, '/billing')).toContain('6,300 credits');
    sandbox.hosting.breakBalance('harbour', { answer: 404, done: false });
    expect(await asks(sandbox, '/billing')).not.toContain(NOT_OFFERED);
    await reads(sandbox, /haven't been able to tell/);
  });

  it('is not taken for one by a bot that starts again while the balance is answered 404', async () => {
    const sandbox = await poor({
      customer: 'harbour',
      timings: { billingCheckEveryMs: 30, unknownAfterMs: 100, sweepEveryMs: 50 },
    });
    await looks(sandbox);
    await sandbox.stopBots();
    sandbox.hosting.breakBalance('harbour', { answer: 404, done: false });
    await sandbox.startBot();
    await reads(sandbox, /haven't been able to tell/);
  });
});
