import { asError } from '../platform/log/log.ts';
import type { JobWorker } from '../platform/queue/worker.ts';
import { createWriteCheck } from '../platform/redis/fitness.ts';
import { within } from '../platform/time/wait.ts';
import type { Fleet } from './fleet.ts';
import type { SlackReceiver } from './receiver.ts';
import type { SharedRedis } from './redis.ts';
import type { Base } from '../core/base.ts';

/** How far the start of this process has come. */
export interface Progress {
  isStarted: boolean;
}

/** What must hold for this process to be of use. */
export interface Readiness {
  /** By name; each gives why it doesn't hold, without any secret, or undefined. What has no answer in time doesn't hold. */
  readonly checks: Readonly<Record<string, () => Promise<string | undefined>>>;
  /** Says in the log what does not hold, for nobody may ask. */
  tell(): Promise<void>;
}

const ANSWERED_WITHIN_MS = 1_500;

/** `worker`: undefined where this process does not work behind the queue. */
export function createReadiness({
  worker,
  fleet,
  shared,
  receiver,
  progress,
  log,
}: Pick<Base, 'log'> & {
  readonly worker: JobWorker | undefined;
  readonly fleet: Fleet;
  readonly shared: SharedRedis;
  readonly receiver: SlackReceiver;
  readonly progress: Readonly<Progress>;
}): Readiness {
  const unlimited: Readiness['checks'] = {
    start: async () => (progress.isStarted ? undefined : 'starting'),
    redis: createWriteCheck(shared.failFast),
    slack: async () => fleet.slackFault() ?? receiver.fault(),
    ...(worker ? { worker: async () => (worker.isRunning() ? undefined : 'not running') } : {}),
  };
  const checks = Object.fromEntries(
    Object.entries(unlimited).map(([name, check]) => [
      name,
      () => within<string | undefined>(ANSWERED_WITHIN_MS, check(), 'no answer'),
    ]),
  );
  const tellOf = async ([name, check]: readonly [
    string,
    () => Promise<string | undefined>,
  ]): Promise<void> => {
    const fault = await check();
    if (fault !== undefined) log.limited('not ready', asError(`${name}: ${fault}`));
  };
  return {
    checks,
    tell: async () => {
      if (progress.isStarted) await Promise.all(Object.entries(checks).map(tellOf));
    },
  };
}
