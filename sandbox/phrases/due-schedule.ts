import { versionAfter } from '../../src/platform/redis/version.ts';
import { connectBlocking } from '../../src/platform/redis/connection.ts';
import { scopedTo } from '../../src/platform/redis/scoped.ts';
import { z } from 'zod';
import { operationKeys } from '../../src/core/operations/keys.ts';
import { ALARM } from '../../src/features/billing/alerts/alarm-store.ts';
import { SCHEDULES } from '../../src/core/schedules/schedule-store.ts';
import { type Schedule, scheduleSchema } from '../../src/core/schedules/schedule-record.ts';

const OVERDUE_MS = 60_000;
const HALF_A_DAY_MS = 12 * 60 * 60_000;
/** Records of a kind: how each is found, and in which index it stands until the sweep finds it due, where it does. */
interface Kind {
  readonly index?: string;
  readonly keyOf: (id: string) => string;
}
const OPERATIONS: Kind = { index: operationKeys.open, keyOf: operationKeys.operation };
const ALERT: Kind = { keyOf: () => ALARM.key };
/** Numbers as great as this are moments. */
const A_MOMENT = Date.UTC(2001, 0);
const recordSchema = z.looseObject({
  next: z.looseObject({ at: z.number() }).optional(),
  keeping: z.looseObject({ lookAt: z.number() }).optional(),
  when: z.looseObject({}),
});

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
  await move(sandbox, SCHEDULES, (stored) => {
    const { next, ...rest } = recordSchema.parse(stored);
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
  await move(sandbox, SCHEDULES, (stored) => {
    const { keeping, when, ...rest } = recordSchema.parse(stored);
    return (
      keeping && {
        ...rest,
        when: except ? { ...when, except } : when,
        keeping: { ...keeping, lookAt: Date.now() - 1 },
      }
    );
  });
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
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, earlier(one)]));
  };
  await move(sandbox, OPERATIONS, earlier);
  await move(sandbox, ALERT, earlier);
}

interface Where {
  readonly redisUrl: string;
  readonly scope?: string;
}

async function move(
  { redisUrl, scope = '' }: Where,
  { index, keyOf }: Kind,
  step: (stored: unknown) => unknown,
): Promise<void> {
  const connection = connectBlocking({ url: redisUrl }, () => undefined);
  const redis = scopedTo(scope, connection);
  const moveOne = async (id: string): Promise<boolean> => {
    // What the bot writes meanwhile stands.
    await connection.watch(`${scope}${keyOf(id)}`);
    const [version, record] = await redis.hmget(keyOf(id), 'version', 'record');
    const changed = typeof record === 'string' ? step(JSON.parse(record)) : undefined;
    if (changed === undefined) return true;
    const writing = redis
      .multi()
      .hset(keyOf(id), { version: versionAfter(version ?? '0'), record: JSON.stringify(changed) });
    // The sweep finds what is overdue.
    if (index !== undefined) writing.zadd(index, Date.now() - OVERDUE_MS, id);
    return (await writing.exec()) !== null;
  };
  const ids = index === undefined ? [''] : await redis.zrange(index, '0', '-1');
  for (const id of ids) while (!(await moveOne(id)));
  connection.disconnect();
}
