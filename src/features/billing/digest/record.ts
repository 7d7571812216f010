import { z } from 'zod';
import type { OneRecord } from '../../../core/records/one-record.ts';
import { timeInZone } from '../../../core/schedules/when.ts';
import { key } from '../../../platform/redis/key.ts';
import { type BulletinKind, type BulletinRecord, BY_SCHEDULE, bulletinSchema } from '../bulletin/record.ts';

/** When a digest is sent, as it is kept in Redis. `weekday` counts from Monday, which is 1. */
export const scheduleSchema = z.object({
  weekday: z.int().min(1).max(7),
  ...timeInZone,
  /** Version 1.1 reads no digest without it, as during an update: a digest comes each week. */
  onlyChanges: z.literal(false).catch(false),
});
export type Schedule = Readonly<z.infer<typeof scheduleSchema>>;

type DigestRecord = BulletinRecord<Schedule>;
export type DigestStore = OneRecord<DigestRecord>;

/** The digest that is sent again and again. */
export const DIGEST: BulletinKind<Schedule> = {
  ...BY_SCHEDULE,
  job: 'billing.digest',
  id: 'digest',
  key: key('digest'),
  schema: bulletinSchema(scheduleSchema),
};
