import { MINUTE_MS } from '../../platform/time/duration.ts';
import type { Schedule } from './schedule-record.ts';

/**
 * Keeping stopped what a schedule stopped, until its next start: one that was asked to looks every few minutes, and puts one more
 * stop before its next run where something was started. That stop is announced, put off and left out as any other. Times are
 * Unix ms. Pure.
 */

/** So long after a stop, or a look, comes the next look. */
const LOOK_MS = 10 * MINUTE_MS;
/** So long before any stop its channel reads of it. */
export const TOLD_BEFORE_MS = 10 * MINUTE_MS;
/** So often it stops again until the next start: whoever starts it once more means it. */
export const MOST_AGAIN = 3;

/** When it is to look next; undefined where it keeps nothing stopped just now. */
export function looksAt({ keeping, next }: Schedule): number | undefined {
  if (!keeping || next?.verb !== 'start') return undefined;
  return keeping.lookAt < next.at - 2 * TOLD_BEFORE_MS ? keeping.lookAt : undefined;
}

/** After a run: from a stop on, it keeps stopped. */
export function keptAfter(schedule: Schedule, now: number): Schedule {
  const { when, last, keeping } = schedule;
  const isToKeep = when.kind === 'weekly' && when.keeps === true;
  // A stop that wasn't run isn't made up for: its channel read that it won't be.
  const isStopped = keeping !== undefined || last?.result === 'begun' || last?.result === 'nothing';
  if (!isToKeep || last?.verb !== 'stop' || !isStopped) return withoutKeeping(schedule);
  return { ...schedule, keeping: { lookAt: now + LOOK_MS, times: keeping?.times ?? 0 } };
}

/** It has looked, and nothing was started. */
export function looked(schedule: Schedule, now: number): Schedule | undefined {
  const { keeping } = schedule;
  return keeping && { ...schedule, keeping: { ...keeping, lookAt: now + LOOK_MS } };
}

/** One more stop comes before its next run, of which its channel is told with the same step. */
export function stoppedAgain(schedule: Schedule, now: number): Schedule | undefined {
  const { keeping, next } = schedule;
  if (!keeping || next?.verb !== 'start' || isEnough(schedule)) return undefined;
  return {
    ...schedule,
    next: { verb: 'stop', at: now + TOLD_BEFORE_MS, ruleAt: now, warnedAt: now, isAgain: true },
    keeping: { lookAt: now + TOLD_BEFORE_MS + LOOK_MS, times: keeping.times + 1 },
  };
}

/** Whether it has stopped so often again that it leaves alone what is started once more. */
export function isEnough({ keeping }: Schedule): boolean {
  return keeping !== undefined && keeping.times >= MOST_AGAIN;
}

/** It keeps nothing stopped any more, until its next stop. */
export function withoutKeeping(schedule: Schedule): Schedule {
  const { keeping: _, ...rest } = schedule;
  return rest;
}
