import { asError } from '../log/as-error.ts';
import { redisFaultOf, type RedisConnection } from './connection.ts';
import { isFromRedis, redisNo } from './faults.ts';
import { key } from './key.ts';
import { loadScript } from './script.ts';
import { surviving } from './survive.ts';

const KEPT_MS = 1_000;
/** However often it is asked, Redis is not asked more often. */
const ASKED_EVERY_MS = 1_000;

const write = loadScript(new URL('./write-check.lua', import.meta.url));

/** Makes one of each kind of write that the bot makes, which enough replicas have, and leaves nothing. Throws what Redis or the connection says. */
export async function tryWrites(redis: RedisConnection): Promise<void> {
  const survives = surviving(redis);
  await write(redis, [key('probe')], [KEPT_MS]);
  await survives();
}

function why(fault: Error | undefined): string {
  return fault && isFromRedis(fault) ? redisNo(fault) : 'no answer';
}

/**
 * Whether Redis takes what the bot writes: undefined, or why not, in words. Asks at most once a second, and what it heard
 * then counts for all who ask meanwhile. Never throws.
 */
export function createWriteCheck(redis: RedisConnection): () => Promise<string | undefined> {
  let asked: { readonly at: number; readonly answer: Promise<string | undefined> } | undefined;
  const ask = (): Promise<string | undefined> =>
    tryWrites(redis).then(
      () => undefined,
      (error: unknown) => why(asError(error)),
    );
  return async () => {
    if (redis.status !== 'ready') return why(redisFaultOf(redis));
    const now = performance.now();
    if (!asked || now - asked.at >= ASKED_EVERY_MS) asked = { at: now, answer: ask() };
    return asked.answer;
  };
}
