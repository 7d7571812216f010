import { type Amount, compare, formatAmount, parseAmount, sum, ZERO } from '../../../core/money/amount.ts';
import { askedPage } from '../../../core/lists/asked-page.ts';
import { type List, partWords, showList } from '../../../core/lists/list.ts';
import type { Route } from '../../../core/intake/route.ts';
import { asUnread } from '../../../platform/hosting/hosting-error.ts';
import type { ChargeList } from '../../../platform/hosting/service.ts';
import type { Button } from '../../../platform/slack/message.ts';
import { plain, say, strong, time } from '../../../platform/slack/phrase.ts';
import { USAGE_ROUTE } from '../balance/messages.ts';
import { USAGE_NOT_OFFERED } from '../balance/offered.ts';
import type { Postpaid } from '../billing.ts';
import { billsButton, orElsewhere } from './bills.ts';
import { moneyWords } from './budget.ts';

/** What one thing costs this month so far. */
interface ChargeLine {
  readonly name: string;
  readonly product: string;
  readonly amount: Amount;
}

/** The button that shows what costs most. */
export const chargesButton = (label: string): Button => ({ label, routeId: USAGE_ROUTE, value: 'month' });

/** `/billing usage` of a month that is paid afterwards: what it is spent on so far, most expensive first. */
export function chargesRoute(deps: Postpaid): Route {
  const { hosting, billed, calendar } = deps;
  return {
    id: USAGE_ROUTE,
    verb: 'usage',
    spoken: {
      asks: ['(daily burn|burn|burn rate|spending|usage|costs|cost)', 'why * (more|higher|expensive|cost)'],
    },
    permission: 'billing:read',
    writes: false,
    usage: '',
    instead: say`${billed.name} only says what this month is spent on so far; that is billing usage. For an earlier month, type /billing month october.`,
    summary: 'what this month is spent on so far, most expensive first',
    handle: async (ask) => {
      const page = await askedPage(deps, ask, '/billing usage');
      const [list, spending] = await Promise.all([
        orElsewhere(
          deps,
          hosting.listCharges(),
          USAGE_NOT_OFFERED,
          say`${hosting.about.name} doesn't say here what a month is spent on. Look at its own dashboard.`,
        ),
        // The items are worth showing without the sum that the service counts.
        hosting.getSpending().catch(asUnread),
      ]);
      const asOf = await calendar.today();
      return showList(deps, ask, page, chargesList(deps, list, parseAmount(spending?.monthSoFar), asOf));
    },
  };
}

/** What a month is spent on. `counted`: what the service itself counts; `asOf`: Unix ms. */
function chargesList(
  { billed: { currency }, hosting }: Postpaid,
  { charges, incomplete }: ChargeList,
  counted: Amount | undefined,
  asOf: number,
): List<ChargeLine> {
  const rows = linesOf(charges);
  const total = sum(rows.map(({ amount }) => amount));
  const money = strong(`${incomplete ? 'at least ' : ''}${moneyWords(total, currency)}`);
  const rest = {
    note: say`As of ${time(asOf)}`,
    buttons: hosting.about.offers.bills ? [billsButton] : [],
  };
  return {
    routeId: USAGE_ROUTE,
    words: [],
    rows,
    none: { lines: [say`Nothing is listed for this month yet.`], ...rest },
    columns: [
      { head: 'What', cell: ({ name }) => name },
      { head: 'Product', cell: ({ product }) => product },
      { head: currency, isNumber: true, cell: ({ amount }) => formatAmount(amount) },
    ],
    bars: {
      title: `${currency} this month`,
      series: 'This month',
      of: ({ name, amount }) => ({ label: name, amount }),
    },
    page: (part) => ({
      lines: [
        say`The items of this month come to ${money} so far, most expensive first:`,
        ...(counted && compare(counted, total) !== 0
          ? [
              say`The service counts ${moneyWords(counted, currency)} in all, and doesn't say what else is in it.`,
            ]
          : []),
        ...partWords(part),
      ],
      ...rest,
    }),
  };
}

/** The charges of one thing as one line, most expensive first, then by name. Pure. */
function linesOf(charges: ChargeList['charges']): ChargeLine[] {
  const lines = new Map<string, ChargeLine>();
  for (const { name, product, amount } of charges) {
    const key = JSON.stringify([name, product]);
    const before = lines.get(key);
    lines.set(key, {
      name: plain(name, 60),
      product: plain(product, 40),
      amount: sum([before?.amount ?? ZERO, parseAmount(amount) ?? ZERO]),
    });
  }
  return [...lines.values()].toSorted(
    (one, other) => compare(other.amount, one.amount) || one.name.localeCompare(other.name),
  );
}
