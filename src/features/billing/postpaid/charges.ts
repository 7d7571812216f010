import { compare, parseAmount, sum, ZERO } from '../../../core/money/amount.ts';
import { askedPage } from '../../../core/lists/asked-page.ts';
import { WHOLE_LIST } from '../../../core/lists/shown-list.ts';
import type { Offers } from '../../../core/offers/offers.ts';
import { Refusal } from '../../../core/refusal.ts';
import type { Route } from '../../../core/intake/route.ts';
import { HostingError } from '../../../platform/hosting/hosting-error.ts';
import { isNotOffered } from '../../../platform/hosting/offered.ts';
import type { ChargeList, HostingService } from '../../../platform/hosting/service.ts';
import type { Button } from '../../../platform/slack/message.ts';
import { plain, say } from '../../../platform/slack/phrase.ts';
import { USAGE_ROUTE } from '../balance/messages.ts';
import { USAGE_NOT_OFFERED } from '../balance/offered.ts';
import type { Billed } from './budget.ts';
import { chargesMessage, type ChargeLine } from './list-messages.ts';
import type { Calendar } from './watched-month.ts';

export interface MonthListDeps {
  readonly hosting: HostingService;
  readonly billed: Billed;
  readonly calendar: Calendar;
  readonly offers: Offers;
  /** Where the instances are listed. */
  readonly instances: Button;
}

/** So many always fit into one message. */
export const FEWEST_ON_A_PAGE = 20;

/** `/billing usage` of a month that is paid afterwards: what it is spent on so far, most expensive first. */
export function chargesRoute(deps: MonthListDeps): Route {
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
      const { from } = await askedPage(deps, ask, '/billing usage');
      const [{ charges, incomplete }, counted] = await Promise.all([readCharges(deps), monthSoFar(hosting)]);
      const isLong = charges.length > FEWEST_ON_A_PAGE;
      return chargesMessage(linesOf(charges), {
        currency: billed.currency,
        counted: parseAmount(counted),
        isIncomplete: incomplete !== undefined,
        asOf: await calendar.today(),
        from,
        listId: isLong ? WHOLE_LIST : undefined,
        other: hosting.about.offers.bills,
      });
    },
  };
}

async function readCharges({ hosting, instances }: MonthListDeps): Promise<ChargeList> {
  try {
    return await hosting.listCharges();
  } catch (error) {
    if (!isNotOffered(error)) throw error;
    throw new Refusal(USAGE_NOT_OFFERED, {
      lines: [
        say`${hosting.about.name} doesn't say here what a month is spent on. Look at its own dashboard.`,
      ],
      buttons: [instances],
    });
  }
}

/** What the service itself counts; undefined where that can't be read: the items are worth showing without it. */
async function monthSoFar(hosting: HostingService): Promise<string | undefined> {
  try {
    return (await hosting.getSpending()).monthSoFar;
  } catch (error) {
    if (!(error instanceof HostingError)) throw error;
    return undefined;
  }
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
