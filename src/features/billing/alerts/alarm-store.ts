import type { RedisConnection } from '../../../platform/redis/connection.ts';
import { key } from '../../../platform/redis/key.ts';
import { createOneRecord, type OneRecord } from '../../../core/records/one-record.ts';
import { type Commit, together } from '../../../core/records/commit.ts';
import type { With } from '../../../core/records/records.ts';
import { type Alarm, alarmSchema, NO_ALARM } from './alarm.ts';
import { sightsBetween } from './sights.ts';

/** Hash: version and record of what is known and reported of the balance, or of the month. */
export const alarmKey = key('alarm');

/** Where the one alarm of the account is kept. */
export type AlarmStore = OneRecord<Alarm>;

export function createAlarmStore(redis: RedisConnection): AlarmStore {
  const store = createOneRecord(redis, { key: alarmKey, schema: alarmSchema, none: NO_ALARM });
  // What an alert did is recorded with the step by which it did.
  const recorded =
    <Code extends string>(beside: With<Alarm, Code>) =>
    async (next: Alarm, before: Alarm): Promise<Commit<Code | 'moved'>> =>
      together<Code | 'moved'>(typeof beside === 'function' ? await beside(next, before) : beside, {
        audit: sightsBetween(before, next),
      });
  return {
    get: store.get,
    change: <Code extends string = never>(
      step: (alarm: Alarm) => Alarm | undefined,
      beside: With<Alarm, Code> = {},
    ) => store.change<Code>(step, recorded<Code>(beside)),
    moving: (step, beside = {}) => store.moving(step, recorded<never>(beside)),
  };
}
