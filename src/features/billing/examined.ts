import { createOneRecord } from '../../core/records/one-record.ts';
import type { RedisConnection } from '../../platform/redis/connection.ts';
import { DIGEST } from './digest/record.ts';
import { type AlertConfig, destinationOf, mayStandIn } from './alerts/alert-settings.ts';
import { ALARM } from './alerts/alarm-store.ts';
import { balanceIn } from './alerts/seen.ts';
import { BUDGETS, isKnown } from './budget/budgets.ts';
import type { CostGroups } from '../../core/policy/sections.ts';
import { budgetOf } from './postpaid/budget.ts';

/** A channel that figures are posted to, and what for. */
interface Place {
  readonly channelId: string;
  readonly uses: readonly ('alerts' | 'digest' | 'figures')[];
  /** Who named it. */
  readonly from: 'configuration' | 'Slack';
}

/** Where figures go, and what is known of the looks at the money. Times: Redis' clock, Unix ms. */
export interface BillingFacts {
  readonly places: readonly Place[];
  /** Who gets the alerts alone; undefined where a channel does, or nobody. */
  readonly alertsToUserId: string | undefined;
  readonly hasAlertsTo: boolean;
  readonly isOff: boolean;
  /** There is nothing to look at: no balance, or no budget of a month. */
  readonly isNotOffered: boolean;
  /** Whether a month is paid afterwards, and it is its budget that is watched. */
  readonly isOfMonth: boolean;
  /** Whether the configuration says that the balance is topped up by the service. */
  readonly isToppedUp: boolean;
  /** When somebody last looked, whatever came of it; 0 for never. */
  readonly checkedAt: number;
  /** When the list of instances was last read for it. */
  readonly listedAt: number | undefined;
  readonly failingSince: number | undefined;
  /** Those that have a budget, and are no longer in the policy file. */
  readonly lostGroups: readonly string[];
}

/** Reads what is set and known of the balance or the month, for an examination of the bot. Throws what Redis throws. */
export function createBillingFacts(deps: {
  readonly redis: RedisConnection;
  readonly costGroups: () => CostGroups;
  readonly config: AlertConfig;
  readonly admins: () => readonly string[];
  readonly isOfMonth: boolean;
  readonly isToppedUp: boolean;
}): () => Promise<BillingFacts> {
  const { redis, costGroups, config, admins, isOfMonth, isToppedUp } = deps;
  return async () => {
    const [alarm, { set }, ofGroups] = await Promise.all([
      createOneRecord(redis, ALARM).get(),
      createOneRecord(redis, DIGEST).get(),
      createOneRecord(redis, BUDGETS).get(),
    ]);
    const { settings, seen, checkedAt, failingSince } = alarm;
    const to = destinationOf(settings, config, admins());
    const named = (config.channels.length > 0 ? config.channels : (settings.allowed ?? [])).filter(
      (channelId) => mayStandIn(channelId, settings, config),
    );
    const alertsIn = to && 'channelId' in to ? to.channelId : undefined;
    const digestIn = set?.channelId;
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
      isNotOffered: isOfMonth ? budgetOf(settings, config) === undefined : (alarm.isNotOffered ?? false),
      isOfMonth,
      isToppedUp,
      checkedAt,
      listedAt: balanceIn(seen)?.listedAt,
      failingSince,
      lostGroups: ofGroups.budgets.flatMap((one) => (isKnown(one, costGroups()) ? [] : [one.group])),
    };
  };
}
