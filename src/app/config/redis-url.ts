import { parseUrl } from '../../platform/http/parse-url.ts';

const ENCODED =
  'has a character before its host that must be percent-encoded: %40 for @, %2F for /, %3F for ? and %23 for #';

/** What is wrong with the address of a Redis, in words that follow the variable's name and quote nothing. Pure. */
export function faultOfRedisUrl(text: string): string | undefined {
  const [begin] = /^rediss?:\/\/|^\//.exec(text) ?? [];
  if (begin === undefined) return 'must be a redis:// or rediss:// URL or a socket path';
  if (begin === '/') return undefined;
  const rest = text.slice(begin.length);
  // All that stands before the last @ is meant for a password: half of one must not become the name of a host.
  if (/[@/?#[\]\\\s]/.test(rest.slice(0, Math.max(0, rest.lastIndexOf('@'))))) return ENCODED;
  const url = parseUrl(text);
  if (!url || !isDecodable(url.password) || !isDecodable(url.username)) return 'must be a URL';
  if (url.hash !== '') return ENCODED;
  if (!/^\/?$|^\/\d{1,5}$/.test(url.pathname))
    return 'must end in the number of a database or in none, as in redis://127.0.0.1:6379/1';
  return undefined;
}

/** Whether a text was percent-encoded as URLs want it. */
function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
