import type { WayOut } from '../platform/http/way-out.ts';
import type { Log } from '../platform/log/log.ts';
import { createSlackLogger } from '../platform/slack/bolt.ts';
import { createPoolFetch, SLACK_CONNECTIONS } from '../platform/slack/pool-fetch.ts';
import { botsOf, type Fleet } from './fleet.ts';
import { createHosting } from './hosting.ts';
import type { SharedRedis } from './redis.ts';
import type { TryKeys } from './settings.ts';
import { createTryKeys } from './try-keys.ts';
import { createTrySlackTokens } from './try-slack-tokens.ts';
import type { Setups } from './workspace-bot.ts';

/** A new key that is refused is no reason for an alarm: the bot works with the one before. */
const UNCOUNTED = { hostingCall: (): void => undefined };

/** Builds what tries keys and tokens that changed in files, beside all that is under way with those before. */
export function createTrial({
  accounts,
  shared,
  wayOut,
  fleet,
  log,
}: {
  readonly accounts: Setups;
  readonly shared: SharedRedis;
  readonly wayOut: WayOut;
  /** What is built after this, and works with the keys before. */
  readonly fleet: () => Pick<Fleet, 'workspaces' | 'identityIn'>;
  readonly log: Log;
}): TryKeys {
  const [{ config, timings }] = accounts;
  const { apiUrl } = config.slack;
  const fetch = createPoolFetch(apiUrl, wayOut.open(SLACK_CONNECTIONS));
  return createTryKeys({
    serviceOf: (name) => ({
      hostingOf: (of) => {
        const setup = accounts.find(({ account }) => account?.name === name);
        if (!setup) throw new Error('trying a key: there is no such account');
        const given = { ...setup, config: of, metrics: UNCOUNTED, wayOut, log };
        return createHosting({ ...given, redis: shared.failFast, now: shared.clock.now });
      },
      findShown: async () =>
        botsOf(fleet())
          .find(({ setup }) => setup.account?.name === name)
          ?.hosting.findShown(),
    }),
    trySlackTokens: createTrySlackTokens({
      identity: () => fleet().identityIn(undefined),
      timeoutMs: timings.slackTimeoutMs,
      logger: createSlackLogger(log),
      fetch,
    }),
  });
}
