import { operationKeys } from '../../src/core/operations/keys.ts';
import { OPEN_KEPT_MS } from '../../src/core/records/records.ts';
import type { watchRedis } from './redis.ts';
import { idsOf, nameOfId, type WorldSize } from './restart-world.ts';

type Redis = ReturnType<typeof watchRedis>['client'];

const AT_ONCE = 1_000;

/**
 * Makes a number of pending operations out of the one that is pending, each about an instance of its own: what so many
 * restarts leave in Redis while the host is at work. Throws where none is pending.
 */
export async function multiplyPending(redis: Redis, size: WorldSize): Promise<void> {
  const [id] = await redis.zrange(operationKeys.watched, '0', '0');
  if (id === undefined) throw new Error('no operation is pending');
  const hash = await redis.hgetall(operationKeys.operation(id));
  const { subject } = JSON.parse(hash['record'] ?? '{}') as { subject: { id: string; name: string } }; // written by the bot
  const dueAt = (await redis.zscore(operationKeys.open, id)) ?? '+inf';
  const lookAt = (await redis.zscore(operationKeys.watched, id)) ?? '0';
  const others = idsOf(size).filter((other) => String(other) !== subject.id);
  for (let from = 0; from < others.length; from += AT_ONCE) {
    const pipeline = redis.pipeline();
    for (const other of others.slice(from, from + AT_ONCE)) {
      const copyId = `${id.slice(0, -6)}${String(other).padStart(6, '0')}`;
      const fields = Object.entries(hash).map(([name, value]) => [
        name,
        value
          .replaceAll(id, copyId)
          .replaceAll(subject.name, nameOfId(other))
          .replaceAll(`"id":"${subject.id}"`, `"id":"${other}"`),
      ]);
      pipeline.hset(operationKeys.operation(copyId), Object.fromEntries(fields));
      pipeline.pexpire(operationKeys.operation(copyId), OPEN_KEPT_MS);
      pipeline.zadd(operationKeys.open, dueAt, copyId);
      pipeline.zadd(operationKeys.watched, lookAt, copyId);
      pipeline.set(operationKeys.lock(String(other)), copyId, 'PX', OPEN_KEPT_MS);
    }
    await pipeline.exec();
  }
}

/** Whether one operation is pending that has nothing to do but to be looked at. */
export async function isWaitingForLooks(redis: Redis): Promise<boolean> {
  const [id] = await redis.zrange(operationKeys.watched, '0', '0');
  return id !== undefined && (await redis.zscore(operationKeys.open, id)) === 'inf';
}

/** How many operations are pending. */
export function countPending(redis: Redis): Promise<number> {
  return redis.zcard(operationKeys.watched);
}

/** How many pending operations are to be looked at by a moment of the wall clock, Unix ms. */
export function countDue(redis: Redis, byMs: number): Promise<number> {
  return redis.zcount(operationKeys.watched, '-inf', byMs);
}

/** Makes all pending operations due now. */
export async function makeDue(redis: Redis, nowMs: number): Promise<void> {
  const ids = await redis.zrange(operationKeys.watched, '0', '-1');
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    const part = ids.slice(from, from + AT_ONCE).flatMap((id) => [nowMs, id]);
    await redis.zadd(operationKeys.watched, ...part);
  }
}
