import type { Answer, Asked, Dialect, Route } from './dialect.ts';
import { hourlyPrice, sizeOf } from './machine.ts';
import { withBalances, type Money } from './money.ts';
import { pageOf } from './vultr-paging.ts';
import { spacedTime, vultrPlans } from './vultr-wire.ts';

const HOURS = 100;

/** Account, history, invoices and pending charges. Amounts are numbers in US dollars; a balance above zero is owed. */
export function moneyRoutes(refuse: Dialect['refuse']): readonly Route[] {
  return [
    { method: 'GET', path: '/account', run: showAccount },
    { method: 'GET', path: '/billing/history', run: (asked) => listHistory(asked, refuse) },
    { method: 'GET', path: '/billing/invoices', run: (asked) => listInvoices(asked, refuse) },
    { method: 'GET', path: '/billing/pending-charges', run: listPending },
  ];
}

function showAccount({ money }: Asked): Answer {
  const payment = money.history.find(({ kind }) => kind === 'payment');
  const account = {
    name: 'Team',
    acls: ['subscriptions', 'billing'],
    balance: dollars(money.owedCents),
    pending_charges: dollars(money.pendingCents),
    last_payment_date: payment === undefined ? '' : spacedTime(payment.at),
    last_payment_amount: payment === undefined ? 0 : dollars(-payment.amountCents),
  };
  return { status: 200, body: { account } };
}

/** Newest first. An amount has no sign: a credit lowers the balance, an invoice raises it. */
function entriesOf(money: Money) {
  const count = money.history.length;
  return withBalances(money).map(({ entry, balanceCents }, index) => ({
    place: index + 1,
    kind: entry.kind,
    wire: {
      id: count - index,
      date: spacedTime(entry.at),
      description: entry.description,
      amount: dollars(entry.amountCents),
      balance: dollars(balanceCents),
    },
  }));
}

function listHistory(asked: Asked, refuse: Dialect['refuse']): Answer {
  const page = pageOf(asked, entriesOf(asked.money), ({ place }) => place, refuse);
  if ('refused' in page) return page.refused;
  const billing_history = page.items.map(({ kind, wire }) => {
    const { id, date, ...rest } = wire;
    return { id, date, type: kind === 'invoice' ? 'invoice' : 'credit', ...rest };
  });
  return { status: 200, body: { billing_history, meta: page.meta } };
}

function listInvoices(asked: Asked, refuse: Dialect['refuse']): Answer {
  const invoices = entriesOf(asked.money).filter(({ kind }) => kind === 'invoice');
  const page = pageOf(asked, invoices, ({ place }) => place, refuse);
  if ('refused' in page) return page.refused;
  return { status: 200, body: { billing_invoices: page.items.map(({ wire }) => wire), meta: page.meta } };
}

/** A line for each instance, as if it had run 100 hours: plausible, and not the sum of the account. */
function listPending({ fleet }: Asked): Answer {
  const pending_charges = fleet.machines().map(({ name, spec }) => {
    const unitPrice = hourlyPrice(sizeOf(vultrPlans, spec.size));
    return {
      description: name,
      product: 'Cloud Compute',
      units: HOURS,
      unit_type: 'hours',
      unit_price: unitPrice,
      total: dollars(Math.round(unitPrice * HOURS * 100)),
    };
  });
  return { status: 200, body: { pending_charges } };
}

function dollars(cents: number): number {
  return cents / 100;
}
