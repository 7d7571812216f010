import { expect, it } from 'vitest';
import type { Adapter } from '../../src/platform/hosting/adapter.ts';
import { adapter as digitalocean } from '../../src/platform/hosting/adapters/digitalocean.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { answerTo } from '../support/sandbox.ts';
import { playOn } from './play-on.ts';

const EVERYBODY = { LAMPLIGHTER_EVERYONE: 'admin' };

/** The bot at a cloud that says in which currency its amounts are. */
async function playIn(said: string, env: Readonly<Record<string, string>> = {}): Promise<Sandbox> {
  const { billing } = digitalocean;
  if (billing?.kind !== 'postpaid') throw new Error('it is paid afterwards');
  const { spending, charges } = billing;
  const saying: Adapter['billing'] = {
    ...billing,
    spending: { ...spending, decode: (answer) => ({ ...spending.decode(answer), currency: said }) },
    ...(charges
      ? { charges: { ...charges, item: (record) => ({ ...charges.item(record), currency: said }) } }
      : {}),
  };
  const options = { env: { ...EVERYBODY, ...env }, adapter: { billing: saying } };
  return (await playOn('digitalocean', {}, options)).sandbox;
}

it('an account that is billed in another currency than most is told of in its own', async () => {
  const sandbox = await playIn('EUR', { BILLING_CURRENCY: 'EUR' });
  expect(await answerTo(sandbox, 'ana', '/billing')).toMatch(/\d EUR/);
  expect(await answerTo(sandbox, 'ana', '/billing')).not.toContain('USD');
  expect(await answerTo(sandbox, 'ana', '/billing alerts set budget 200 USD')).toContain('200 EUR');
  expect(await answerTo(sandbox, 'ana', '/billing alerts set budget 200 EUR')).toContain('200 EUR');
});

it('an amount that the service says is in another currency is never told as one of the account’s', async () => {
  const sandbox = await playIn('EUR');
  for (const line of ['/billing', '/billing usage', '/billing month', '/billing forecast']) {
    const answer = await answerTo(sandbox, 'ana', line);
    expect(answer).not.toMatch(/[1-9][\d.,]* (?:USD|EUR)/);
  }
  expect(sandbox.logs.join('\n')).toContain(
    'an amount in another currency than USD: BILLING_CURRENCY says which it is',
  );
});
