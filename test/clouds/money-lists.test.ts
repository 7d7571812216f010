import { describe, expect, it, test } from 'vitest';
import type { MoneyEntry } from '../../sandbox/clouds/money.ts';
import { adapter as digitalocean } from '../../src/platform/hosting/adapters/digitalocean.ts';
import { adapter as vultr } from '../../src/platform/hosting/adapters/vultr.ts';
import { billLines } from '../../src/features/billing/postpaid/bills.ts';
import { answerTo, botMessages, privateTexts } from '../support/sandbox.ts';
import { checkWords, playMonth } from './month.ts';
import { playOn } from './play-on.ts';

const KINDS = ['digitalocean', 'vultr'] as const;

describe.each(KINDS)('the lists of money at %s', (kind) => {
  it('show what this month is spent on, most expensive first, and what the service itself counts', async () => {
    const month = await playMonth(kind);
    month.cloud.add({ name: 'db-primary', size: kind === 'vultr' ? 'vc2-4c-8gb' : 's-4vcpu-8gb' });
    month.cloud.setMoney({ pendingCents: 1_234 });
    const shown = await month.asks('/billing usage');
    expect(shown).toMatch(/^The items of this month come to [\d.]+ USD so far, most expensive first:$/m);
    expect(shown).toContain("The service counts 12.34 USD in all, and doesn't say what else is in it.");
    expect(shown).toMatch(/^db-primary[^]*^web-1/m);
    checkWords(month);
  });

  it('show invoices and payments, newest first, with their sign', async () => {
    const month = await playMonth(kind);
    const shown = await month.asks('/billing transactions');
    expect(shown).toMatch(/Invoices and payments, newest first, in USD\. What is owed has a \+/);
    expect(shown).toMatch(
      /2026-01-02 00:00[^\n]*-71\.20[^\n]*Payment[^]*2026-01-01 00:00[^\n]*\+31\.20[^\n]*December/,
    );
    checkWords(month);
  });

  it('have pages where they are long', async () => {
    const history = Array.from({ length: 260 }, (_, index): MoneyEntry => ({
      at: Date.UTC(2026, 0, 1) - index * 86_400_000,
      kind: index % 2 ? 'payment' : 'invoice',
      description: `Entry ${index}`,
      amountCents: 100 + index,
    }));
    const month = await playMonth(kind);
    month.cloud.setMoney({ history });
    const { sandbox } = month;
    const first = await month.asks('/billing transactions');
    expect(first).toMatch(/1 to \d+ of 260:/);
    const message = sandbox.slack.channel('#ops').ephemeralFor('fin').at(-1)!;
    await sandbox.slack.person('fin').presses(message, 'Next');
    await sandbox.settled();
    const next = privateTexts(sandbox, 'fin').at(-1) ?? '';
    expect(next).toMatch(/\d+ to \d+ of 260:/);
    expect(next).not.toContain('Entry 0 ');
    expect(botMessages(sandbox)).toEqual([]);
  });

  it('say that the service does not have them, where it does not', async () => {
    const month = await playMonth(kind);
    month.cloud.failNext({ method: 'GET', path: /billing|invoices/ }, { kind: 'status', status: 404 }, 10);
    expect(await month.asks('/billing usage')).toMatch(
      /doesn't say here what a month is spent on[^]*\[ Instances \]/,
    );
    expect(await month.asks('/billing transactions')).toMatch(/lists no invoices and payments here/);
  });

  it('are nothing for an operator', async () => {
    const month = await playMonth(kind, { env: { LAMPLIGHTER_EVERYONE: 'operator' } });
    for (const verb of ['usage', 'transactions'])
      expect(await month.asks(`/billing ${verb}`)).toContain('You need the finance role');
  });

  it('are reached from what the month costs and from an alert', async () => {
    const month = await playMonth(kind, { env: { BILLING_BUDGET: '200' } });
    const { sandbox } = month;
    expect(await month.asks('/billing')).toContain('[ Usage ] [ Invoices and payments ] [ Instances ]');
    await month.on('2026-11-28', 165);
    await month.presses('fin', /82 %/, 'Show what costs most');
    expect(privateTexts(sandbox, 'fin').at(-1)).toContain('The items of this month come to');
  });
});

test('two charges of DigitalOcean that say the same are two', () => {
  const { charges } = digitalocean.billing?.kind === 'postpaid' ? digitalocean.billing : {};
  const same = {
    product: 'Droplets',
    resource_id: '101',
    amount: '6.00',
    duration: '1',
    duration_unit: 'Hours',
  };
  const read = (charges?.items({ invoice_items: [same, same] }) ?? []).map((record) => charges?.item(record));
  expect(read).toMatchObject([
    { name: '101', product: 'Droplets', amount: '6.00' },
    { name: '101', product: 'Droplets', amount: '6.00' },
  ]);
  expect(new Set(read.map((one) => one?.id)).size).toBe(2);
});

test('a bill of Vultr whose type has no sign gets it from what was owed', () => {
  const { bills } = vultr.billing?.kind === 'postpaid' ? vultr.billing : {};
  const read = (records: unknown) => (bills?.items(records) ?? []).flatMap((one) => bills?.item(one) ?? []);
  const entry = { date: '2026-01-01 00:00:00+00:00', description: 'x' };
  const odd = read({
    billing_history: [
      { ...entry, id: 4, type: 'adjustment', amount: 7, balance: 12 },
      { ...entry, id: 3, type: 'adjustment', amount: 5, balance: 5 },
      { ...entry, id: 2, type: 'refund', amount: 20, balance: 10 },
      { ...entry, id: 1, type: 'refund', amount: 20, balance: 30 },
    ],
  });
  expect(billLines(odd, true).map(({ amount }) => amount)).toEqual(['7.00', '-5.00', '-20.00', undefined]);
});

test('Hetzner Cloud lists no money', async () => {
  const { sandbox } = await playOn('hetzner');
  for (const verb of ['usage', 'transactions'])
    expect(await answerTo(sandbox, 'admin', `/billing ${verb}`)).toContain('Hetzner Cloud has no balance');
});
