import type { RedisOptions } from 'ioredis';
import { parseUrl } from '../http/parse-url.ts';
import { type RedisNode, slotConnector } from './slot-connector.ts';

/** Which Redis the bot uses, and how sure what is written there must be. */
export interface RedisAt {
  /** `redis://`, `redis+sentinel://`, `redis+cluster://`, each with TLS as in `rediss://`, the same with `valkey`, or the path of a socket. */
  readonly url: string;
  /** Nothing is acknowledged, sent or posted before so many replicas have what was written of it. */
  readonly replicas?: number;
  /** Where so many replicas are not there: goes on with what Redis alone has, in place of refusing. */
  readonly goesOnAlone?: boolean;
  /** Whether its operator vouches that it keeps what it has answered, whatever it says of itself. */
  readonly isVouchedFor?: boolean;
  /** What proves who the bot is where Redis wants a certificate, in PEM. */
  readonly certificate?: { readonly cert: string; readonly key: string } | undefined;
  /** Hears of each time that too few replicas had what was written. */
  readonly onShort?: (result: 'refused' | 'went on') => void;
}

const SEVERAL =
  /^(?<begin>(?:redis|valkey)(?<tls>s?)\+(?<kind>sentinel|cluster):\/\/)(?:(?<user>[^:@/]*)(?::(?<password>[^@/]*))?@)?(?<hosts>[^/?@#\s]+)(?:\/(?<name>[^/?#\s]+))?(?:\/(?<db>\d{1,5}))?(?:\?(?<query>[^#\s]*))?$/;
const OF_SEVERAL = /^(?:redis|valkey)s?\+(sentinel|cluster):/;
const SENTINEL_PORT = 26_379;
const REDIS_PORT = 6_379;
const SENTINEL_ANSWERS_WITHIN_MS = 500;

/** What an address means that names several hosts: Sentinels, which are asked for the primary at each connection, or a cluster. Pure. */
export function severalIn(url: string): 'sentinel' | 'cluster' | undefined {
  const [, kind] = OF_SEVERAL.exec(url) ?? [];
  return kind === 'sentinel' || kind === 'cluster' ? kind : undefined;
}

interface Several {
  readonly hosts: readonly RedisNode[];
  /** What Sentinels call the primary; empty for a cluster. */
  readonly name: string;
  readonly db: number;
  readonly isTls: boolean;
  readonly login: Pick<RedisOptions, 'username' | 'password'>;
  readonly sentinelLogin: Pick<RedisOptions, 'sentinelUsername' | 'sentinelPassword'>;
}

/**
 * What `redis+sentinel://user:password@one:26379,two:26379/name/0?sentinelUsername=…&sentinelPassword=…` or
 * `redis+cluster://user:password@one:6379,two:6379` says; undefined for what is no such address. Throws URIError where something is
 * not percent-encoded as URLs want it. Pure.
 */
export function hostsIn(url: string): Several | undefined {
  const found = SEVERAL.exec(url)?.groups;
  if (!found) return undefined;
  const { tls, kind, user = '', password = '', hosts = '', name = '', db, query } = found;
  // A cluster has one database, and no name.
  if (kind === 'sentinel' ? name === '' : name !== '' || db !== undefined || query !== undefined)
    return undefined;
  const ends = hosts.split(',').map((one) => parseUrl(`redis://${one}`));
  if (ends.some((end) => !end || end.hostname === '' || end.pathname !== '')) return undefined;
  const given = new URLSearchParams(query);
  const of = (option: string, text: string | null): object =>
    text === null || text === '' ? {} : { [option]: text };
  const usual = kind === 'sentinel' ? SENTINEL_PORT : REDIS_PORT;
  return {
    hosts: ends.flatMap((end) =>
      end
        ? [{ host: end.hostname.replaceAll(/[[\]]/g, ''), port: end.port === '' ? usual : Number(end.port) }]
        : [],
    ),
    name: decodeURIComponent(name),
    db: Number(db ?? 0),
    isTls: tls !== '',
    login: { ...of('username', decodeURIComponent(user)), ...of('password', decodeURIComponent(password)) },
    sentinelLogin: {
      ...of('sentinelUsername', given.get('sentinelUsername')),
      ...of('sentinelPassword', given.get('sentinelPassword')),
    },
  };
}

/** Where an address leads, for messages: without user, password and options. Pure. */
export function shownAddress(url: string): string {
  if (severalIn(url)) {
    const { begin = '', hosts = '', name } = SEVERAL.exec(url)?.groups ?? {};
    return `${begin}${hosts}${name === undefined ? '' : `/${name}`}`;
  }
  const { protocol, host, pathname } = parseUrl(url) ?? {};
  return protocol === undefined ? url : `${protocol}//${host}${pathname}`;
}

/** The passwords in an address, as they stand there and decoded; a broken one is given as it stands. Pure. */
export function passwordsIn(url: string): readonly string[] {
  const found = SEVERAL.exec(url)?.groups;
  const { password = parseUrl(url)?.password, query } = found ?? {};
  const ofSentinels = /(?:^|&)sentinelPassword=([^&]*)/.exec(query ?? '')?.[1];
  return [password, ofSentinels].flatMap((one) =>
    one === undefined || one === '' ? [] : [one, decoded(one)],
  );
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** What the driver is told of an address. */
export function optionsOf({ url, certificate }: Pick<RedisAt, 'url' | 'certificate'>): {
  readonly url?: string;
  readonly options: Omit<RedisOptions, 'replyMapping'>;
} {
  const several = hostsIn(url);
  if (!several) {
    // A Valkey speaks as Redis does.
    const asRedis = url.replace(/^valkey(s?):/, 'redis$1:');
    return { url: asRedis, options: certificate ? { tls: { ...certificate } } : {} };
  }
  const { hosts, name, db, isTls, login, sentinelLogin } = several;
  const tls = { ...certificate };
  if (severalIn(url) === 'cluster') {
    const asLogin = { ...login, ...(isTls ? { tls } : {}) };
    return { options: { Connector: slotConnector(hosts, asLogin), ...asLogin } };
  }
  return {
    options: {
      sentinels: [...hosts],
      name,
      db,
      ...login,
      ...sentinelLogin,
      ...(isTls ? { tls, sentinelTLS: tls, enableTLSForSentinelMode: true } : {}),
      sentinelCommandTimeout: SENTINEL_ANSWERS_WITHIN_MS,
      sentinelRetryStrategy: (tries) => Math.min(25 * tries, 250),
    },
  };
}
