import type { RedisConnection } from './connection.ts';

/** Gives the text of a key in a scope: those that are asked for in one turn of the event loop are read by one command. */
export type ReadTogether = (scope: string, key: string) => Promise<string | null>;

export function createReadTogether(redis: RedisConnection): ReadTogether {
  let keys: string[] = [];
  let reading: Promise<(string | null)[]> | undefined;
  return async (scope, key) => {
    const nth = keys.push(`${scope}${key}`) - 1;
    reading ??= Promise.resolve().then(() => {
      const asked = keys;
      keys = [];
      reading = undefined;
      return redis.mget(...asked);
    });
    const texts = await reading;
    return texts[nth] ?? null;
  };
}
