import { z } from 'zod';
import type { WokenOne } from '../../../core/records/job.ts';
import { key } from '../../../platform/redis/key.ts';
import type { OneKind, OneRecord } from '../../../core/records/one-record.ts';
import { NOTHING_READ, type Progress, progressSchema } from './spend.ts';
import { nextAt, type Schedule, scheduleSchema } from './schedule.ts';

/**
 * The digest as it is written down: when it comes next and where, and the one that is being made.
 * Times are Redis' clock, Unix ms.
 */
const makingSchema = z.object({
  /** Which one it is: the one that was due then. */
  dueAt: z.number(),
  startedAt: z.number(),
  /** Nothing is read before that. */
  nextAt: z.number(),
  /** How often it failed since the last page that could be read. */
  failures: z.int(),
  progress: progressSchema,
});
export type Making = z.infer<typeof makingSchema>;

const planSchema = z.object({
  set: z
    .object({
      schedule: scheduleSchema,
      channelId: z.string(),
      by: z.string(),
      /** When the next one is due; what it tells of ends then. */
      dueAt: z.number(),
    })
    .optional(),
  /** The one that is being made. */
  making: makingSchema.optional(),
});
export type Plan = z.infer<typeof planSchema>;

export type PlanStore = OneRecord<Plan>;

/** The digest that is sent again and again. */
export const DIGEST: OneKind<Plan> & WokenOne<Plan> = {
  job: 'billing.digest',
  id: 'digest',
  isSeldom: true,
  isByCalendar: true,
  key: key('digest'),
  schema: planSchema,
  none: {},
  dueAt: dueAtOf,
};

/** When there is something to do next; infinity for never. Pure. */
export function dueAtOf({ set, making }: Plan): number {
  if (!set) return Number.POSITIVE_INFINITY;
  return making?.dueAt === set.dueAt ? making.nextAt : set.dueAt;
}

/** The plan with a schedule of its own, from now on. */
export function scheduled(plan: Plan, schedule: Schedule, channelId: string, by: string, now: number): Plan {
  return { ...unmade(plan), set: { schedule, channelId, by, dueAt: nextAt(schedule, now) } };
}

/** The plan without a schedule. */
export function switchedOff(plan: Plan): Plan {
  const { set: _, ...rest } = unmade(plan);
  return rest;
}

/** The digest that is being made, where it is the one due at `dueAt`; else one of which nothing was read yet. */
export function makingOf({ making }: Plan, dueAt: number, now: number): Making {
  if (making?.dueAt === dueAt) return making;
  return { dueAt, startedAt: now, nextAt: now, failures: 0, progress: NOTHING_READ };
}

/** The plan with `next` in place of `making`; undefined where another has moved it on, or it was set again meanwhile. */
export function movedOn(plan: Plan, making: Making, next: Making): Plan | undefined {
  if (plan.set?.dueAt !== making.dueAt) return undefined;
  const { progress, failures } = makingOf(plan, making.dueAt, making.startedAt);
  const isSame = progress.page === making.progress.page && failures === making.failures;
  return isSame ? { ...plan, making: next } : undefined;
}

/** The making with what was read: it goes on at once, and what failed before is forgotten. */
export function withProgress(making: Making, progress: Progress, now: number): Making {
  return { ...making, progress, failures: 0, nextAt: now };
}

/** The plan with the next one's date; undefined where another ended this one, or it was set again meanwhile. */
export function endedAt(plan: Plan, dueAt: number, now: number): Plan | undefined {
  const { set } = plan;
  if (!set || set.dueAt !== dueAt) return undefined;
  // A late one is not made up for by two at once.
  return { ...unmade(plan), set: { ...set, dueAt: nextAt(set.schedule, now) } };
}

function unmade(plan: Plan): Plan {
  const { making: _, ...rest } = plan;
  return rest;
}
