import { entryOf } from '../audit/entry.ts';
import type { Ask } from '../ask/ask.ts';
import { isWrite, type Route } from './route.ts';
import type { JobHandler } from '../../platform/queue/run-job.ts';
import { SERVED_FOR_MS } from '../../platform/slack/response-url.ts';
import type { Traces } from '../../platform/traces/traces.ts';
import type { RedisClock } from '../../platform/redis/clock.ts';
import { ofUnknown, cameBefore } from './decide.ts';
import { queuedForCalls } from './messages.ts';
import { tooLate } from '../ask/messages.ts';
import { type HostingError, isPutOff } from '../../platform/hosting/hosting-error.ts';
import { requestOf } from '../operations/spans.ts';
import type { Answer } from './answer.ts';
import type { Decided, RequestStore } from './request-store.ts';
import type { Parts } from '../parts/parts.ts';

export const REQUEST_JOB = 'request';

/** The first pause; later ones grow with the age of the request, since an answer whose delivery nobody confirms comes again. */
const AGAIN_AFTER_MS = 1_000;

/** How long a change stays queued, and why. */
interface Wait {
  readonly waitMs: number;
  readonly why: HostingError;
}

interface RequestJobDeps extends Pick<Parts, 'clock' | 'timings' | 'log' | 'traces' | 'audit'> {
  readonly requests: RequestStore;
  readonly routes: ReadonlyMap<string, Route>;
  readonly answer: Answer;
}

type WaitOf = (error: unknown) => Wait | undefined;

/**
 * Answers a request that was written down. Running twice is harmless: an operation begun for it is found again, a file
 * comes twice at worst, and a reply is written down before it is sent, so that nobody who read "nothing was done" is
 * proved wrong.
 */
export function createRequestJob(deps: RequestJobDeps): JobHandler {
  const { requests, routes, answer, audit, clock, timings, log } = deps;
  const decide = async (ask: Ask, isAgain: boolean, waitOf: WaitOf): ReturnType<Answer['decide']> => {
    const route = routes.get(ask.route);
    // A read changes nothing, however late, and one that ran before may have sent what it was asked for: of that
    // nobody can say that nothing was done.
    const isInTime = clock.now() - (ask.queuedUntil ?? ask.askedAt) <= timings.acceptWithinMs;
    if (route && (isInTime || !isWrite(route, ask.words))) {
      const isChange = isWrite(route, ask.words);
      const mayWait = (error: unknown): boolean => isChange && waitOf(error) !== undefined;
      return answer.decide(ask, route, { mayWait, isAgain });
    }
    log.warn({ request: ask.id, route: ask.route }, 'a request left the queue too late');
    return sayTooLate(answer, ask, route, isAgain, clock.now());
  };
  const finish = createFinish(deps);
  return async (requestId) => {
    const taken = await requests.takeUp(requestId);
    let decided: Decided | undefined;
    if (taken) {
      const { ask, isAgain, mark } = taken;
      const ageMs = clock.now() - ask.askedAt;
      const waitOf: WaitOf = (error) => decideWait(error, ask, ageMs, timings.maxQueueMs);
      const survives = await requests.surviving();
      const came = await decide(ask, isAgain, waitOf).catch((error: unknown) => {
        const wait = waitOf(error);
        if (wait) return wait;
        throw error;
      });
      if ('waitMs' in came) return enqueue(deps, taken, came);
      const { reply, isNo, isGeneral, isBegun, entry } = came;
      await survives();
      if (!reply) {
        // A card says the rest, or nothing does; an attempt is kept all the same.
        if (entry) await audit.append(entry);
        // What another run answers is told by that, or by the sweep.
        if (!isBegun && !(await requests.findReply(requestId))) await finish(ask);
        return undefined;
      }
      // A refusal doesn't undo what has begun, and what is said with a beginning needs no record. Where another run has decided
      // the request, its answer is sent in place of this one.
      const result = await requests.decide(ask, reply, entry, isGeneral ? mark : undefined);
      // Another run is at it, or has asked for something: what came of it is said then. A growing pause lets one of two come to its end.
      if (result === 'again') return putOff(deps, ask);
      if (result === 'begun' && !isNo) await answer.tell(ask, reply);
      if (result === 'decided') decided = { ask, reply };
    }
    decided ??= await requests.findReply(requestId);
    if (decided && (await answer.tell(decided.ask, decided.reply)) === 'not yet') {
      // Slack's trouble passes, and nobody is left without a word for it.
      if (clock.now() - decided.ask.askedAt < SERVED_FOR_MS) return putOff(deps, decided.ask);
    }
    if (decided) await finish(decided.ask);
    else await requests.finish(requestId);
    return undefined;
  };
}

/** Keeps a request until a call to the hosting service can be made; the person reads that once. Gives for how long, ms. */
async function enqueue(
  { requests, routes, answer, clock }: RequestJobDeps,
  { ask, mark }: { readonly ask: Ask; readonly mark: string },
  { waitMs, why }: Wait,
): Promise<number> {
  const queuedUntil = clock.now() + waitMs;
  const route = routes.get(ask.route);
  // Whoever canceled it meanwhile doesn't read that it goes on by itself.
  const isQueued = await requests.enqueue({ ...ask, queuedUntil }, mark);
  if (isQueued && route && ask.queuedUntil === undefined)
    await answer.tell(ask, await answer.refuse(ask, route, queuedForCalls(why, queuedUntil)));
  return waitMs;
}

/** Leaves a request for a while, the longer the older it is. Gives for how long, ms. */
async function putOff({ requests, clock }: RequestJobDeps, { id, askedAt }: Ask): Promise<number> {
  const now = clock.now();
  const waitMs = growingPauseMs(now - askedAt);
  await requests.postpone(id, now + waitMs);
  return waitMs;
}

const NO = { isNo: true, isGeneral: true, isBegun: false } as const;

/** A change that left the queue too late, unless an earlier run carried it out. `now`: Redis' clock, Unix ms. */
async function sayTooLate(
  { refuse }: Pick<Answer, 'refuse'>,
  ask: Ask,
  route: Route | undefined,
  isAgain: boolean,
  now: number,
): ReturnType<Answer['decide']> {
  if (!route) return { reply: { lines: [tooLate()] }, ...NO, entry: undefined };
  const entry = entryOf(ask, 'expired', now, { result: 'too-late' });
  const came = isAgain ? await cameBefore(refuse, ask, route) : undefined;
  if (came) return { reply: came, isNo: false, isBegun: false, entry: ofUnknown(entry) };
  return { reply: await refuse(ask, route, tooLate()), ...NO, entry };
}

/** Forgets a request that was answered; the run that does so first tells its trace. */
function createFinish({
  requests,
  traces,
  clock,
}: {
  readonly requests: RequestStore;
  readonly traces: Pick<Traces, 'add'>;
  readonly clock: RedisClock;
}): (ask: Ask) => Promise<void> {
  return async ({ id, route, askedAt: from }) => {
    if (await requests.finish(id)) traces.add([requestOf({ id, route, from, to: clock.now() })]);
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
