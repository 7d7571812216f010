import type { Route } from '../feature.ts';
import type { HostingService } from '../hosting/service.ts';
import { balanceMessage } from './messages.ts';
import { readBalance } from './reading.ts';

export interface BillingDeps {
  readonly hosting: HostingService;
  /** How credits are called. */
  readonly unit: string;
  readonly now: () => number;
}

/** `/billing`: what is left, how long it lasts, and what happens then. */
export function balanceRoute(deps: BillingDeps): Route {
  const { hosting, unit, now } = deps;
  return {
    id: 'billing.balance',
    verb: 'balance',
    synonyms: ['credits', 'money', 'left'],
    permission: 'billing:read',
    writes: false,
    usage: '',
    summary: 'the balance and how long it lasts',
    handle: async () => {
      const [reading, { instances }] = await Promise.all([
        readBalance(hosting, now),
        hosting.listInstances(),
      ]);
      return balanceMessage(reading, instances, unit);
    },
  };
}
