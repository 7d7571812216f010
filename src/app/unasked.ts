import { type Leaver, type Names, createRehearsal, createWeeklyRehearsal } from '../features/doctor/index.ts';
import { LIST_ROUTE } from '../features/instances/index.ts';
import type { FeaturesDeps } from './features-deps.ts';
import type { Slack } from './slack.ts';
import type { Stores } from './stores.ts';
import { alone } from '../platform/time/wait.ts';
import { createKeepAudit, createStreamAudit, createTellAuditHead } from '../core/watchdogs/keep-audit.ts';
import { createRedisLossWatchdog, type RedisLossDeps } from '../core/watchdogs/redis-loss.ts';
import {
  ACCESS_ROUTE,
  createWelcome,
  THAW,
  findLeavers,
  type WhoHolds,
  tellLeavers,
} from '../features/access/index.ts';
import { ALERTS_ROUTE } from '../features/billing/index.ts';
import { calendarOf } from '../platform/redis/clock.ts';
import { namesIn } from '../platform/redis/key.ts';
import { createAuditSink } from './audit-sink.ts';
import type { Config } from './config/config.ts';
import { asError } from '../platform/log/log.ts';
import type { Bot } from '../core/bot/bot.ts';
import type { ConfiguredAccount } from './config/accounts.ts';
import { createMoreHoldings } from './holdings.ts';
import { namedIn } from './named.ts';
import { billingFactsOf } from './doctor.ts';

/** Where the buttons of the first message lead. */
const WELCOME_ROUTES = { instances: LIST_ROUTE, alerts: ALERTS_ROUTE, access: ACCESS_ROUTE };

/** What a worker looks after beside its jobs. */
export function createWatchdogs(
  config: Config,
  given: Omit<RedisLossDeps, 'holding'> &
    Pick<Bot, 'admins' | 'access'> &
    Pick<Slack, 'identity'> &
    Stores &
    Omit<Parameters<typeof createAuditSink>[1], 'log'>,
): readonly (() => Promise<void>)[] {
  const { clock, scope } = given;
  const { now } = calendarOf(clock);
  const sink = createAuditSink(config, given);
  const botUserId = (): string | undefined => given.identity.known()?.botUserId;
  // Who takes over has looked.
  const holding = config.takeOver === undefined ? { ...given, botUserId, thawRoute: THAW.id } : undefined;
  const { head, keepMs } = config.audit;
  return [
    createWelcome(given, WELCOME_ROUTES),
    createRedisLossWatchdog({ ...given, holding }),
    createKeepAudit({ ...given, keepMs, now: clock.now }),
    ...(sink ? [createStreamAudit({ ...given, sink })] : []),
    ...(head ? [createTellAuditHead({ ...given, ...head, keepMs, now, of: namesIn(scope) })] : []),
  ].map(alone);
}

type LeaversGiven = Omit<WhoHolds, 'namedPeople' | 'moreHoldings'> &
  Pick<Bot, 'redis' | 'faultPoints' | 'log'>;

/** What is to be known of people of one account who are deactivated and hold something still. */
export function createLeavers(
  live: () => ConfiguredAccount,
  given: LeaversGiven,
): {
  /** Whom the configuration names, and where. */
  readonly namedPeople: () => readonly Names[];
  /** Throws where Slack can't say. */
  findLeavers(): Promise<readonly Leaver[]>;
  /** Tells the admins of each, once. Never throws. */
  tellLeavers(): Promise<void>;
} {
  const namedPeople = (): readonly Names[] => namedIn(live()).people;
  const deps = {
    ...given,
    namedPeople,
    moreHoldings: createMoreHoldings(given),
  };
  return {
    namedPeople,
    findLeavers: () => findLeavers(deps),
    tellLeavers: () =>
      tellLeavers(deps).catch((error: unknown) =>
        given.log.limited('telling of who has left', asError(error)),
      ),
  };
}

/** Rehearses once a week the restart of what is protected, as its daily look comes to it. Gives that look, which never throws. */
export function createWeekly(live: () => ConfiguredAccount, given: FeaturesDeps): () => Promise<void> {
  const findPlaces = billingFactsOf({ ...given, live });
  const deps = { ...given, changes: given.changes.instances };
  const findAlertsChannel = async (): Promise<string | undefined> =>
    (await findPlaces()).places.find(({ uses }) => uses.includes('alerts'))?.channelId;
  const weekly = createWeeklyRehearsal(deps, createRehearsal(deps), findAlertsChannel);
  return () =>
    weekly().catch((error: unknown) => given.log.limited('the rehearsal of the week', asError(error)));
}
