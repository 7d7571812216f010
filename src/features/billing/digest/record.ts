import { z } from 'zod';
import type { WokenOne } from '../../../core/records/job.ts';
import { key } from '../../../platform/redis/key.ts';
import type { OneKind, OneRecord } from '../../../core/records/one-record.ts';
import { nextAt, type Schedule, scheduleSchema } from './schedule.ts';

/** How often the digest that is due was tried. Times are the calendar's, Unix ms, as in all of the record. */
const attemptSchema = z.object({
  /** Which one it is: the one that was due then. */
  of: z.number(),
  startedAt: z.number(),
  /** It is tried again then. */
  dueAt: z.number(),
  failures: z.int(),
});
export type Attempt = z.infer<typeof attemptSchema>;

/** When the digest comes next and where, and how often the one that is due was tried. */
const recordSchema = z.object({
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
export type DigestRecord = z.infer<typeof recordSchema>;
export type SetDigest = NonNullable<DigestRecord['set']>;

export type DigestStore = OneRecord<DigestRecord>;

/** The digest that is sent again and again. */
export const DIGEST: OneKind<DigestRecord> & WokenOne<DigestRecord> = {
  job: 'billing.digest',
  id: 'digest',
  isSeldom: true,
  isByCalendar: true,
  key: key('digest'),
  schema: recordSchema,
  none: {},
  dueAt: ({ set, attempt }) => {
    if (!set) return Number.POSITIVE_INFINITY;
    return attempt?.of === set.dueAt ? attempt.dueAt : set.dueAt;
  },
};

/** The record with a schedule of its own, from now on. */
export function scheduled(
  record: DigestRecord,
  schedule: Schedule,
  channelId: string,
  by: string,
  now: number,
): DigestRecord {
  return { ...untried(record), set: { schedule, channelId, by, dueAt: nextAt(schedule, now) } };
}

/** The record without a schedule. */
export function switchedOff(record: DigestRecord): DigestRecord {
  const { set: _, ...rest } = untried(record);
  return rest;
}

/** How often the digest that is due was tried; nothing of one before it counts. */
export function attemptOf({ attempt }: DigestRecord, { dueAt }: SetDigest, now: number): Attempt {
  return attempt?.of === dueAt ? attempt : { of: dueAt, startedAt: now, dueAt: now, failures: 0 };
}

/** The record whose digest is tried again; undefined where another has ended it, or it was set again meanwhile. */
export function putOff(record: DigestRecord, attempt: Attempt): DigestRecord | undefined {
  return record.set?.dueAt === attempt.of ? { ...record, attempt } : undefined;
}

/** The record with the next one's date; undefined where another ended the one due at `dueAt`, or it was set again meanwhile. */
export function endedAt(record: DigestRecord, dueAt: number, now: number): DigestRecord | undefined {
  const { set } = record;
  if (!set || set.dueAt !== dueAt) return undefined;
  // A late one is not made up for by two at once.
  return { ...untried(record), set: { ...set, dueAt: nextAt(set.schedule, now) } };
}

function untried(record: DigestRecord): DigestRecord {
  const { attempt: _, ...rest } = record;
  return rest;
}
