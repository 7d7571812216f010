import type { RedisConnection } from '../../../platform/redis/connection.ts';
import { billingKeys } from '../keys.ts';
import { createOneRecord, type OneRecord } from '../../../core/records/one-record.ts';
import { type Alarm, alarmSchema, NO_ALARM } from './alarm.ts';

/** Where the one alarm of the account is kept. */
export type AlarmStore = OneRecord<Alarm>;

export function createAlarmStore(redis: RedisConnection): AlarmStore {
  return createOneRecord(redis, { key: billingKeys.alarm, schema: alarmSchema, none: NO_ALARM });
}
