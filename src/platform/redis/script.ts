import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { RedisConnection } from './connection.ts';
import { writeSurviving } from './survive.ts';

/**
 * Runs one Lua script with its keys and arguments; gives what the script returned. `survives`: throws NotReplicated where it is not
 * certain that what it wrote, or found, outlives this Redis.
 */
export type Script = (
  redis: RedisConnection,
  keys: readonly string[],
  args: readonly (string | number)[],
  survives?: boolean,
) => Promise<unknown>;

/** A script from its files, put one after another, sent once to each Redis and called by its hash after that. */
export function loadScript(...files: readonly URL[]): Script {
  const lua = files.map((file) => readFileSync(file, 'utf8')).join('\n');
  const sha = createHash('sha1').update(lua).digest('hex');
  return async (redis, keys, args, survives = false) => {
    const send = (run: () => Promise<unknown>): Promise<unknown> =>
      survives ? writeSurviving(redis, run) : run();
    try {
      return await send(() => redis.evalsha(sha, keys.length, ...keys, ...args));
    } catch (error) {
      if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
      return await send(() => redis.eval(lua, keys.length, ...keys, ...args));
    }
  };
}
