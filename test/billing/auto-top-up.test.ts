import { expect, it } from 'vitest';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { linksOf } from '../support/links.ts';
import { readAll } from '../support/sandbox.ts';
import { aboutLeft, asks, find, looks, reads, says, setDays, watch } from './watching.ts';

const PAGE = 'https://console.example.com/billing';

/** A sandbox whose hosting company tops the balance up, so it is said. */
const toppedUp = (): Promise<Sandbox> =>
  watch({ env: { BILLING_AUTO_TOPUP: 'yes', BILLING_TOPUP_URL: PAGE } });

it('says of a balance that is topped up how long it would last without, and promises nothing', async () => {
  const sandbox = await toppedUp();
  const balance = await asks(sandbox, '/billing');
  expect(balance).toMatch(
    /it is topped up automatically; without that it would last about 9 days, until \w+ \d+, \d+/,
  );
  expect(balance).not.toMatch(/left, empty/);
  await sandbox.slack.person('admin').types('#ops', '/lamplighter doctor');
  await sandbox.slack.until(() => sandbox.slack.dump().includes('BILLING_AUTO_TOPUP says that'));
});

it('says nothing while a top-up is still due, then once that none has come, and once that it has', async () => {
  const sandbox = await toppedUp();
  await looks(sandbox);
  setDays(sandbox, 4);
  await looks(sandbox);
  expect(await says(sandbox, 'I alert once')).toMatch(
    /below 2 days and no top-up has come, until it is above 5 days again.*The balance isn't critical/s,
  );
  expect(readAll(sandbox)).toEqual([]);
  setDays(sandbox, 1.5);
  const [card] = await reads(
    sandbox,
    /The balance is critical, and no top-up has come: about (?:[12] days?|1 to \d+ days) left/,
  );
  expect(card).toContain("I haven't seen an automatic top-up come. Check the payment method");
  expect(linksOf(find(sandbox, /is critical/))).toEqual([['Top up', PAGE]]);
  await looks(sandbox);
  expect(readAll(sandbox)).toHaveLength(1);
  setDays(sandbox, 40);
  await reads(sandbox, /The balance is fine again: it rose by [\d,]+ credits/);
  await looks(sandbox);
  expect(readAll(sandbox)).toHaveLength(2);
  setDays(sandbox, 0);
  await reads(sandbox, /No automatic top-up has come: the balance last rose /);
});

it('says of a top-up that is not enough that the balance rose, and is over only once nothing is low', async () => {
  const sandbox = await toppedUp();
  setDays(sandbox, 1);
  await reads(sandbox, /is critical, and no top-up has come/);
  setDays(sandbox, 1.5);
  await reads(sandbox, /is critical, although it rose.*last rose .* but not by enough/s);
  setDays(sandbox, 4);
  await reads(sandbox, new RegExp(`The balance is still low: ${aboutLeft(4)}`));
  await looks(sandbox);
  expect(readAll(sandbox)).toHaveLength(1);
  setDays(sandbox, 40);
  await reads(sandbox, /it rose by/);
});
