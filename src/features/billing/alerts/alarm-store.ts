import { key } from '../../../platform/redis/key.ts';
import type { OneKind, OneRecord } from '../../../core/records/one-record.ts';
import { type Alarm, alarmSchema, NO_ALARM } from './alarm.ts';
import { sightsBetween } from './sights.ts';

export type AlarmStore = OneRecord<Alarm>;

/** What is known and reported of the balance, or of the month. `id`: that of its jobs. */
export const ALARM: OneKind<Alarm> & { readonly id: string } = {
  id: 'alarm',
  key: key('alarm'),
  schema: alarmSchema,
  none: NO_ALARM,
  // What an alert did is recorded with the step by which it did.
  says: (after, before) => ({ audit: sightsBetween(before, after) }),
};
