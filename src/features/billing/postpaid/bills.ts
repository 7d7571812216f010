import { compare, negate, parseAmount, subtract, toDecimal } from '../../../core/money/amount.ts';
import { askedPage } from '../../../core/lists/asked-page.ts';
import { WHOLE_LIST } from '../../../core/lists/shown-list.ts';
import { Refusal } from '../../../core/refusal.ts';
import type { Route } from '../../../core/intake/route.ts';
import { isNotOffered } from '../../../platform/hosting/offered.ts';
import type { Bill } from '../../../platform/hosting/month.ts';
import type { BillList } from '../../../platform/hosting/service.ts';
import { say } from '../../../platform/slack/phrase.ts';
import { TRANSACTIONS_NOT_OFFERED } from '../balance/offered.ts';
import { FEWEST_ON_A_PAGE, type MonthListDeps } from './charges.ts';
import { type BillLine, BILLS_ROUTE, billsMessage } from './list-messages.ts';

/** `/billing transactions` of what is paid afterwards: invoices and payments. */
export function billsRoute(deps: MonthListDeps): Route {
  const { billed, calendar } = deps;
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
      const { from } = await askedPage(deps, ask, '/billing transactions');
      const { bills, incomplete, isNewestFirst } = await readBills(deps);
      const isLong = bills.length > FEWEST_ON_A_PAGE;
      return billsMessage(billLines(bills, isNewestFirst), {
        currency: billed.currency,
        isNewestFirst,
        isIncomplete: incomplete !== undefined,
        asOf: await calendar.today(),
        from,
        listId: isLong ? WHOLE_LIST : undefined,
      });
    },
  };
}

async function readBills({ hosting, instances }: MonthListDeps): Promise<BillList> {
  try {
    return await hosting.listBills();
  } catch (error) {
    if (!isNotOffered(error)) throw error;
    throw new Refusal(TRANSACTIONS_NOT_OFFERED, {
      lines: [say`${hosting.about.name} lists no invoices and payments here. Look at its own dashboard.`],
      buttons: [instances],
    });
  }
}

/**
 * Bills as they are shown: an amount without a sign gets it from what was owed before and after, where that fits and the
 * order is known. Pure.
 */
export function billLines(bills: readonly Bill[], isNewestFirst: boolean): BillLine[] {
  return bills.map((bill, index) => ({
    at: bill.at,
    type: bill.type,
    amount: bill.amount ?? (isNewestFirst ? signOf(bill, bills[index + 1]) : undefined),
    size: bill.size,
    description: bill.description,
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
