import { versionAfter } from '../../src/platform/redis/version.ts';
import { connectBlocking } from '../../src/platform/redis/connection.ts';
import { scopedTo } from '../../src/platform/redis/scoped.ts';
import { z } from 'zod';
import { scheduleKeys } from '../../src/core/schedules/keys.ts';
import { type Schedule, scheduleSchema } from '../../src/core/schedules/schedule-record.ts';

const OVERDUE_MS = 60_000;
const HALF_A_DAY_MS = 12 * 60 * 60_000;
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
  const ids = await redis.zrange(scheduleKeys.open, '0', '-1');
  const records = await Promise.all(ids.map((id) => redis.hget(scheduleKeys.schedule(id), 'record')));
  redis.disconnect();
  return records.map((record) => scheduleSchema.parse(JSON.parse(record ?? '')));
}

/**
 * Lets the next run of every schedule be due so many ms from now, as it will be some evening. `scope`: of an account among
 * several.
 */
export async function letSchedulesBeDue(sandbox: Where, inMs: number): Promise<void> {
  await moveSchedules(sandbox, ({ next, ...rest }) => {
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
  await moveSchedules(
    sandbox,
    ({ keeping, when, ...rest }) =>
      keeping && {
        ...rest,
        when: except ? { ...when, except } : when,
        keeping: { ...keeping, lookAt: Date.now() - 1 },
      },
  );
}

interface Where {
  readonly redisUrl: string;
  readonly scope?: string;
}
type Stored = z.output<typeof recordSchema>;

async function moveSchedules(
  { redisUrl, scope = '' }: Where,
  step: (stored: Stored) => Stored | undefined,
): Promise<void> {
  const connection = connectBlocking({ url: redisUrl }, () => undefined);
  const redis = scopedTo(scope, connection);
  for (const id of await redis.zrange(scheduleKeys.open, '0', '-1')) {
    const [version, record] = await redis.hmget(scheduleKeys.schedule(id), 'version', 'record');
    const read = recordSchema.safeParse(JSON.parse(record ?? ''));
    const changed = read.success ? step(read.data) : undefined;
    if (!changed) continue;
    // The sweep finds what is overdue.
    await redis
      .multi()
      .hset(scheduleKeys.schedule(id), {
        version: versionAfter(version ?? '0'),
        record: JSON.stringify(changed),
      })
      .zadd(scheduleKeys.open, Date.now() - OVERDUE_MS, id)
      .exec();
  }
  connection.disconnect();
}
