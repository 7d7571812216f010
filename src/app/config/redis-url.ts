import { ENCODED, faultOfCredentials } from './credentials.ts';
import { parseUrl } from '../../platform/http/parse-url.ts';
import { hostsIn, severalIn } from '../../platform/redis/address.ts';

/** What is wrong with the address of a Redis, in words that follow the variable's name and quote nothing. Pure. */
export function faultOfRedisUrl(text: string): string | undefined {
  const [begin] = /^(?:redis|valkey)s?(?:\+(?:sentinel|cluster))?:\/\/|^\//.exec(text) ?? [];
  if (begin === undefined) return 'must be a redis:// or rediss:// URL or a socket path';
  if (begin === '/') return faultOfOptions(text);
  const fault = faultOfCredentials(text.slice(begin.length));
  if (fault !== undefined) return fault;
  const several = severalIn(text);
  if (several) return isReadable(text) ? undefined : LIKE[several];
  const url = parseUrl(text);
  if (!url) return 'must be a URL';
  if (url.hash !== '') return ENCODED;
  if (!/^\/?$|^\/\d{1,5}$/.test(url.pathname))
    return 'must end in the number of a database or in none, as in redis://127.0.0.1:6379/1';
  if (url.hostname.includes('%')) return 'must have the name or the address of a host';
  return faultOfOptions(text);
}

/** The driver would take any of its own, and refuse some of them later in words of its own. */
function faultOfOptions(text: string): string | undefined {
  const [, query] = text.split(/\?(.*)/s);
  return [...new URLSearchParams(query).keys()].every((name) => name === 'db' || name === 'family')
    ? undefined
    : 'must have no options behind a ? but db and family: REDIS_PREFIX says what stands before each key';
}

const LIKE = {
  sentinel:
    'must name the Sentinels and what they call the primary, as in redis+sentinel://one:26379,two:26379/mymaster',
  cluster: 'must name nodes of the cluster, as in redis+cluster://one:6379,two:6379',
} as const;

function isReadable(text: string): boolean {
  try {
    return hostsIn(text) !== undefined;
  } catch {
    return false;
  }
}
