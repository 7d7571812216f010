import { Redis } from 'ioredis';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { scheduleKeys } from '../../src/core/schedules/keys.ts';
import type { Schedule } from '../../src/core/schedules/schedule.ts';

/** Every open schedule, as it is written down. */
export async function readSchedules({ redisUrl }: Pick<Sandbox, 'redisUrl'>): Promise<readonly Schedule[]> {
  const redis = new Redis(redisUrl);
  const ids = await redis.zrange(scheduleKeys.open, '0', '-1');
  const records = await Promise.all(ids.map((id) => redis.hget(scheduleKeys.schedule(id), 'record')));
  redis.disconnect();
  return records.map((record) => JSON.parse(record ?? ''));
}

/** Lets the next run of every schedule be due so many ms from now, as it will be some evening. */
export async function letSchedulesBeDue(
  { redisUrl }: Pick<Sandbox, 'redisUrl'>,
  inMs: number,
): Promise<void> {
  const redis = new Redis(redisUrl);
  for (const id of await redis.zrange(scheduleKeys.open, '0', '-1')) {
    const [version, record] = await redis.hmget(scheduleKeys.schedule(id), 'version', 'record');
    const schedule = JSON.parse(record ?? '');
    const at = Date.now() + inMs;
    schedule.next = { ...schedule.next, at, ruleAt: at };
    const changed = { version: Number(version) + 1, record: JSON.stringify(schedule) };
    // The sweep finds what is overdue.
    await redis
      .multi()
      .hset(scheduleKeys.schedule(id), changed)
      .zadd(scheduleKeys.open, Date.now() - 60_000, id)
      .exec();
  }
  redis.disconnect();
}
