import type { RedisConnection } from './connection.ts';

/** What Redis says about itself, by the names of its INFO. Throws what Redis answers. */
export async function readInfo(redis: RedisConnection): Promise<ReadonlyMap<string, string>> {
  return new Map(
    (await redis.info()).split(/\r?\n/).flatMap((line): [string, string][] => {
      const colon = line.indexOf(':');
      return colon < 0 ? [] : [[line.slice(0, colon), line.slice(colon + 1)]];
    }),
  );
}
