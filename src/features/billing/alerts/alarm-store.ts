import type { RedisConnection } from '../../../platform/redis/connection.ts';
import { billingKeys } from '../keys.ts';
import { createRecordStore, type RecordStore } from '../../../platform/redis/record-store.ts';
import { type Alarm, alarmSchema, NO_ALARM } from './alarm.ts';

/** Where the one alarm of the account is kept. */
export type AlarmStore = RecordStore<Alarm>;

export function createAlarmStore(redis: RedisConnection): AlarmStore {
  return createRecordStore(redis, billingKeys.alarm, alarmSchema, NO_ALARM);
}
