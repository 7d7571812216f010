import type { Bot } from '../../core/bot/bot.ts';
import { type Places, createPlaces as createChosenPlaces } from '../../core/policy/places.ts';
import type { Button } from '../../platform/slack/message.ts';
import type { AlarmStore } from './alerts/alarm-store.ts';
import { type AlertConfig, mayStandIn, withPlace } from './alerts/alert-settings.ts';
import type { MoneyRead } from './alerts/seen.ts';
import type { Watched } from './alerts/watched.ts';
import type { BudgetStore } from './budget/budgets.ts';
import type { SpendingOf } from './budget/spending.ts';
import type { DigestStore } from './digest/record.ts';
import type { Days } from './ledger/days.ts';
import type { FillingStore } from './ledger/filling.ts';
import type { Outsides } from './outside/reports.ts';
import type { Billed } from './postpaid/budget.ts';
import type { Calendar } from './postpaid/watched-month.ts';
import type { ProposalStore } from './proposals/record.ts';
import type { ReadDailyCosts } from './range/expected.ts';
import type { Supposed } from './what-if/parse.ts';
import type { Timings } from '../../core/timings.ts';
import { HostingError } from '../../platform/hosting/hosting-error.ts';
import { HOUR_MS } from '../../platform/time/duration.ts';
import { Refusal } from '../../core/refusal.ts';
import { say } from '../../platform/slack/phrase.ts';

/** The bot as the parts of billing have it, however the service is paid. */
export interface Billing extends Bot {
  readonly config: AlertConfig;
  readonly alarms: AlarmStore;
  readonly budgets: BudgetStore;
  readonly days: Days;
  readonly filling: FillingStore;
  readonly calendar: Calendar;
  /** The places outside of Slack that hear of it. */
  readonly outside: Outsides;
  /** The channels in which figures may stand. */
  readonly places: Places;
  readonly watched: Watched;
  /** Hands what a look has read to the ledger. It never throws: nothing else depends on it. */
  readonly noteLook: (read: MoneyRead) => Promise<void>;
  readonly dailyCosts: ReadDailyCosts;
  readonly spendingOf: SpendingOf;
}

/** The same where a balance is paid before. */
export interface Prepaid extends Billing {
  readonly digest: DigestStore;
  readonly proposals: ProposalStore;
  /** The routes that change something, as far as the service offers it; each asks its presser whether they may. */
  readonly changeRoutes: Readonly<Partial<Record<Exclude<Supposed['does'], 'top up'>, string>>> & {
    readonly stop: string;
  };
}

/** The same where a month is paid afterwards. */
export interface Postpaid extends Billing {
  readonly billed: Billed;
  /** Where the instances are listed. */
  readonly instances: Button;
  /** What else can be looked at. */
  readonly details: readonly Button[];
}

/** Each pause between two failures is so many times as long as the one before, up to an hour. */
const LONGER_BY = 4;
const LONGEST_PAUSE_MS = HOUR_MS;
/** A service that takes no more requests is asked again after this, where it doesn't say when. */
const RATE_LIMIT_PAUSE_MS = 5_000;

/** Whether a fault means no more than that the service takes no more requests just now. */
export function isRateLimited(fault: unknown): fault is HostingError {
  return fault instanceof HostingError && fault.fault === 'rate-limited';
}

/**
 * How often a reading has failed in a row, after one more `fault`, and when it is tried again (Unix ms). That the service takes no more
 * requests just now is no failure. `failures`: those before it. Pure.
 */
export function afterFault(
  failures: number,
  fault: unknown,
  now: number,
  { billingRetryMs }: Pick<Timings, 'billingRetryMs'>,
): { readonly failures: number; readonly dueAt: number } {
  if (isRateLimited(fault)) return { failures, dueAt: now + (fault.retryAfterMs ?? RATE_LIMIT_PAUSE_MS) };
  const pauseMs = Math.min(LONGEST_PAUSE_MS, billingRetryMs * LONGER_BY ** failures);
  return { failures: failures + 1, dueAt: now + pauseMs };
}

/** The guard of a message with figures: the channel must still be one in which they may stand. */
export const FIGURES = 'figures';

/** The channels in which everybody may see the figures of the account. */
export function createPlaces({
  config,
  access,
  alarms,
  examiner,
}: Pick<Billing, 'config' | 'access' | 'alarms' | 'examiner'>): Places {
  return createChosenPlaces({
    access,
    examiner,
    permission: 'billing:place',
    isAllowed: async (channelId) => mayStandIn(channelId, (await alarms.get()).settings, config),
    choosing: (channelId) =>
      alarms.moving((alarm) => ({ ...alarm, settings: withPlace(alarm.settings, channelId) })),
    refuseOther: () => {
      if (config.channels.length === 0) return;
      throw new Refusal(
        'not-a-place',
        say`Account figures can't be shown in this channel. The configuration lists the channels where they can; the person who runs the bot can change it. Nothing was changed.`,
      );
    },
  });
}
