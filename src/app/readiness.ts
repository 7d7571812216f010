import { asError } from '../platform/log/as-error.ts';
import type { Log } from '../platform/log/log.ts';
import { createWriteCheck } from '../platform/redis/write-check.ts';
import { atMost } from '../platform/time/at-most.ts';
import type { Config } from './config/config.ts';
import type { Fleet } from './fleet.ts';
import type { SlackReceiver } from './receiver.ts';
import type { SharedRedis } from './redis.ts';

/** How far the start of this process has come. */
export interface Progress {
  isStarted: boolean;
}

/** What must hold for this process to be of use. */
export interface Readiness {
  /** By name; each gives why it doesn't hold, without any secret, or undefined. */
  readonly checks: Readonly<Record<string, () => Promise<string | undefined>>>;
  /** Says in the log what does not hold, for nobody may ask. */
  tell(): Promise<void>;
}

export interface ReadinessDeps {
  readonly config: Config;
  readonly fleet: Fleet;
  readonly shared: SharedRedis;
  readonly receiver: SlackReceiver;
  readonly progress: Readonly<Progress>;
  readonly log: Log;
}

const TOLD_WITHIN_MS = 1_500;

export function createReadiness(deps: ReadinessDeps): Readiness {
  const { config, fleet, shared, receiver, progress, log } = deps;
  const checks: Readiness['checks'] = {
    start: async () => (progress.isStarted ? undefined : 'starting'),
    redis: createWriteCheck(shared.failFast),
    slack: async () => fleet.slackFault() ?? receiver.fault(),
    ...(config.role === 'web' ? {} : { worker: async () => (fleet.isRunning() ? undefined : 'not running') }),
  };
  const tellOf = async ([name, check]: readonly [
    string,
    () => Promise<string | undefined>,
  ]): Promise<void> => {
    const fault = await atMost(TOLD_WITHIN_MS, check());
    if (fault !== undefined) log.limited('not ready', asError(`${name}: ${fault}`));
  };
  return {
    checks,
    tell: async () => {
      if (progress.isStarted) await Promise.all(Object.entries(checks).map(tellOf));
    },
  };
}
