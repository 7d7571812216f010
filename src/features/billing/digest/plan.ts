import { z } from 'zod';
import type { WokenOne } from '../../../core/records/job.ts';
import { key } from '../../../platform/redis/key.ts';
import type { OneKind, OneRecord } from '../../../core/records/one-record.ts';
import { nextAt, type Schedule, scheduleSchema } from './schedule.ts';

/**
 * The digest as it is written down: when it comes next and where, and how often the one that is due was tried.
 * Times are Redis' clock, Unix ms.
 */
const attemptSchema = z.object({
  /** Which one it is: the one that was due then. */
  of: z.number(),
  startedAt: z.number(),
  /** It is tried again then. */
  dueAt: z.number(),
  failures: z.int(),
});
export type Attempt = z.infer<typeof attemptSchema>;

const planSchema = z.object({
  set: z
    .object({
      schedule: scheduleSchema,
      channelId: z.string(),
      by: z.string(),
      /** When the next one is due. */
      dueAt: z.number(),
    })
    .optional(),
  attempt: attemptSchema.optional(),
});
export type Plan = z.infer<typeof planSchema>;
export type SetDigest = NonNullable<Plan['set']>;

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
  dueAt: ({ set, attempt }) => {
    if (!set) return Number.POSITIVE_INFINITY;
    return attempt?.of === set.dueAt ? attempt.dueAt : set.dueAt;
  },
};

/** The plan with a schedule of its own, from now on. */
export function scheduled(plan: Plan, schedule: Schedule, channelId: string, by: string, now: number): Plan {
  return { ...untried(plan), set: { schedule, channelId, by, dueAt: nextAt(schedule, now) } };
}

/** The plan without a schedule. */
export function switchedOff(plan: Plan): Plan {
  const { set: _, ...rest } = untried(plan);
  return rest;
}

/** How often the digest that is due was tried; nothing of one before it counts. */
export function attemptOf({ attempt }: Plan, { dueAt }: SetDigest, now: number): Attempt {
  return attempt?.of === dueAt ? attempt : { of: dueAt, startedAt: now, dueAt: now, failures: 0 };
}

/** The plan whose digest is tried again; undefined where another has ended it, or it was set again meanwhile. */
export function putOff(plan: Plan, attempt: Attempt): Plan | undefined {
  return plan.set?.dueAt === attempt.of ? { ...plan, attempt } : undefined;
}

/** The plan with the next one's date; undefined where another ended the one due at `dueAt`, or it was set again meanwhile. */
export function endedAt(plan: Plan, dueAt: number, now: number): Plan | undefined {
  const { set } = plan;
  if (!set || set.dueAt !== dueAt) return undefined;
  // A late one is not made up for by two at once.
  return { ...untried(plan), set: { ...set, dueAt: nextAt(set.schedule, now) } };
}

function untried(plan: Plan): Plan {
  const { attempt: _, ...rest } = plan;
  return rest;
}
