import type { Route } from '../feature.ts';
import type { Log } from '../log/log.ts';
import type { WorkQueue } from '../queue/queue.ts';
import type { JobHandler } from '../queue/worker.ts';
import type { RedisClock } from '../redis/clock.ts';
import { tooLate } from './messages.ts';
import type { Responder } from '../slack/responder.ts';
import type { Timings } from '../timings.ts';
import type { Answer } from './answer.ts';
import type { RequestStore } from './request-store.ts';

export const REQUEST_JOB = 'request';

/** Answers a request that was written down. Running twice is harmless: an operation begun for it is found again. */
export function createRequestJob(deps: {
  requests: RequestStore;
  routes: ReadonlyMap<string, Route>;
  answer: Answer;
  responder: Responder;
  clock: RedisClock;
  timings: Timings;
  log: Log;
}): JobHandler {
  const { requests, routes, answer, responder, clock, timings, log } = deps;
  return async (requestId) => {
    const ask = await requests.find(requestId);
    const route = ask && routes.get(ask.route);
    if (ask && route && clock.now() - ask.askedAt <= timings.acceptWithinMs) await answer(ask, route);
    else if (ask) {
      log.warn({ request: requestId, route: ask.route }, 'a request came to its turn too late');
      await responder.tell(ask, { lines: [tooLate()] }).catch(() => undefined);
    }
    await requests.finish(requestId);
    return undefined;
  };
}

/** Puts back the job of every request that still stands unanswered. */
export function createRequestSweep(deps: {
  requests: RequestStore;
  queue: WorkQueue;
  clock: RedisClock;
  timings: Timings;
}): () => Promise<void> {
  const { requests, queue, clock, timings } = deps;
  return async () => {
    // Longer than a person's wait: what could not be written down for certain is revoked before this.
    const before = clock.now() - 2 * timings.writeDownWithinMs;
    for (const id of await requests.listOpen(before)) await queue.ensure(REQUEST_JOB, id);
  };
}
