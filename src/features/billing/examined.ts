import type { PlanStore } from './digest/plan.ts';
import { type AlertConfig, destinationOf } from './alerts/alert-settings.ts';
import type { AlarmStore } from './alerts/alarm-store.ts';

/** A channel that figures are posted to, and what for. */
interface Place {
  readonly channelId: string;
  readonly uses: readonly ('alerts' | 'digest' | 'figures')[];
  /** Who named it. */
  readonly from: 'configuration' | 'Slack';
}

/** Where figures go, and what is known of the looks at the balance. Times: Redis' clock, Unix ms. */
export interface BillingFacts {
  readonly places: readonly Place[];
  /** Who gets the alerts alone; undefined where a channel does, or nobody. */
  readonly alertsToUserId: string | undefined;
  readonly hasAlertsTo: boolean;
  readonly isOff: boolean;
  readonly isNotOffered: boolean;
  /** When somebody last looked, whatever came of it; 0 for never. */
  readonly checkedAt: number;
  /** When the list of instances was last read for it. */
  readonly listedAt: number | undefined;
  readonly failingSince: number | undefined;
}

/** Reads what is set and known of the balance, for whoever examines the bot. Throws what the stores throw. */
export function createBillingFacts(deps: {
  readonly store: AlarmStore;
  readonly plans: PlanStore;
  readonly config: AlertConfig;
  readonly admins: readonly string[];
}): () => Promise<BillingFacts> {
  const { store, plans, config, admins } = deps;
  return async () => {
    const [alarm, plan] = await Promise.all([store.get(), plans.get()]);
    const { settings, seen, checkedAt, failingSince } = alarm;
    const to = destinationOf(settings, config, admins);
    const named = config.channels.length > 0 ? config.channels : (settings.allowed ?? []);
    const alertsIn = to && 'channelId' in to ? to.channelId : undefined;
    const digestIn = plan.set?.channelId;
    const ids = new Set([alertsIn, digestIn, ...named].filter((id) => id !== undefined));
    return {
      places: [...ids].map((channelId) => ({
        channelId,
        uses: [
          ...(channelId === alertsIn ? (['alerts'] as const) : []),
          ...(channelId === digestIn ? (['digest'] as const) : []),
          ...(named.includes(channelId) ? (['figures'] as const) : []),
        ],
        from: config.channels.includes(channelId) ? 'configuration' : 'Slack',
      })),
      alertsToUserId: to && 'userId' in to ? to.userId : undefined,
      hasAlertsTo: to !== undefined,
      isOff: settings.isOff ?? false,
      isNotOffered: alarm.isNotOffered ?? false,
      checkedAt,
      listedAt: seen?.listedAt,
      failingSince,
    };
  };
}
