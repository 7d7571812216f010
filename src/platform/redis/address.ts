import type { RedisOptions } from 'ioredis';
import { parseUrl } from '../http/parse-url.ts';

/** Which Redis the bot uses, and how sure what is written there must be. */
export interface RedisAt {
  /** `redis://`, `rediss://`, `redis+sentinel://`, `rediss+sentinel://`, the same with `valkey`, or the path of a socket. */
  readonly url: string;
  /** Nothing is acknowledged, sent or posted before so many replicas have what was written of it. */
  readonly replicas?: number;
  /** Where so many replicas are not there: goes on with what Redis alone has, in place of refusing. */
  readonly goesOnAlone?: boolean;
  /** What proves who the bot is where Redis wants a certificate, in PEM. */
  readonly certificate?: { readonly cert: string; readonly key: string } | undefined;
  /** Hears of each time that too few replicas had what was written. */
  readonly onShort?: (result: 'refused' | 'went on') => void;
}

const SENTINELS =
  /^(?<begin>(?:redis|valkey)(?<tls>s?)\+sentinel:\/\/)(?:(?<user>[^:@/]*)(?::(?<password>[^@/]*))?@)?(?<hosts>[^/?@#\s]+)\/(?<name>[^/?#\s]+)(?:\/(?<db>\d{1,5}))?(?:\?(?<query>[^#\s]*))?$/;
const OF_SENTINELS = /^(redis|valkey)s?\+sentinel:/;
const SENTINEL_PORT = 26_379;
const SENTINEL_ANSWERS_WITHIN_MS = 500;

/** Whether an address means Sentinels, which are asked for the primary at each connection. Pure. */
export function isOfSentinels(url: string): boolean {
  return OF_SENTINELS.test(url);
}

interface Sentinels {
  readonly hosts: readonly { readonly host: string; readonly port: number }[];
  /** What they call the primary. */
  readonly name: string;
  readonly db: number;
  readonly isTls: boolean;
  readonly user: string;
  readonly password: string;
  readonly sentinelUser: string;
  readonly sentinelPassword: string;
}

/**
 * What `redis+sentinel://user:password@one:26379,two:26379/name/0?sentinelUsername=…&sentinelPassword=…` says; undefined for what
 * is no such address. Throws URIError where something is not percent-encoded as URLs want it. Pure.
 */
export function sentinelsIn(url: string): Sentinels | undefined {
  const found = SENTINELS.exec(url)?.groups;
  if (!found) return undefined;
  const { tls, user, password, hosts = '', name = '', db, query } = found;
  const ends = hosts.split(',').map((one) => parseUrl(`redis://${one}`));
  if (ends.some((end) => !end || end.hostname === '' || end.pathname !== '')) return undefined;
  const given = new URLSearchParams(query);
  return {
    hosts: ends.flatMap((end) =>
      end
        ? [
            {
              host: end.hostname.replaceAll(/[[\]]/g, ''),
              port: end.port === '' ? SENTINEL_PORT : Number(end.port),
            },
          ]
        : [],
    ),
    name: decodeURIComponent(name),
    db: Number(db ?? 0),
    isTls: tls !== '',
    user: decodeURIComponent(user ?? ''),
    password: decodeURIComponent(password ?? ''),
    sentinelUser: given.get('sentinelUsername') ?? '',
    sentinelPassword: given.get('sentinelPassword') ?? '',
  };
}

/** Where an address leads, for messages: without user, password and options. Pure. */
export function shownAddress(url: string): string {
  if (isOfSentinels(url)) {
    const { begin = '', hosts = '', name = '' } = SENTINELS.exec(url)?.groups ?? {};
    return `${begin}${hosts}/${name}`;
  }
  const { protocol, host, pathname } = parseUrl(url) ?? {};
  return protocol === undefined ? url : `${protocol}//${host}${pathname}`;
}

/** The passwords in an address, as they stand there and decoded; a broken one is given as it stands. Pure. */
export function passwordsIn(url: string): readonly string[] {
  const found = SENTINELS.exec(url)?.groups;
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
  const sentinels = sentinelsIn(url);
  if (!sentinels) {
    // A Valkey speaks as Redis does.
    const asRedis = url.replace(/^valkey(s?):/, 'redis$1:');
    return { url: asRedis, options: certificate ? { tls: { ...certificate } } : {} };
  }
  const { hosts, name, db, isTls, user, password, sentinelUser, sentinelPassword } = sentinels;
  const tls = { ...certificate };
  return {
    options: {
      sentinels: [...hosts],
      name,
      db,
      ...(user === '' ? {} : { username: user }),
      ...(password === '' ? {} : { password }),
      ...(sentinelUser === '' ? {} : { sentinelUsername: sentinelUser }),
      ...(sentinelPassword === '' ? {} : { sentinelPassword }),
      ...(isTls ? { tls, sentinelTLS: tls, enableTLSForSentinelMode: true } : {}),
      sentinelCommandTimeout: SENTINEL_ANSWERS_WITHIN_MS,
      sentinelRetryStrategy: (tries) => Math.min(25 * tries, 250),
    },
  };
}
