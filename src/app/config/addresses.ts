import { ID_PLACE } from '../../core/links.ts';
import { parseUrl } from '../../platform/http/parse-url.ts';
import { hostsIn, severalIn } from '../../platform/redis/address.ts';

// What is wrong with an address, in words that follow the variable's name and quote nothing; undefined for nothing. All are pure.

const ENCODED =
  'has a character before its host that must be percent-encoded: %40 for @, %2F for /, %3F for ?, %23 for # and %25 for %';
const HERE = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** Whether what is sent there can't be read on the way, and no password stands in it. */
export function isSafeUrl(text: string): boolean {
  const url = parseUrl(text);
  if (!url || url.username !== '' || url.password !== '') return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && HERE.test(url.hostname));
}

/** Of the user and the password in an address. `rest`: what stands behind its `://`. */
function faultOfCredentials(rest: string): string | undefined {
  // All that stands before the last @ is meant for a password: half of one must not become the name of a host.
  const credentials = rest.slice(0, Math.max(0, rest.lastIndexOf('@')));
  return /[@/?#[\]\\\s]/.test(credentials) || !isDecodable(credentials) ? ENCODED : undefined;
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

/** What is wrong with any address, whatever it is of: a reader of URLs would take it, and make another of it. */
function faultOfAny(text: string): string | undefined {
  if (!isDecodable(text)) return 'has a % that begins no escape: write %25 for it';
  if (/[\s\p{Cc}]/u.test(text))
    return 'has a space or a line break in it: write %20 for a space that belongs there';
  const url = parseUrl(text);
  if (url?.port === '0') return 'has port 0: leave it out for the usual one';
  return url?.host.includes(',') && !severalIn(text) ? 'must be one address' : undefined;
}

/** The same of each variable that is an address, but of those of which something is said already. */
export function faultsOfAddresses(
  values: Readonly<Record<string, string>>,
  said: readonly string[],
): readonly string[] {
  return Object.entries(values).flatMap(([name, text]) => {
    const isOne = /^[a-z][\w+.-]*:\/\//i.test(text) && !said.some((one) => one.startsWith(`${name} `));
    const fault = isOne ? faultOfAny(text) : undefined;
    return fault === undefined ? [] : [`${name} ${fault}`];
  });
}

/** Of a Redis. */
export function faultOfRedisUrl(text: string): string | undefined {
  const [begin] = /^(?:redis|valkey)s?(?:\+(?:sentinel|cluster))?:\/\/|^\//.exec(text) ?? [];
  if (begin === undefined) return 'must be a redis:// or rediss:// URL or a socket path';
  if (text.startsWith('//')) return 'must be a redis:// or rediss:// URL or a socket path';
  if (begin === '/') return faultOfOptions(text);
  const fault = faultOfCredentials(text.slice(begin.length));
  if (fault !== undefined) return fault;
  const several = severalIn(text);
  if (several) return isReadable(text) ? undefined : LIKE[several];
  const url = parseUrl(text);
  if (!url) return 'must be a URL like redis://127.0.0.1:6379/1, with a port of at most 65535';
  if (url.hash !== '') return ENCODED;
  if (!/^\/?$|^\/\d{1,5}$/.test(url.pathname))
    return 'must end in the number of a database or in none, as in redis://127.0.0.1:6379/1';
  if (url.hostname === '' || url.hostname.includes('%')) return 'must have the name or the address of a host';
  return faultOfOptions(text);
}

const OPTIONS: ReadonlyMap<string, RegExp> = new Map([
  ['db', /^\d{1,5}$/],
  ['family', /^[046]$/],
]);

/** The driver would take any of its own, and refuse some of them later in words of its own. */
function faultOfOptions(text: string): string | undefined {
  const [, query] = text.split(/\?(.*)/s);
  return [...new URLSearchParams(query)].every(([name, value]) => OPTIONS.get(name)?.test(value))
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

/** Of a proxy. */
export function faultOfProxyUrl(text: string): string | undefined {
  const [begin, rest = ''] = text.split(/(?<=:\/\/)/, 2);
  const fault = faultOfCredentials(rest);
  if (fault !== undefined) return fault;
  const url = parseUrl(text);
  const isBare = url && `${url.search}${url.hash}` === '' && url.pathname === '/';
  if (!isBare || !/^https?:\/\/$/i.test(begin ?? ''))
    return 'must be the address of an HTTP proxy like http://proxy.example.com:3128';
  if ((url.username === '') !== (url.password === ''))
    return 'must have a user and a password in it, or neither';
  return undefined;
}

/** Of a mail server. */
export function faultOfMailServer(text: string): string | undefined {
  const url = parseUrl(text);
  const isServer = (url?.protocol === 'smtps:' || url?.protocol === 'smtp:') && url.hostname !== '';
  return isServer && isDecodable(text)
    ? undefined
    : 'must be an smtps or smtp URL with a host, whose user and password have %25 for a %';
}

/** Of a collector of traces. */
export function faultOfCollector(text: string): string | undefined {
  const url = parseUrl(text);
  const isHttp = url?.protocol === 'http:' || url?.protocol === 'https:';
  return isHttp && url.username === '' && url.password === '' && url.hash === ''
    ? undefined
    : 'must be an http or https URL without a user and a password';
}

/** Of the pages that people see of the bot: a cookie of them only travels encrypted, but on this machine. */
export function faultOfPublicUrl(text: string): string | undefined {
  const url = parseUrl(text);
  const isHere = url?.hostname === 'localhost' || url?.hostname === '127.0.0.1';
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isHere);
  return isSafe && `${url.search}${url.hash}${url.username}` === ''
    ? undefined
    : 'must be an https URL without a query';
}

const MAX_LINK = 2_000;

/** Of a page that a button opens. */
export function faultOfLink(text: string): string | undefined {
  const url = parseUrl(text);
  if (url?.protocol !== 'https:' || /[\s<>|"`\\^]/.test(text)) return 'must be an https URL';
  if (url.username !== '' || url.password !== '') return 'must have no user and no password in it';
  return text.length > MAX_LINK ? `must have at most ${MAX_LINK} characters` : undefined;
}

/** Of an instance's page, with the place of its id behind the host. */
export function faultOfInstanceLink(text: string): string | undefined {
  const example = `like https://console.example.com/servers/${ID_PLACE}`;
  const rest = text.replaceAll(ID_PLACE, '');
  if (/[{}]/.test(rest)) return `must have no { or } but in ${ID_PLACE}, ${example}`;
  // Which page is opened is the id's to say, and never at whose.
  const [host, otherHost] = ['1', '2'].map((id) => parseUrl(text.replaceAll(ID_PLACE, id))?.host);
  const fault = faultOfLink(text.replaceAll(ID_PLACE, '1'));
  if (fault !== undefined) return `${fault}, ${example}`;
  return rest === text || host !== otherHost
    ? `must have ${ID_PLACE} after the host, where the id of an instance goes, ${example}`
    : undefined;
}
