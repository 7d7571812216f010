import { idOf } from '../../platform/id.ts';
import type { Phrase } from '../../platform/slack/phrase.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../platform/time/duration.ts';
import { TOLD_BEFORE_MS, keptAfter, looksAt, withoutKeeping } from './keeping.ts';
import { nextRuns, type Run } from './next-runs.ts';
import { type OpenRun, type Schedule, isShownOtherwise } from './schedule-record.ts';

/** The steps of a schedule. Times are Unix ms. Pure. */

/** A run that could not begin by then is not run any more. */
export const MISSED_AFTER_MS = 30 * MINUTE_MS;
/** By so much a stop is put off by one press. */
export const LATER_MS = HOUR_MS;
/** Pauses between tries of a run that can't be begun yet; the last for all further ones. */
const TRY_AGAIN_MS = [5_000, 15_000, 60_000];

export type NewSchedule = Pick<Schedule, 'id' | 'owner' | 'channelId' | 'target' | 'when' | 'turns'>;

/** What the audit keeps as its target: the one instance that it is about; nothing for several, or filters. Pure. */
export function onlyTarget({ target }: Pick<Schedule, 'target'>): {
  readonly target?: { readonly id: string; readonly name: string };
} {
  const [only, another] = 'instances' in target ? target.instances : [];
  return only && !another ? { target: { id: only.id, name: only.name } } : {};
}

export function newSchedule(given: NewSchedule, now: number): Schedule {
  return { ...given, createdAt: now, ...nextAfter(given, now) };
}

/** The request and batch of a run: the same for every process that opens it. */
export function batchIdOf({ id }: Pick<Schedule, 'id'>, { ruleAt }: Pick<OpenRun, 'ruleAt'>): string {
  return idOf(`schedule ${id} ${ruleAt}`);
}

/** The id of the message that warns of a stop: another once it was put off. */
export function warningIdOf(
  { id }: Pick<Schedule, 'id'>,
  { warnedAt = 0 }: Pick<NonNullable<Schedule['next']>, 'warnedAt'>,
): string {
  return `schedule-${id}-${warnedAt}`;
}

/** The channel is warned of the next stop. */
export function warned(schedule: Schedule, now: number): Schedule | undefined {
  const { next } = schedule;
  return next && next.warnedAt === undefined ? { ...schedule, next: { ...next, warnedAt: now } } : undefined;
}

/** The next run is opened: from now on it is this one, and the one after it comes next. */
export function opened(schedule: Schedule, now: number): Schedule | undefined {
  const { next, open, closed: end } = schedule;
  if (!next || open || end || now < next.at) return undefined;
  const { verb: what, at, ruleAt, warnedAt, isAgain } = next;
  const { paused: _, ...rest } = withoutNext(schedule);
  return {
    ...(isAgain ? rest : withoutKeeping(rest)),
    open: { verb: what, at, ruleAt, warnedAt, nextTryAt: now, tries: 0 },
    ...nextAfter(schedule, next.ruleAt),
  };
}

/** The next run is left out by now, and the one after it comes next, if there is one. */
export function passedOver(schedule: Schedule, now: number): Schedule | undefined {
  const { next, closed: end } = schedule;
  if (!next || end) return undefined;
  return overIfDone({ ...withoutNext(schedule), ...nextAfter(schedule, next.ruleAt) }, now);
}

/** What was due too long ago is left out. Gives the runs as well. */
export function missed(
  schedule: Schedule,
  now: number,
): { readonly schedule: Schedule; readonly count: number } | undefined {
  const { next, open } = schedule;
  if (!next || open || now - next.at <= MISSED_AFTER_MS) return undefined;
  const latest = now - MISSED_AFTER_MS;
  const others = runsBetween(schedule, next.ruleAt, latest);
  const after = { ...withoutNext(schedule), ...nextAfter(schedule, others.at(-1)?.at ?? next.ruleAt) };
  const last = { verb: next.verb, at: next.at, result: 'not run' as const };
  return { schedule: overIfDone({ ...after, last }, now), count: others.length + 1 };
}

const MAX_MISSED = 200;

function runsBetween({ when }: Schedule, after: number, before: number): readonly Run[] {
  return nextRuns(when, after, MAX_MISSED).filter(({ at }) => at < before);
}

