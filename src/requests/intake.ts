import { setTimeout as wait } from 'node:timers/promises';
import type { Ask } from '../feature.ts';
import type { Log } from '../log/log.ts';
import type { WorkQueue } from '../queue/queue.ts';
import type { RedisClock } from '../redis/clock.ts';
import type { Timings } from '../timings.ts';
import { REQUEST_JOB } from './request-job.ts';
import { NotWritten, type RequestStore } from './request-store.ts';

/** Takes requests in: what was acknowledged is durable, and what the person was told was not done, is not done. */
export interface Intake {
  /**
   * Writes a request down and wakes its job. `not taken`: nothing will be done. `unsure`: the answer was lost and it
   * could not be taken back in time.
   */
  take(ask: Ask): Promise<'taken' | 'not taken' | 'unsure'>;
  /** Whether a delivery comes for the first time; true when nobody can tell. */
  isFirst(deliveryId: string): Promise<boolean>;
  stop(): void;
}

const REVOKE_EVERY_MS = 200;
const REVOKE_TRIES = 1_500;
/** Well before the sweep looks at what stands unanswered, in parts of the time for writing down. */
const REVOKE_SHARE = 1.6;

export function createIntake(deps: {
  requests: RequestStore;
  queue: WorkQueue;
  clock: RedisClock;
  timings: Timings;
  log: Log;
}): Intake {
  const { requests, queue, clock, timings, log } = deps;
  const stopping = new AbortController();

  /** The write may have arrived although its answer did not: it is taken back as soon as Redis answers. */
  const revoke = async (requestId: string): Promise<void> => {
    for (let tries = 0; tries < REVOKE_TRIES && !stopping.signal.aborted; tries++) {
      try {
        return await requests.revoke(requestId);
      } catch {
        await wait(REVOKE_EVERY_MS, undefined, { ref: false });
      }
    }
  };
  /** Whether it was taken back before the sweep could find it. */
  const revokedInTime = async (ask: Ask): Promise<boolean> => {
    const until = ask.askedAt + timings.writeDownWithinMs * REVOKE_SHARE;
    const revoked = revoke(ask.id).then(() => clock.now() < until);
    const late = wait(Math.max(0, until - clock.now()), false, { ref: false });
    return Promise.race([revoked, late]);
  };

  return {
    take: async (ask) => {
      try {
        const result = await requests.accept(ask);
        if (result === 'seen') return 'taken';
      } catch (error) {
        log.warn({ request: ask.id, error }, 'writing a request down');
        if (error instanceof NotWritten) return 'not taken';
        return (await revokedInTime(ask)) ? 'not taken' : 'unsure';
      }
      // Not awaited: the acknowledgement hangs on the record alone, and the sweep repairs a lost wake.
      queue
        .wake(REQUEST_JOB, ask.id)
        .catch((error: unknown) => log.warn({ request: ask.id, error }, 'waking a request'));
      return 'taken';
    },
    isFirst: (deliveryId) => requests.isFirst(deliveryId).catch(() => true),
    stop: () => stopping.abort(),
  };
}
