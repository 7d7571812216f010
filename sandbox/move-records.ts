import type { z } from 'zod';
import { connectBlocking } from '../src/platform/redis/connection.ts';
import { scopedTo } from '../src/platform/redis/key.ts';
import { readStored, toStored, versionAfter } from '../src/platform/redis/stored.ts';

const OVERDUE_MS = 60_000;

/** What the bot writes: the one record at a key, or all that are in an index. */
type Moved<T> = { readonly schema: z.ZodType<T> } & (
  | { readonly key: string }
  | { readonly keyOf: (id: string) => string; readonly index: string }
);

/** The Redis of a sandbox. `scope`: of an account among several. */
export interface Where {
  readonly redisUrl: string;
  readonly scope?: string;
}

/** Writes anew what stands of a kind, as time has made it: the sweep finds what is in an index overdue. By undefined one stays as it is. */
export async function moveRecords<T>(
  { redisUrl, scope = '' }: Where,
  kind: Moved<T>,
  step: (record: T) => object | undefined,
): Promise<void> {
  const connection = connectBlocking({ url: redisUrl }, () => undefined);
  const redis = scopedTo(scope, connection);
  const moveOne = async (at: string, id?: string): Promise<boolean> => {
    // What the bot writes meanwhile stands.
    await connection.watch(`${scope}${at}`);
    const [version, text] = await redis.hmget(at, 'version', 'record');
    const next = typeof text === 'string' ? step(readStored(kind.schema, text)) : undefined;
    if (next === undefined) return true;
    const writing = redis.multi().hset(at, { version: versionAfter(version ?? '0'), record: toStored(next) });
    if (id !== undefined && 'index' in kind) writing.zadd(kind.index, Date.now() - OVERDUE_MS, id);
    return (await writing.exec()) !== null;
  };
  if ('key' in kind) while (!(await moveOne(kind.key)));
  else
    for (const id of await redis.zrange(kind.index, '0', '-1')) while (!(await moveOne(kind.keyOf(id), id)));
  connection.disconnect();
}
