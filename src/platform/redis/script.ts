import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { RedisConnection } from './connection.ts';

/** Runs one Lua script with its keys and arguments; gives what the script returned. */
export type Script = (
  redis: RedisConnection,
  keys: readonly string[],
  args: readonly (string | number)[],
) => Promise<unknown>;

/** A script from its files, put one after another, sent once to each Redis and called by its hash after that. */
export function loadScript(...files: readonly URL[]): Script {
  const lua = files.map((file) => readFileSync(file, 'utf8')).join('\n');
  const sha = createHash('sha1').update(lua).digest('hex');
  return async (redis, keys, args) => {
    try {
      return await redis.evalsha(sha, keys.length, ...keys, ...args);
    } catch (error) {
      if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
      return await redis.eval(lua, keys.length, ...keys, ...args);
    }
  };
}
