import { DAY_MS } from '../../platform/time/duration.ts';
import { looksAt, TOLD_BEFORE_MS } from './keeping.ts';
import { MISSED_AFTER_MS } from './schedule.ts';
import type { Schedule } from './schedule-record.ts';
import { isShownOtherwise } from './turning.ts';

/** One that is paused until somebody resumes it, and nobody does for so long, is removed. */
const MAX_PAUSE_MS = 90 * DAY_MS;

/** What is to be done with a schedule, and when (Unix ms). */
export type Due = {
  readonly what: 'show' | 'warn' | 'look' | 'open' | 'miss' | 'run' | 'forget';
  readonly at: number;
};

/** What comes next of a schedule; undefined where nothing does any more. `now`: Unix ms. Pure. */
export function whatIsDue(schedule: Schedule, now: number): Due | undefined {
  const { closed: end, open, next, paused: pause } = schedule;
  if (isShownOtherwise(schedule)) return { what: 'show', at: 0 };
  if (end) return undefined;
  if (open) return { what: 'run', at: open.nextTryAt };
  if (next && isWarnedOf(schedule, next) && now < next.at)
    return { what: 'warn', at: next.at - TOLD_BEFORE_MS };
  const lookAt = looksAt(schedule);
  if (next && lookAt !== undefined && now < next.at) return { what: 'look', at: lookAt };
  if (next) return { what: now - next.at > MISSED_AFTER_MS ? 'miss' : 'open', at: next.at };
  return { what: 'forget', at: (pause?.at ?? schedule.createdAt) + MAX_PAUSE_MS };
}

/** Whether its channel is to be warned of a run: of a stop, unless that was asked for shortly before. */
function isWarnedOf(
  { turns, when, createdAt }: Schedule,
  { verb: what, warnedAt, laterBy }: NonNullable<Schedule['next']>,
): boolean {
  const askedAt = when.kind === 'once' && laterBy === undefined ? when.at : undefined;
  const isSoon = turns !== undefined && askedAt !== undefined && askedAt - createdAt < 2 * TOLD_BEFORE_MS;
  return what === 'stop' && warnedAt === undefined && !isSoon;
}

/** When somebody has to look at it, Unix ms, or that nobody has to any more. Pure. */
export function dueAtOf(schedule: Schedule): number | 'closed' {
  return whatIsDue(schedule, 0)?.at ?? 'closed';
}
