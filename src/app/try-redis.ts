import { isDeepStrictEqual } from 'node:util';
import { once } from 'node:events';
import { type RedisAt, shownAddress } from '../platform/redis/address.ts';
import { connectFailFast, disconnect } from '../platform/redis/connection.ts';
import { atMost } from '../platform/time/at-most.ts';

/** An answer that takes longer is none. */
const TRIED_WITHIN_MS = 3_000;

/**
 * Whether the password and the certificate in `next` lead to the Redis to which those in `now` do; `why`: undefined where it is another
 * one, which waits for a restart. Never throws.
 */
export async function tryRedis(
  now: RedisAt,
  next: RedisAt,
): Promise<'can be used' | { readonly why: string | undefined }> {
  const { url, certificate } = next;
  if (now.url === url && isDeepStrictEqual(now.certificate, certificate)) return 'can be used';
  if (shownAddress(now.url) !== shownAddress(url)) return { why: undefined };
  let said: string | undefined;
  const redis = connectFailFast({ url, certificate }, ({ message }) => (said = message));
  const isReady = await atMost(
    TRIED_WITHIN_MS,
    once(redis, 'ready').then(() => true),
  );
  await disconnect(redis);
  if (isReady) return 'can be used';
  const name = now.url === url ? 'REDIS_CLIENT_CERT' : 'REDIS_URL';
  const isRefused = said !== undefined && /^(WRONGPASS|NOAUTH|NOPERM|ERR )/.test(said);
  return {
    why: `${name}: ${isRefused ? 'Redis refuses the new one' : "Redis can't be reached with the new one"}`,
  };
}
