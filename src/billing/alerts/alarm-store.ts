import type { RedisConnection } from '../../redis/connection.ts';
import { keys } from '../../redis/keys.ts';
import { createRecordStore, type RecordStore } from '../../redis/record-store.ts';
import { type Alarm, alarmSchema, NO_ALARM } from './alarm.ts';

/** Where the one alarm of the account is kept. */
export type AlarmStore = RecordStore<Alarm>;

export function createAlarmStore(redis: RedisConnection): AlarmStore {
  return createRecordStore(redis, keys.alarm, alarmSchema, NO_ALARM);
}
