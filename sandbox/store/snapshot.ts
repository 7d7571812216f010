import type { Redis } from 'ioredis';
import { z } from 'zod';

/** What a Redis held, at a moment: it stands in a file, and is put into another Redis later. */
export const snapshotSchema = z.object({
  /** The version of the bot that wrote it. */
  version: z.string(),
  /** Unix ms. */
  at: z.number(),
  keys: z.array(
    z.intersection(
      z.object({ key: z.string(), expiresInMs: z.number().optional() }),
      z.discriminatedUnion('type', [
        z.object({ type: z.literal('string'), value: z.string() }),
        z.object({ type: z.literal('hash'), value: z.record(z.string(), z.string()) }),
        z.object({ type: z.literal('set'), value: z.array(z.string()) }),
        z.object({ type: z.literal('list'), value: z.array(z.string()) }),
        z.object({ type: z.literal('zset'), value: z.array(z.string()) }),
        z.object({ type: z.literal('stream'), value: z.array(z.array(z.string())) }),
      ]),
    ),
  ),
});
export type Snapshot = z.output<typeof snapshotSchema>;
type SnapshotKey = Snapshot['keys'][number];

/** Unix ms, in text of a Redis of the years 2023 to 2033. */
const MOMENT = /(?<![\d.])(?:1[7-9]|20)\d{11}(?![\d])/g;
/** The audit's entries are chained to each other by their text. */
const CHAINED = /:audit\b/;
/** What the queue keeps for itself: a job is put back by its record. */
const QUEUE = /:queue:/;

/** Everything in a Redis, but for the queue. */
export async function takeSnapshot(redis: Redis, version: string, at: number): Promise<Snapshot> {
  const names = (await redis.keys('*')).filter((name) => !QUEUE.test(name)).toSorted();
  const keys = await Promise.all(
    names.map(async (key) => {
      const [value, left] = [await valueOf(redis, key), await redis.pttl(key)];
      return value && { key, ...(left > 0 ? { expiresInMs: left } : {}), ...value };
    }),
  );
  return snapshotSchema.parse({ version, at, keys: keys.filter((one) => one !== undefined) });
}

/** What stands at a key, as its type says; undefined where it has ended meanwhile. */
export async function valueOf(
  redis: Redis,
  key: string,
): Promise<{ type: string; value: unknown } | undefined> {
  const type = await redis.type(key);
  switch (type) {
    case 'none':
      return undefined;
    case 'string':
      return { type, value: await redis.get(key) };
    case 'hash':
      return { type, value: await redis.hgetall(key) };
    case 'set':
      return { type, value: await redis.smembers(key) };
    case 'list':
      return { type, value: await redis.lrange(key, 0, -1) };
    case 'zset':
      return { type, value: await redis.zrange(key, '0', '-1', 'WITHSCORES') };
    case 'stream':
      return { type, value: (await redis.xrange(key, '-', '+')).map(([id, fields]) => [id, ...fields]) };
    default:
      throw new Error(`nothing is known of a key of type ${type}`);
  }
}

/** Puts what was stored into an empty Redis, as if it had been written just before `now` (Unix ms). */
export async function putSnapshot(redis: Redis, stored: Snapshot, now: number): Promise<void> {
  const byMs = now - stored.at;
  for (const one of stored.keys) {
    await writeKey(redis, CHAINED.test(one.key) ? one : later(one, byMs));
    if (one.expiresInMs !== undefined) await redis.pexpire(one.key, one.expiresInMs);
  }
}

/** With each moment in it so much later. */
function later(one: SnapshotKey, byMs: number): SnapshotKey {
  const text = JSON.stringify(one.value).replace(MOMENT, (moment) => String(Number(moment) + byMs));
  return snapshotSchema.shape.keys.element.parse({ ...one, value: JSON.parse(text) });
}

async function writeKey(redis: Redis, one: SnapshotKey): Promise<void> {
  switch (one.type) {
    case 'string':
      await redis.set(one.key, one.value);
      break;
    case 'hash':
      await redis.hset(one.key, one.value);
      break;
    case 'set':
      await redis.sadd(one.key, ...one.value);
      break;
    case 'list':
      await redis.rpush(one.key, ...one.value);
      break;
    case 'zset':
      for (let at = 0; at < one.value.length; at += 2)
        await redis.zadd(one.key, one.value[at + 1] ?? '', one.value[at] ?? '');
      break;
    case 'stream':
      for (const words of one.value) await redis.call('XADD', one.key, ...words);
  }
}

/** The messages of the bot that the records name. */
export function messagesIn(stored: Snapshot): readonly { readonly channelId: string; readonly ts: string }[] {
  const found = stored.keys.flatMap(({ value }) => {
    const text = JSON.stringify(value).replaceAll('\\"', '"');
    return [...text.matchAll(/"channelId":"([CD][A-Z0-9]+)","ts":"([\d.]+)"/g)];
  });
  const all = new Map(found.map(([pair, channelId = '', ts = '']) => [pair, { channelId, ts }]));
  return [...all.values()];
}
