import { versionAfter } from '../../src/platform/redis/version.ts';
import { connectBlocking } from '../../src/platform/redis/connection.ts';
import { z } from 'zod';
import { scheduleKeys } from '../../src/core/schedules/keys.ts';
import { type Schedule, scheduleSchema } from '../../src/core/schedules/schedule.ts';

const OVERDUE_MS = 60_000;
const HALF_A_DAY_MS = 12 * 60 * 60_000;
const recordSchema = z.looseObject({ next: z.looseObject({ at: z.number() }) });

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
export async function letSchedulesBeDue(
  { redisUrl, scope = '' }: { readonly redisUrl: string; readonly scope?: string },
  inMs: number,
): Promise<void> {
  const redis = connectBlocking({ url: redisUrl }, () => undefined, scope);
  for (const id of await redis.zrange(scheduleKeys.open, '0', '-1')) {
    const [version, record] = await redis.hmget(scheduleKeys.schedule(id), 'version', 'record');
    const read = recordSchema.safeParse(JSON.parse(record ?? ''));
    if (!read.success) continue;
    const { next, ...rest } = read.data;
    const at = Date.now() + inMs;
    // The run after it is then half a day away at least, whatever the time is.
    const changed = JSON.stringify({ ...rest, next: { ...next, at, ruleAt: at + HALF_A_DAY_MS } });
    // The sweep finds what is overdue.
    await redis
      .multi()
      .hset(scheduleKeys.schedule(id), { version: versionAfter(version ?? '0'), record: changed })
      .zadd(scheduleKeys.open, Date.now() - OVERDUE_MS, id)
      .exec();
  }
  redis.disconnect();
}
