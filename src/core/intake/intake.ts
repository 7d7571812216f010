import { setTimeout as wait } from 'node:timers/promises';
import type { Ask } from '../ask/ask.ts';
import { newId } from '../../platform/id.ts';
import type { Log } from '../../platform/log/log.ts';
import { atMost } from '../../platform/time/wait.ts';
import { unknown } from './messages.ts';
import type { RedisConnection } from '../../platform/redis/connection.ts';
import { REQUEST_JOB } from './request-job.ts';
import type { RequestStore } from './request-store.ts';
import { NotWritten } from './write-down.ts';
import type { Base } from '../base.ts';

/** Takes requests in: what was acknowledged is durable, and where the person read that nothing was done, nothing is done. */
export interface Intake {
  /**
   * Writes a request down and wakes its job. NotWritten: nothing will be done, and why. `unknown`: the answer was lost and it
   * could not be taken back in time.
   */
  take(ask: Ask): Promise<'taken' | 'unknown' | NotWritten>;
  /**
   * Writes down a read that this process is about to answer, so that another does if this one dies. `seen`: the same
   * delivery was taken before. Waits for Redis only a moment. `token`: that of `isFirst`, where that was asked.
   */
  acceptRead(ask: Ask, token?: string): Promise<'accepted' | 'not accepted' | 'duplicate'>;
  /**
   * A read was answered; `accepted`: what `acceptRead` gave. It is not answered again where Slack delivers it once more. Never throws:
   * at worst it is answered twice. Gives whether this is its end, and not another's answer to the same.
   */
  answered(ask: Ask, accepted: 'accepted' | 'not accepted'): Promise<boolean>;
  /** Whether a delivery comes for the first time; true when nobody can tell. `token`: a new one, for `acceptRead`. */
  isFirst(deliveryId: string, token?: string): Promise<boolean>;
  /** A delivery that came to nothing is the first again when it comes again. Never throws. */
  forget(deliveryId: string, token: string): Promise<void>;
  stop(): void;
}

/** A person waits for a read, and not for its record. */
const ACCEPT_READ_WITHIN_MS = 250;
const TRY_EVERY_MS = 200;
const TRIES = 1_500;
interface IntakeDeps extends Pick<Base, 'clock' | 'queue' | 'timings' | 'log'> {
  readonly requests: RequestStore;
  readonly failFast: Pick<RedisConnection, 'on' | 'off'>;
}

/** Well before the sweep wakes unanswered requests, in parts of the time for writing down. */
const REVOKE_SHARE = 1.6;

export function createIntake(deps: IntakeDeps): Intake {
  const { requests, queue, clock, timings, failFast, log } = deps;
  const stopping = new AbortController();
  const wake = (id: string, channelId?: string): Promise<void> =>
    queue
      .wakeNew(REQUEST_JOB, id, channelId)
      .catch((error: unknown) => log.warn({ request: id, error }, 'waking a request'));
  const onReady = (): void => {
    tellOfLost(deps, wake).catch((error: unknown) => log.warn({ error }, 'looking for what Redis has lost'));
  };
  failFast.on('ready', onReady);

  /** Tries until Redis answers; undefined where it stays away too long, or the process ends. */
  const onceRedisAnswers = async <T>(work: () => Promise<T>): Promise<T | undefined> => {
    for (let tries = 0; tries < TRIES && !stopping.signal.aborted; tries++) {
      try {
        return await work();
      } catch {
        await wait(TRY_EVERY_MS, undefined, { ref: false });
      }
    }
    return undefined;
  };
  /** The write may have arrived although its answer did not: it is taken back as soon as Redis answers. */
  const revoke = async (ask: Ask): ReturnType<Intake['take']> => {
    const revoked = (await onceRedisAnswers(() => requests.revoke(ask))) ?? 'unknown';
    return revoked === 'not taken' ? new NotWritten('taken back') : revoked;
  };
  /** What became of it, if that is known before the sweep could find it. */
  const revokeInTime = async (ask: Ask): ReturnType<Intake['take']> => {
    const leftMs = ask.askedAt + timings.writeDownWithinMs * REVOKE_SHARE - clock.now();
    return Promise.race([revoke(ask), wait(Math.max(0, leftMs), 'unknown' as const, { ref: false })]);
  };

  return {
    take: async (ask) => {
      try {
        const result = await requests.accept(ask);
        if (result === 'duplicate') return 'taken';
      } catch (error) {
        log.warn({ request: ask.id, error }, 'writing a request down');
        if (error instanceof NotWritten) return error;
        return revokeInTime(ask);
      }
      // Not awaited: the acknowledgement hangs on the record alone, and the sweep repairs a lost wake.
      void wake(ask.id, ask.place.channelId);
      return 'taken';
    },
    acceptRead: async (ask, token = newId()) => {
      const result = await atMost(ACCEPT_READ_WITHIN_MS, requests.acceptRead(ask, token));
      if (result === undefined) return 'not accepted';
      return result === 'duplicate' ? 'duplicate' : 'accepted';
    },
    answered: async (ask, accepted) => {
      const finish = async (): Promise<boolean> => {
        if (accepted === 'not accepted') await requests.isFirst(ask.id, newId());
        return (await requests.finish(ask.id)) || accepted === 'not accepted';
      };
      return finish().catch((error: unknown) => {
        log.warn({ request: ask.id, error }, 'finishing a read');
        // Not awaited: the person who asked has their answer, and would only get it a second time.
        void onceRedisAnswers(finish);
        return true;
      });
    },
    isFirst: async (deliveryId, token = newId()) =>
      (await atMost(ACCEPT_READ_WITHIN_MS, requests.isFirst(deliveryId, token))) ?? true,
    forget: async (deliveryId, token) => {
      await atMost(ACCEPT_READ_WITHIN_MS, requests.forget(deliveryId, token));
    },
    stop: () => {
      failFast.off('ready', onReady);
      stopping.abort();
    },
  };
}

/** Another Redis may answer from now on, which has never heard of what was acknowledged just before. */
async function tellOfLost(
  { requests, log }: { readonly requests: RequestStore; readonly log: Log },
  wake: (id: string) => Promise<void>,
): Promise<void> {
  const lost = await requests.answerLost({ lines: [unknown()] });
  for (const id of lost) {
    log.error({ request: id }, 'telling of a request that Redis has lost');
    await wake(id);
  }
}
