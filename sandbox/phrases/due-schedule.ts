import { z } from 'zod';
import { connectBlocking } from '../../src/platform/redis/connection.ts';
import { operationKeys } from '../../src/core/operations/keys.ts';
import { ALARM } from '../../src/features/billing/alerts/alarm-store.ts';
import { SCHEDULES } from '../../src/core/schedules/schedule-store.ts';
import { type Schedule, scheduleSchema } from '../../src/core/schedules/schedule-record.ts';
import { moveRecords, type Where } from '../move-records.ts';

const HALF_A_DAY_MS = 12 * 60 * 60_000;
const OPERATIONS = {
  index: operationKeys.open,
  keyOf: operationKeys.operation,
  schema: z.looseObject({}),
};
/** Numbers as great as this are moments. */
const A_MOMENT = Date.UTC(2001, 0);

/** Every open schedule, as it is written down. */
export async function readSchedules({
  redisUrl,
}: {
  readonly redisUrl: string;
}): Promise<readonly Schedule[]> {
  const redis = connectBlocking({ url: redisUrl }, () => undefined);
  const ids = await redis.zrange(SCHEDULES.index, '0', '-1');
  const records = await Promise.all(ids.map((id) => redis.hget(SCHEDULES.keyOf(id), 'record')));
  redis.disconnect();
  return records.map((record) => scheduleSchema.parse(JSON.parse(record ?? '')));
}

/**
 * Lets the next run of every schedule be due so many ms from now, as it will be some evening. `scope`: of an account among
 * several.
 */
export async function letSchedulesBeDue(sandbox: Where, inMs: number): Promise<void> {
  await moveRecords(sandbox, SCHEDULES, ({ next, ...rest }) => {
    const at = Date.now() + inMs;
    // The run after it is then half a day away at least, whatever the time is.
    return next && { ...rest, next: { ...next, at, ruleAt: at + HALF_A_DAY_MS } };
  });
}

/**
 * Lets every schedule that keeps something stopped look at it now. `leavingOut`: a day that it leaves out from then on, as in
 * "2026-12-24".
 */
export async function letSchedulesLook(sandbox: Where, leavingOut?: string): Promise<void> {
  const except = leavingOut === undefined ? undefined : [{ from: leavingOut, to: leavingOut }];
  await moveRecords(
    sandbox,
    SCHEDULES,
    ({ keeping, when, ...rest }) =>
      keeping && {
        ...rest,
        when: except ? { ...when, except } : when,
        keeping: { ...keeping, lookAt: Date.now() - 1 },
      },
  );
}

/**
 * Lets so many ms pass for every open operation, and for the alert: for the bot all that came of it so far is as much longer ago.
 * What people do within a window is then no race with it.
 */
export async function letPass(sandbox: Where, ms: number): Promise<void> {
  const earlier = (value: unknown): unknown => {
    if (typeof value === 'number' && value >= A_MOMENT) return value - ms;
    if (Array.isArray(value)) return value.map(earlier);
    if (typeof value !== 'object' || value === null) return value;
    return earlierIn(value);
  };
  const earlierIn = (value: object): object =>
    Object.fromEntries(Object.entries(value).map(([name, one]) => [name, earlier(one)]));
  await moveRecords(sandbox, OPERATIONS, earlierIn);
  await moveRecords(sandbox, ALARM, earlierIn);
}
