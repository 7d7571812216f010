import { ENCODED, faultOfCredentials } from './credentials.ts';
import { parseUrl } from '../../platform/http/parse-url.ts';
import { isOfSentinels, sentinelsIn } from '../../platform/redis/address.ts';

/** What is wrong with the address of a Redis, in words that follow the variable's name and quote nothing. Pure. */
export function faultOfRedisUrl(text: string): string | undefined {
  const [begin] = /^(?:redis|valkey)s?(?:\+sentinel)?:\/\/|^\//.exec(text) ?? [];
  if (begin === undefined) return 'must be a redis:// or rediss:// URL or a socket path';
  if (begin === '/') return undefined;
  const fault = faultOfCredentials(text.slice(begin.length));
  if (fault !== undefined) return fault;
  if (isOfSentinels(text)) return isReadable(text) ? undefined : SENTINELS;
  const url = parseUrl(text);
  if (!url) return 'must be a URL';
  if (url.hash !== '') return ENCODED;
  if (!/^\/?$|^\/\d{1,5}$/.test(url.pathname))
    return 'must end in the number of a database or in none, as in redis://127.0.0.1:6379/1';
  return undefined;
}

const SENTINELS =
  'must name the Sentinels and what they call the primary, as in redis+sentinel://one:26379,two:26379/mymaster';

function isReadable(text: string): boolean {
  try {
    return sentinelsIn(text) !== undefined;
  } catch {
    return false;
  }
}
