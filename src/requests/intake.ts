import type { Ask } from '../feature.ts';
import type { Log } from '../log/log.ts';
import type { WorkQueue } from '../queue/queue.ts';
import { REQUEST_JOB } from './request-job.ts';
import type { RequestStore } from './request-store.ts';

/** Takes requests in: what was acknowledged is durable, and what the person was told was not done, is not done. */
export interface Intake {
  /** Writes a request down and wakes its job. Gives false where that is not certain; then nothing will be done. */
  take(ask: Ask): Promise<boolean>;
  /** Whether a delivery comes for the first time; true when nobody can tell. */
  isFirst(deliveryId: string): Promise<boolean>;
  stop(): void;
}

const REVOKE_EVERY_MS = 200;
const REVOKE_TRIES = 1_500;

export function createIntake(requests: RequestStore, queue: WorkQueue, log: Log): Intake {
  const revoking = new Set<NodeJS.Timeout>();

  /** The write may have arrived although its answer did not: it is taken back as soon as Redis answers. */
  const revoke = (requestId: string, triesLeft: number): void => {
    if (triesLeft === 0) return;
    const timer = setTimeout(() => {
      revoking.delete(timer);
      requests.finish(requestId).catch(() => revoke(requestId, triesLeft - 1));
    }, REVOKE_EVERY_MS);
    revoking.add(timer);
  };

  return {
    take: async (ask) => {
      try {
        const result = await requests.accept(ask);
        if (result === 'seen') return true;
      } catch (error) {
        log.warn({ request: ask.id, error }, 'writing a request down');
        revoke(ask.id, REVOKE_TRIES);
        return false;
      }
      // Not awaited: the acknowledgement hangs on the record alone, and the sweep repairs a lost wake.
      queue
        .wake(REQUEST_JOB, ask.id)
        .catch((error: unknown) => log.warn({ request: ask.id, error }, 'waking a request'));
      return true;
    },
    isFirst: (deliveryId) => requests.isFirst(deliveryId).catch(() => true),
    stop: () => revoking.forEach((timer) => clearTimeout(timer)),
  };
}
