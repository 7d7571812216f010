import { describe, expect, it } from 'vitest';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { instance, worldOf } from '../../sandbox/world.ts';
import { answerTo, play } from '../support/sandbox.ts';

const FINANCE = { LAMPLIGHTER_EVERYONE: 'finance' };

const balance = (sandbox: Sandbox): Promise<string> => answerTo(sandbox, 'fin', '/billing');

/** What `/billing` says where the service answers these words for the balance. */
async function balanceFor(sandbox: Sandbox, body: string): Promise<string> {
  sandbox.hosting.breakBalance('harbour', { answer: 200, done: true, body });
  return balance(sandbox);
}

describe('an amount that a person reads', () => {
  it('is exactly 0.3 after a purchase of 0.1 and one of 0.2', async () => {
    const topUps = [
      { daysAgo: 2, credits: 0.1 },
      { daysAgo: 1, credits: 0.2 },
    ];
    const world = worldOf([instance(1, 'idle', { status: 'stopped' })], { balanceCredits: 0.3, topUps });
    const sandbox = await play({ env: FINANCE, hosting: { world } });
    expect(await balance(sandbox)).toContain('💰 0.3 credits ·');
    const transactions = await answerTo(sandbox, 'fin', '/billing transactions');
    expect(transactions).toContain('0 before, 0.3 added, 0 used, 0.3 after.');
    expect(transactions).toMatch(/\+0\.2 +\| 0\.3 /);
    expect(transactions).not.toContain('add up');
  });

  it('is the balance to its last digit, as the service wrote it', async () => {
    const sandbox = await play({ env: FINANCE });
    for (const [written, read] of [
      ['"9007199254740993"', '9,007,199,254,740,993'],
      ['"12.30"', '12.30'],
      ['12.5', '12.5'],
      ['"0.3"', '0.3'],
      ['0.30000000000000004', '0.3'],
      ['0', '0'],
      ['-12', '-12'],
      ['"-0.05"', '-0.05'],
      ['" 1500 "', '1,500'],
    ]) {
      const text = await balanceFor(sandbox, `{"data":{"claws_balance":${written}}}`);
      expect(text).toContain(`💰 ${read} credits ·`);
    }
  });

  it('is reported as not read where it is none, or none for certain', async () => {
    const sandbox = await play({ env: FINANCE });
    for (const data of [
      '{"claws_balance":9007199254740993}',
      '{"claws_balance":0.1234567890123456}',
      '{"claws_balance":1e21}',
      '{"claws_balance":null}',
      '{"claws_balance":"NaN"}',
      '{"claws_balance":"Infinity"}',
      '{"claws_balance":"1e3"}',
      '{"claws_balance":"1,500"}',
      '{"claws_balance":""}',
      '{"claws_balance":true}',
      '{"claws_balance":NaN}',
      '{"daily_claw_cost":5}',
      'null',
    ]) {
      const text = await balanceFor(sandbox, `{"data":${data}}`);
      expect(text).toBe(
        "I couldn't read the balance: the hosting service answered, but with no amount that I can read for certain. That doesn't mean that it is empty; look at its own dashboard.",
      );
    }
  });

  it('is missing where only the cost of a day cannot be read, and so is how long the balance lasts', async () => {
    const sandbox = await play({ env: FINANCE });
    const text = await balanceFor(sandbox, '{"data":{"claws_balance":1500,"daily_claw_cost":"NaN"}}');
    expect(text).toContain('💰 1,500 credits · the service does not say what a day costs');
    expect(text).not.toContain('NaN');
  });

  it('is below zero for who is overdrawn', async () => {
    const sandbox = await play({ env: FINANCE, customer: 'overdrawn' });
    expect(await balance(sandbox)).toContain('💰 -45 credits · 0 credits a day · nothing is left');
    expect(await answerTo(sandbox, 'fin', '/billing transactions')).toMatch(/-400 +\| -45 /);
  });

  it('keeps its cents in a cost, a sum and a statement', async () => {
    const sandbox = await play({ env: FINANCE, customer: 'to-the-cent' });
    expect(await balance(sandbox)).toContain('💰 12.3 credits · 0.35 credits a day · about 35 days');
    expect(await answerTo(sandbox, 'fin', '/billing transactions')).toContain('1.05 used, 12.3 after.');
  });
});

describe('a balance that the service fails to give', () => {
  it('is reported as the failure that it is, and shown once the service is well', async () => {
    const sandbox = await play({ env: FINANCE, customer: 'unreadable' });
    expect(await balance(sandbox)).toContain(
      'Billing balance: The hosting service answered with an error (500). The service said: "Something went wrong". Try again',
    );
    sandbox.hosting.mendBalance('unreadable');
    expect(await balance(sandbox)).toContain('💰 1,000 credits · 10 credits a day');
  });
});

describe('a balance that runs dry', () => {
  it('lasts a day less each day, until nothing is left and everything is paused', async () => {
    const sandbox = await play({ env: FINANCE, customer: 'draining' });
    expect(await balance(sandbox)).toContain('💰 900 credits · 300 credits a day · about 3 days left');
    sandbox.hosting.passDays(2);
    expect(await balance(sandbox)).toContain('💰 300 credits · 300 credits a day · about 1 day left');
    sandbox.hosting.passDays(1);
    expect(await balance(sandbox)).toContain('💰 0 credits · 0 credits a day · nothing is left');
    expect(await answerTo(sandbox, 'fin', '/instances')).toContain('pump (501) · paused');
  });
});

describe('the cost of many', () => {
  it('is at least what is known, where the service does not give it for each of the others', async () => {
    const sandbox = await play({ env: FINANCE });
    const instances = Array.from({ length: 60 }, (_, index) => ({
      id: index,
      name: `m-${index}`,
      ...(index < 55 ? { daily_claws: 100 - index } : {}),
    }));
    const body = JSON.stringify({ data: { instances, addons: [] } });
    sandbox.hosting.failNext({ path: /usage$/ }, { answer: 200, done: true, body });
    const text = await answerTo(sandbox, 'fin', '/billing usage');
    expect(text).toContain('Instances cost at least 4,015 credits a day');
    expect(text).toContain('11 that cost less, or whose cost is unknown, are summed up as others.');
    expect(text).toMatch(/11 others +\| at least 291/);
  });
});
