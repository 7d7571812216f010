import { alone } from '../platform/time/repeat.ts';
import { createKeepAudit } from '../core/watchdogs/keep-audit.ts';
import { createStreamAudit } from '../core/watchdogs/stream-audit.ts';
import { createTellAuditHead } from '../core/watchdogs/tell-audit-head.ts';
import { createRedisLossWatchdog, type RedisLossDeps } from '../core/watchdogs/redis-loss.ts';
import { ACCESS_ROUTE, createWelcome, THAW, type WelcomeDeps } from '../features/access/index.ts';
import { ALERTS_ROUTE } from '../features/billing/index.ts';
import { LIST_ROUTE } from '../features/instances/index.ts';
import { calendarOf } from '../platform/redis/clock.ts';
import { namesIn } from '../platform/redis/key.ts';
import { createAuditSink } from './audit-sink.ts';
import type { Config } from './config/config.ts';
import type { Slack } from './slack.ts';
import type { Stores } from './stores.ts';

/** Where the buttons of the first message lead. */
const WELCOME_ROUTES = { instances: LIST_ROUTE, alerts: ALERTS_ROUTE, access: ACCESS_ROUTE };

/** What a worker looks after beside its jobs. */
export function createWatchdogs(
  config: Config,
  given: Omit<RedisLossDeps & WelcomeDeps, 'redis' | 'routes' | 'holding'> &
    Pick<Slack, 'identity'> &
    Stores &
    Omit<Parameters<typeof createAuditSink>[1], 'log'>,
): readonly (() => Promise<void>)[] {
  const { failFast: redis, clock, scope } = given;
  const { now } = calendarOf(clock);
  const sink = createAuditSink(config, given);
  const botUserId = (): string | undefined => given.identity.known()?.botUserId;
  // Who takes over has looked.
  const holding = config.takeOver === undefined ? { ...given, botUserId, thawRoute: THAW.id } : undefined;
  const { head, keepMs } = config.audit;
  return [
    createWelcome({ ...given, redis, routes: WELCOME_ROUTES }),
    createRedisLossWatchdog({ ...given, redis, holding }),
    createKeepAudit({ ...given, redis, keepMs, now: clock.now }),
    ...(sink ? [createStreamAudit({ ...given, redis, sink })] : []),
    ...(head ? [createTellAuditHead({ ...given, ...head, keepMs, redis, now, of: namesIn(scope) })] : []),
  ].map(alone);
}
