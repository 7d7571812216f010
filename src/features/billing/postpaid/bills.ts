import { compare, negate, parseAmount, subtract, toDecimal } from '../../../core/money/amount.ts';
import { askedPage } from '../../../core/lists/asked-page.ts';
import { type Column, momentCell } from '../../../core/lists/columns.ts';
import { partWords, showList } from '../../../core/lists/list.ts';
import { Refusal, type RefusalCode } from '../../../core/refusal.ts';
import type { Route } from '../../../core/intake/route.ts';
import { isNotOffered } from '../../../platform/hosting/offered.ts';
import type { Bill } from '../../../platform/hosting/month.ts';
import type { Button } from '../../../platform/slack/message.ts';
import { type Phrase, plain, say, time } from '../../../platform/slack/phrase.ts';
import { signed } from '../balance/messages.ts';
import { TRANSACTIONS_NOT_OFFERED } from '../balance/offered.ts';
import type { Postpaid } from '../billing.ts';

const BILLS_ROUTE = 'billing.transactions';

/** The button that shows invoices and payments. */
export const billsButton: Button = { label: 'Invoices and payments', routeId: BILLS_ROUTE, value: 'newest' };

type BillLine = Pick<Bill, 'at' | 'type' | 'amount' | 'size' | 'description'>;

const COLUMNS: readonly Column<BillLine>[] = [
  { head: 'When (UTC)', cell: ({ at }) => momentCell(at) },
  { head: 'Type', cell: ({ type }) => plain(type.replaceAll('_', ' '), 30) },
  {
    head: 'Amount',
    isNumber: true,
    // A size without a sign is worth more than no figure.
    cell: ({ amount, size }) =>
      amount === undefined && size !== undefined ? `± ${plain(size, 20)}` : signed(amount),
  },
  { head: 'What', cell: ({ description = '-' }) => plain(description, 50) },
];

/** `/billing transactions` of what is paid afterwards: invoices and payments. */
export function billsRoute(deps: Postpaid): Route {
  const { hosting, billed, calendar } = deps;
  return {
    id: BILLS_ROUTE,
    verb: 'transactions',
    spoken: { asks: ['(bill|bills|invoice|invoices|statement|receipts|payments|transactions|charges)'] },
    permission: 'billing:read',
    writes: false,
    usage: '',
    instead: say`Invoices and payments can't be filtered: billing transactions shows all that ${billed.name} lists.`,
    summary: 'invoices and payments',
    handle: async (ask) => {
      const page = await askedPage(deps, ask, '/billing transactions');
      const { bills, incomplete, isNewestFirst } = await orElsewhere(
        deps,
        hosting.listBills(),
        TRANSACTIONS_NOT_OFFERED,
        say`${billed.name} lists no invoices and payments here. Look at its own dashboard.`,
      );
      const order = isNewestFirst ? 'newest first' : "in the service's own order";
      const note = say`As of ${time(await calendar.today())}`;
      return showList(deps, ask, page, {
        routeId: BILLS_ROUTE,
        words: [],
        rows: billLines(bills, isNewestFirst),
        none: { lines: [say`There are no invoices and no payments yet.`], note },
        columns: COLUMNS,
        page: (part) => ({
          lines: [
            say`Invoices and payments, ${order}, in ${billed.currency}. What is owed has a +, what is paid or credited a -.`,
            ...(incomplete
              ? [say`This list is incomplete: the service seems to have more, and I found no way to read it.`]
              : []),
            ...partWords(part),
          ],
          note,
        }),
      });
    },
  };
}

/** What is read. Throws a Refusal that says so in those words where the service doesn't offer it, and leads to what it does. */
export async function orElsewhere<T>(
  { instances }: Pick<Postpaid, 'instances'>,
  reading: Promise<T>,
  code: RefusalCode,
  words: Phrase,
): Promise<T> {
  return reading.catch((error: unknown) => {
    throw isNotOffered(error) ? new Refusal(code, { lines: [words], buttons: [instances] }) : error;
  });
}

/**
 * Bills as they are shown: an amount without a sign gets it from what was owed before and after, where that fits and the
 * order is known. Pure.
 */
export function billLines(bills: readonly Bill[], isNewestFirst: boolean): BillLine[] {
  return bills.map((bill, index) => ({
    ...bill,
    amount: bill.amount ?? (isNewestFirst ? signOf(bill, bills[index + 1]) : undefined),
  }));
}

/** `before`: the bill before it, which is the next in a list that begins with the newest. */
function signOf({ size, owedAfter }: Bill, before: Bill | undefined): string | undefined {
  const [amount, after, owedBefore] = [size, owedAfter, before?.owedAfter].map(parseAmount);
  if (!amount || !after || !owedBefore) return undefined;
  const change = subtract(after, owedBefore);
  if (compare(change, amount) === 0) return toDecimal(amount);
  return compare(change, negate(amount)) === 0 ? toDecimal(negate(amount)) : undefined;
}
