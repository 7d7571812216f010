import { parseAmount } from '../../../core/money/amount.ts';
import type { Route } from '../../../core/intake/route.ts';
import type { Links } from '../../../core/links.ts';
import type { HostingService } from '../../../platform/hosting/service.ts';
import { BUTTON_TOKENS } from '../../../core/offers/button-token.ts';
import type { Offers } from '../../../core/offers/offers.ts';
import { buttonTokenOf } from '../../../core/lookup/resolve.ts';
import { ALERT_ROUTES } from '../alerts/routes.ts';
import { atStake, isPaidApart, stopsAtZero, whyFree } from '../balance/at-zero.ts';
import { readBalance } from '../balance/reading.ts';
import { costsIn, haveAddons, usageOf } from '../usage/costs.ts';
import { gainsOf } from './gain.ts';
import { buyTimeMessage, MAX_STOPS } from './messages.ts';

export interface BuyTimeDeps {
  readonly hosting: HostingService;
  readonly links: Pick<Links, 'topUp'>;
  readonly offers: Offers;
  /** The route that stops an instance, and asks the person who presses whether they may. */
  readonly stopRoute: string;
  /** How credits are called. */
  readonly unit: string;
  readonly now: () => number;
}

/** `/billing buy-time`, and the button of an alert: what stopping what runs would bring. Stops nothing by itself. */
export function buyTimeRoute({ hosting, links, offers, stopRoute, unit, now }: BuyTimeDeps): Route {
  return {
    id: ALERT_ROUTES.buyTime,
    verb: 'buy-time',
    spoken: {
      asks: [
        'what (can|could|should) (we|i) <stop> (to|so)',
        '(cheapest|best|easiest) way to (save|cut)',
        '(save|cut|reduce) * (money|credits|cost|costs|spending|day|bill|burn)',
        '(buy|gain|win) * time',
        'how * (save|cut|spend less)',
        '(what|how much) * (stopping|shutting down|turning off|switching off) * (save|saves|bring|brings|gain|gains)',
        'what * (save|saves|gain|gains) * (by|with|from) (stopping|shutting down|turning off|switching off)',
        '(what|how much) * (save|gain) * (if|when) * (stop|shut down|turn off|switch off)',
      ],
    },
    permission: 'billing:read',
    writes: false,
    usage: '',
    summary: 'what stopping what runs would bring, in days',
    handle: async () => {
      const [reading, list, usage] = await Promise.all([
        readBalance(hosting, now),
        hosting.listInstances(),
        usageOf(hosting),
      ]);
      const costs = costsIn(usage);
      const { instances, incomplete } = list;
      const running = instances.filter(stopsAtZero);
      const gains = gainsOf(
        reading,
        running.map(({ id, name, dailyCostCredits }) => ({
          id,
          name,
          perDay: parseAmount(costs.get(id) ?? dailyCostCredits),
        })),
      );
      const buttons = await Promise.all(
        gains.slice(0, MAX_STOPS).flatMap((gain) => {
          const instance = running.find(({ id }) => id === gain.id);
          return instance
            ? [
                offers
                  .make(BUTTON_TOKENS, { ...buttonTokenOf(instance), pickedTo: 'save-credits' })
                  .then((value) => ({ name: gain.name, routeId: stopRoute, value })),
              ]
            : [];
        }),
      );
      return buyTimeMessage(reading, gains, {
        unit,
        buttons,
        apart: instances.filter(isPaidApart),
        incomplete,
        why: whyFree(reading, atStake(list)),
        topUp: links.topUp,
        hasAddons: haveAddons(usage, running),
      });
    },
  };
}
