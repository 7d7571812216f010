import { z } from 'zod';
import { shownSchema } from '../batches/batch.ts';
import { idOf } from '../../platform/id.ts';
import { POWERS } from '../../platform/hosting/service.ts';
import { actorSchema } from '../../platform/slack/ids.ts';
import { type Phrase, phraseSchema } from '../../platform/slack/phrase.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../platform/time/duration.ts';
import { nextRuns, type Run } from './next-runs.ts';
import { whenSchema } from './when.ts';

/**
 * What one person has the bot do at certain times, as it is written down. The record decides each run: what it says was
 * opened is opened, however often its job runs. All times are Redis' clock, Unix ms. See
 * docs/decisions/0031-a-schedule-opens-its-runs.md.
 */

const verb = z.enum(POWERS);

/** What it is about: the exact instances that were named, or filters, which are read again at each run. */
export const targetSchema = z.union([
  z.object({ instances: z.array(shownSchema).min(1) }),
  z.object({ filters: z.array(z.string()).min(1) }),
]);
export type Target = z.infer<typeof targetSchema>;

/** A run that was opened and has not begun yet. */
const openSchema = z.object({
  verb,
  /** When it was due. */
  at: z.number(),
  /** When its rule puts it, which distinguishes runs: it may have been put off. */
  ruleAt: z.number(),
  /** When its channel was warned, if it was. */
  warnedAt: z.number().optional(),
  /** Nothing is tried before that. */
  nextTryAt: z.number(),
  tries: z.int(),
  /** Why the latest try came to nothing. */
  why: phraseSchema.optional(),
});
export type OpenRun = z.infer<typeof openSchema>;

export const scheduleSchema = z.object({
  id: z.string(),
  owner: actorSchema,
  channelId: z.string(),
  target: targetSchema,
  when: whenSchema,
  createdAt: z.number(),
  /** The run that comes next; undefined where there is none. `warnedAt`: when its channel was warned. */
  next: z
    .object({
      verb,
      at: z.number(),
      ruleAt: z.number(),
      warnedAt: z.number().optional(),
      /** Who put it off last. */
      laterBy: z.string().optional(),
    })
    .optional(),
  /** Set while it is paused. `until`: when it goes on by itself; `by`: who paused it, or the bot itself. */
  paused: z.object({ at: z.number(), until: z.number().optional(), by: z.string().optional() }).optional(),
  /** The latest run that somebody skipped. */
  skipped: z.object({ at: z.number(), by: z.string() }).optional(),
  open: openSchema.optional(),
  /** How the latest run went. */
  last: z
    .object({ verb, at: z.number(), result: z.enum(['begun', 'nothing', 'not run', 'no right']) })
    .optional(),
  closed: z
    .object({
      at: z.number(),
      why: z.enum(['removed', 'over', 'paused for long']),
      by: z.string().optional(),
    })
    .optional(),
});
export type Schedule = z.infer<typeof scheduleSchema>;

/** A run that could not begin by then is not run any more. */
export const MISSED_AFTER_MS = 30 * MINUTE_MS;
/** So long before a stop its channel is warned. */
const WARN_MS = 10 * MINUTE_MS;
/** By so much a stop is put off by one press. */
export const LATER_MS = HOUR_MS;
/** One that is paused until somebody resumes it, and nobody does for so long, is removed. */
const MAX_PAUSE_MS = 90 * DAY_MS;
/** Pauses between tries of a run that can't be begun yet; the last for all further ones. */
const TRY_AGAIN_MS = [5_000, 15_000, 60_000];

export type NewSchedule = Pick<Schedule, 'id' | 'owner' | 'channelId' | 'target' | 'when'>;

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

/** What is to be done with a schedule, and when (Unix ms). */
export type Due = {
  readonly what: 'warn' | 'open' | 'miss' | 'run' | 'forget';
  readonly at: number;
};

/** What comes next of a schedule; undefined where nothing does any more. `now`: Unix ms. Pure. */
export function whatIsDue(schedule: Schedule, now: number): Due | undefined {
  const { closed: end, open, next, paused: pause } = schedule;
  if (end) return undefined;
  if (open) return { what: 'run', at: open.nextTryAt };
  if (next && next.verb === 'stop' && next.warnedAt === undefined && now < next.at)
    return { what: 'warn', at: next.at - WARN_MS };
  if (next) return { what: now - next.at > MISSED_AFTER_MS ? 'miss' : 'open', at: next.at };
  return { what: 'forget', at: (pause?.at ?? schedule.createdAt) + MAX_PAUSE_MS };
}

/** When somebody has to look at it, Unix ms, or that nobody has to any more. Pure. */
export function dueAtOf(schedule: Schedule): number | 'closed' {
  return whatIsDue(schedule, 0)?.at ?? 'closed';
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
  const { verb: what, at, ruleAt, warnedAt } = next;
  const { paused: _, ...rest } = withoutNext(schedule);
  return {
    ...rest,
    open: { verb: what, at, ruleAt, warnedAt, nextTryAt: now, tries: 0 },
    ...nextAfter(schedule, next.ruleAt),
  };
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
  const after: Schedule = { ...rest, last: { verb: open.verb, at: open.at, result } };
  return result === 'no right' ? pausedNow(after, { at: now }) : overIfDone(after, now);
}

/** Paused until a time; undefined where no run comes after it. */
export function paused(schedule: Schedule, how: NonNullable<Schedule['paused']>): Schedule | undefined {
  if (schedule.closed) return undefined;
  const after = pausedNow(schedule, how);
  return after.next ? after : undefined;
}

function pausedNow(schedule: Schedule, how: NonNullable<Schedule['paused']>): Schedule {
  const rest = withoutNext(schedule);
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
    { ...withoutNext(schedule), ...nextAfter(schedule, next.ruleAt), skipped: { at, by } },
    now,
  );
}

/** The next run comes an hour later, where it is still the one that is due at `at`; its channel is warned again. */
export function later(schedule: Schedule, at: number, by: string): Schedule | undefined {
  const { next, closed: end } = schedule;
  if (end || next?.at !== at) return undefined;
  const { warnedAt: _, ...run } = next;
  return { ...schedule, next: { ...run, at: at + LATER_MS, laterBy: by } };
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
