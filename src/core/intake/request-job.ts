import type { Audit } from '../records/audit.ts';
import { entryOf } from '../audit/entry-of.ts';
import type { Ask } from '../ask/ask.ts';
import { isWrite, type Route } from './route.ts';
import type { Log } from '../../platform/log/log.ts';
import type { JobHandler } from '../../platform/queue/run-job.ts';
import type { RedisClock } from '../../platform/redis/clock.ts';
import { queuedForCalls } from './messages.ts';
import { tooLate } from '../ask/messages.ts';
import { type HostingError, isPutOff } from '../../platform/hosting/hosting-error.ts';
import type { Timings } from '../timings.ts';
import type { Answer } from './answer.ts';
import type { Decided, RequestStore } from './request-store.ts';

export const REQUEST_JOB = 'request';

/** How long an answer is tried: as long as Slack serves a response_url. */
const TELL_FOR_MS = 30 * 60_000;
/** The first pause; later ones grow with the age of the request, since an answer whose delivery nobody confirms comes again. */
const AGAIN_AFTER_MS = 1_000;

/** How long a change stays queued, and why. */
interface Wait {
  readonly waitMs: number;
  readonly why: HostingError;
}

type WaitOf = (error: unknown) => Wait | undefined;

/**
 * Answers a request that was written down. Running twice is harmless: an operation begun for it is found again, a file
 * comes twice at worst, and a reply is written down before it is sent, so that nobody who read "nothing was done" is
 * proved wrong.
 */
export function createRequestJob(deps: {
  requests: RequestStore;
  routes: ReadonlyMap<string, Route>;
  answer: Answer;
  audit: Audit;
  clock: RedisClock;
  timings: Timings;
  log: Log;
}): JobHandler {
  const { requests, routes, answer, audit, clock, timings, log } = deps;
  const decide = async (ask: Ask, waitOf: WaitOf): ReturnType<Answer['decide']> => {
    const route = routes.get(ask.route);
    // A read changes nothing, however late, and one that ran before may have sent what it was asked for: of that
    // nobody can say that nothing was done.
    const isInTime = clock.now() - (ask.queuedUntil ?? ask.askedAt) <= timings.acceptWithinMs;
    if (route && (isInTime || !isWrite(route, ask.words))) {
      const isChange = isWrite(route, ask.words);
      return answer.decide(ask, route, (error) => isChange && waitOf(error) !== undefined);
    }
    log.warn({ request: ask.id, route: ask.route }, 'a request left the queue too late');
    const reply = route ? await answer.refuse(ask, route, tooLate()) : { lines: [tooLate()] };
    const entry =
      route && isWrite(route, ask.words)
        ? entryOf(ask, 'expired', clock.now(), { result: 'too-late' })
        : undefined;
    return { reply, isNo: true, isBegun: false, entry };
  };
  /** Keeps a request until a call to the hosting service can be made; the person reads that once. */
  const enqueue = async (ask: Ask, { waitMs, why }: Wait): Promise<number> => {
    const queuedUntil = clock.now() + waitMs;
    const route = routes.get(ask.route);
    if (route && ask.queuedUntil === undefined)
      await answer.tell(ask, await answer.refuse(ask, route, queuedForCalls(why, queuedUntil)));
    await requests.enqueue({ ...ask, queuedUntil });
    return waitMs;
  };
  return async (requestId) => {
    const ask = await requests.find(requestId);
    let decided: Decided | undefined;
    if (ask) {
      const ageMs = clock.now() - ask.askedAt;
      const waitOf: WaitOf = (error) => decideWait(error, ask, ageMs, timings.maxQueueMs);
      const survives = await requests.surviving();
      const came = await decide(ask, waitOf).catch((error: unknown) => {
        const wait = waitOf(error);
        if (wait) return wait;
        throw error;
      });
      if ('waitMs' in came) return enqueue(ask, came);
      const { reply, isNo, isBegun, entry } = came;
      await survives();
      if (!reply) {
        // A card says the rest, or nothing does; an attempt is kept all the same.
        if (entry) await audit.append(entry);
        if (!isBegun) await requests.finish(requestId);
        return undefined;
      }
      // A refusal doesn't undo what has begun, and what is said with a beginning needs no record. Where another run has decided
      // the request, its answer is sent in place of this one.
      const result = await requests.decide(ask, reply, entry);
      if (result === 'begun' && !isNo) await answer.tell(ask, reply);
      if (result === 'decided') decided = { ask, reply };
    }
    decided ??= await requests.findReply(requestId);
    if (decided && (await answer.tell(decided.ask, decided.reply)) === 'not yet') {
      // Slack's trouble passes, and nobody is left without a word for it.
      const ageMs = clock.now() - decided.ask.askedAt;
      if (ageMs < TELL_FOR_MS) {
        const waitMs = growingPauseMs(ageMs);
        await requests.postpone(requestId, clock.now() + waitMs);
        return waitMs;
      }
    }
    await requests.finish(requestId);
    return undefined;
  };
}

/**
 * How long a change stays queued after its reading failed so; undefined where it doesn't. What is queued already was
 * promised to go on by itself, so it does where the service doesn't say for how long it takes nothing. Pure.
 */
function decideWait(
  why: unknown,
  { queuedUntil }: Pick<Ask, 'queuedUntil'>,
  ageMs: number,
  maxQueueMs: number,
): Wait | undefined {
  if (!isPutOff(why)) return undefined;
  const waitMs = why.retryAfterMs ?? (queuedUntil === undefined ? undefined : growingPauseMs(ageMs));
  return waitMs !== undefined && ageMs + waitMs <= maxQueueMs ? { waitMs, why } : undefined;
}

function growingPauseMs(ageMs: number): number {
  return Math.max(AGAIN_AFTER_MS, Math.round(ageMs / 2));
}
