import { parseAmount } from '../../../core/money/amount.ts';
import { Refusal } from '../../../core/refusal.ts';
import type { Route } from '../../../core/routing/route.ts';
import type { HostingService, Usage } from '../../../platform/hosting/service.ts';
import type { ButtonTokenStore } from '../../../core/operations/button-token-store.ts';
import { buttonTokenOf } from '../../../core/lookup/resolve.ts';
import { ALERT_ROUTES } from '../alerts/routes.ts';
import { readBalance } from '../balance/reading.ts';
import { USAGE_NOT_OFFERED } from '../balance/offered.ts';
import { gainsOf } from './gain.ts';
import { buyTimeMessage, MAX_STOPS } from './messages.ts';

export interface BuyTimeDeps {
  readonly hosting: HostingService;
  readonly buttonTokens: ButtonTokenStore;
  /** The route that stops an instance, and asks whoever presses whether they may. */
  readonly stopRoute: string;
  /** How credits are called. */
  readonly unit: string;
  readonly now: () => number;
}

/** `/billing buy-time`, and the button of an alert: what stopping what runs would bring. Stops nothing by itself. */
export function buyTimeRoute({ hosting, buttonTokens, stopRoute, unit, now }: BuyTimeDeps): Route {
  return {
    id: ALERT_ROUTES.buyTime,
    verb: 'buy-time',
    permission: 'billing:read',
    writes: false,
    usage: '',
    summary: 'what stopping what runs would bring, in days',
    handle: async () => {
      const [reading, { instances, incomplete }, usage] = await Promise.all([
        readBalance(hosting, now),
        hosting.listInstances(),
        usageOf(hosting),
      ]);
      const costs = new Map(usage.map(({ id, dailyCredits }) => [id, dailyCredits]));
      const running = instances.filter(({ status }) => status === 'running');
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
                buttonTokens
                  .create({ ...buttonTokenOf(instance), pickedTo: 'save-credits' })
                  .then((value) => ({ name: gain.name, routeId: stopRoute, value })),
              ]
            : [];
        }),
      );
      return buyTimeMessage(reading, gains, { unit, buttons, incomplete });
    },
  };
}

/** What each instance costs; nothing where the service does not offer it: some say it of the instance itself. */
async function usageOf(hosting: HostingService): Promise<Usage['instances']> {
  try {
    return (await hosting.getUsage()).instances;
  } catch (error) {
    if (error instanceof Refusal && error.code === USAGE_NOT_OFFERED) return [];
    throw error;
  }
}
