import type { Answer, Asked, Dialect, Route } from './dialect.ts';
import { pageOf } from './digitalocean-paging.ts';
import { priceOf } from './digitalocean-wire.ts';
import { isoSeconds } from './machine.ts';
import type { MoneyEntry } from './money.ts';

const PREVIEW_UUID = '22737513-0ea7-4206-8ceb-98a575af7681';

/** Balance, history and invoices. Amounts are decimal strings in US dollars; above zero is owed. */
export function moneyRoutes(refuse: Dialect['refuse']): readonly Route[] {
  return [
    { method: 'GET', path: '/customers/my/balance', run: showBalance },
    { method: 'GET', path: '/customers/my/prepayment_status', run: (asked) => showPrepaid(asked, refuse) },
    { method: 'GET', path: '/customers/my/billing_history', run: (asked) => listHistory(asked, refuse) },
    { method: 'GET', path: '/customers/my/invoices', run: (asked) => listInvoices(asked, refuse) },
    { method: 'GET', path: '/customers/my/invoices/{id}', run: (asked) => listItems(asked, refuse) },
  ];
}

function showBalance({ money, fleet }: Asked): Answer {
  const { owedCents, pendingCents } = money;
  return {
    status: 200,
    body: {
      account_balance: dollars(owedCents),
      month_to_date_usage: dollars(pendingCents),
      month_to_date_balance: dollars(owedCents + pendingCents),
      generated_at: isoSeconds(fleet.now()),
    },
  };
}

/** Newer than the contract; an account that is billed has none. */
function showPrepaid({ money }: Asked, refuse: Dialect['refuse']): Answer {
  const { prepaidCents, owedCents, pendingCents } = money;
  if (prepaidCents === undefined) return refuse(404);
  const status = {
    balance: dollars(prepaidCents),
    blocked: false,
    eligible: true,
    is_auto_prepay_enabled: false,
    month_to_date_balance: dollars(owedCents + pendingCents),
  };
  return { status: 200, body: { status } };
}

function listHistory(asked: Asked, refuse: Dialect['refuse']): Answer {
  const page = pageOf(asked, asked.money.history, refuse);
  if ('refused' in page) return page.refused;
  const entries = page.items.map((entry) => ({
    description: entry.description,
    amount: dollars(entry.kind === 'invoice' ? entry.amountCents : -entry.amountCents),
    ...(entry.kind === 'invoice' ? { invoice_id: idOf(entry), invoice_uuid: uuidOf(entry) } : {}),
    date: isoSeconds(entry.at),
    type: entry.kind === 'invoice' ? 'Invoice' : 'Payment',
  }));
  return { status: 200, body: { billing_history: entries, ...page.envelope } };
}

function listInvoices(asked: Asked, refuse: Dialect['refuse']): Answer {
  const { money, fleet } = asked;
  const page = pageOf(asked, invoicesOf(asked), refuse);
  if ('refused' in page) return page.refused;
  const invoices = page.items.map((entry) => ({
    invoice_uuid: uuidOf(entry),
    invoice_id: idOf(entry),
    amount: dollars(entry.amountCents),
    invoice_period: monthBefore(entry.at),
  }));
  const invoice_preview = {
    invoice_uuid: PREVIEW_UUID,
    amount: dollars(money.pendingCents),
    invoice_period: isoSeconds(fleet.now()).slice(0, 7),
    updated_at: isoSeconds(fleet.now()),
  };
  return { status: 200, body: { invoices, invoice_preview, ...page.envelope } };
}

/** A line for each droplet, by its price: the lines are plausible, and don't add up to the invoice. */
function listItems(asked: Asked, refuse: Dialect['refuse']): Answer {
  const { ids, fleet } = asked;
  const known = ['preview', PREVIEW_UUID, ...invoicesOf(asked).map(uuidOf)];
  const isKnown = known.includes(ids[0] ?? '');
  if (!isKnown) return refuse(404);
  const page = pageOf(asked, fleet.machines(), refuse);
  if ('refused' in page) return page.refused;
  const items = page.items.map((machine) => ({
    product: 'Droplets',
    resource_id: machine.id,
    description: machine.name,
    amount: dollars(priceOf(machine)),
    duration: '672',
    duration_unit: 'Hours',
  }));
  return { status: 200, body: { invoice_items: items, ...page.envelope } };
}

function invoicesOf({ money }: Asked): readonly MoneyEntry[] {
  return money.history.filter(({ kind }) => kind === 'invoice');
}

function idOf({ at }: MoneyEntry): string {
  return `${Math.floor(at / 86_400_000)}`;
}

function uuidOf(entry: MoneyEntry): string {
  return `22737513-0ea7-4206-8ceb-${idOf(entry).padStart(12, '0')}`;
}

function monthBefore(at: number): string {
  const date = new Date(at);
  return isoSeconds(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - 1)).slice(0, 7);
}

function dollars(cents: number): string {
  return (cents / 100).toFixed(2);
}