/** The open run can't begin yet. */
export function putOff(schedule: Schedule, run: OpenRun, why: Phrase, now: number): Schedule | undefined {
  const { open } = schedule;
  if (open?.ruleAt !== run.ruleAt || open.tries !== run.tries) return undefined;
  const pauseMs = TRY_AGAIN_MS[Math.min(open.tries, TRY_AGAIN_MS.length - 1)] ?? 0;
  return { ...schedule, open: { ...open, tries: open.tries + 1, nextTryAt: now + pauseMs, why: [...why] } };
}

/** The open run has come to its end here: its batch goes on by itself, or there is none. */
export function finished(
  schedule: Schedule,
  { ruleAt }: OpenRun,
  result: NonNullable<Schedule['last']>['result'],
  now: number,
): Schedule | undefined {
  const { open, ...rest } = schedule;
  if (open?.ruleAt !== ruleAt) return undefined;
  const after = keptAfter({ ...rest, last: { verb: open.verb, at: open.at, result } }, now);
  return result === 'no right' ? pausedNow(after, { at: now }) : overIfDone(after, now);
}

/** Paused until a time; undefined where no run comes after it. */
export function paused(schedule: Schedule, how: NonNullable<Schedule['paused']>): Schedule | undefined {
  if (schedule.closed) return undefined;
  const after = pausedNow(schedule, how);
  return after.next ? after : undefined;
}

function pausedNow(schedule: Schedule, how: NonNullable<Schedule['paused']>): Schedule {
  const rest = withoutKeeping(withoutNext(schedule));
  if (how.until === undefined) return { ...rest, paused: how };
  return { ...rest, ...nextAfter(schedule, how.until - 1), paused: how };
}

/** It goes on from now on. */
export function resumed(schedule: Schedule, now: number): Schedule | undefined {
  const { paused: was, ...rest } = schedule;
  if (!was || schedule.closed) return undefined;
  return overIfDone({ ...withoutNext(rest), ...nextAfter(schedule, now) }, now);
}

/** Whether it is paused at `now`. */
export function isPaused({ paused: how }: Schedule, now: number): boolean {
  return how !== undefined && (how.until === undefined || now < how.until);
}

/** The next run is left out, where it is still the one that is due at `at`. */
export function skipped(schedule: Schedule, at: number, by: string, now: number): Schedule | undefined {
  const { next, closed: end } = schedule;
  if (end || next?.at !== at) return undefined;
  return overIfDone(
    {
      ...withoutKeeping(withoutNext(schedule)),
      ...nextAfter(schedule, next.ruleAt),
      skipped: { at, by, doneAt: now },
    },
    now,
  );
}

/** The next run comes at `to`, where it is still the one that is due at `at`; its channel is warned again. */
export function later(
  schedule: Schedule,
  at: number,
  to: number,
  { by, now }: { readonly by: string; readonly now: number },
): Schedule | undefined {
  const { next, closed: end } = schedule;
  if (end || next?.at !== at) return undefined;
  const { warnedAt: _, heldBy: __, ...run } = next;
  return { ...schedule, next: { ...run, at: to, laterBy: by, laterAt: now } };
}

/** The run after the next one; undefined where there is none. */
export function runAfterNext({ when, next }: Schedule): Run | undefined {
  return next && nextRuns(when, next.ruleAt, 1)[0];
}

export function closed(schedule: Schedule, how: NonNullable<Schedule['closed']>): Schedule | undefined {
  return schedule.closed ? undefined : { ...withoutNext(schedule), closed: how };
}

function withoutNext(schedule: Schedule): Schedule {
  const { next: _, ...rest } = schedule;
  return rest;
}

function nextAfter({ when }: Pick<Schedule, 'when'>, afterMs: number): Pick<Schedule, 'next'> {
  const [run] = nextRuns(when, afterMs, 1);
  return run ? { next: { verb: run.verb, at: run.at, ruleAt: run.at } } : {};
}

/** Whether no run comes any more, and none is open. */
function isOver({ next, open, paused: how }: Schedule): boolean {
  return !next && !open && !how;
}

function overIfDone(schedule: Schedule, now: number): Schedule {
  return isOver(schedule) ? { ...schedule, closed: { at: now, why: 'over' } } : schedule;
}

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
