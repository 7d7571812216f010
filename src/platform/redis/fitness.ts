import { parseUrl } from '../http/parse-url.ts';
import { hostsIn, optionsOf, passwordsIn, type RedisAt, severalIn } from './address.ts';
import { type RedisConnection, redisFaultOf } from './connection.ts';
import { REPLICA, isFromRedis, redisNo } from './faults.ts';
import { readInfo } from './info.ts';
import { Redis } from 'ioredis';
import { z } from 'zod';
import { asError } from '../log/log.ts';
import { key } from './key.ts';
import { loadScript } from './script.ts';
import { surviving } from './survive.ts';

const KEPT_MS = 1_000;
/** However often it is asked, Redis is not asked more often. */
const ASKED_EVERY_MS = 1_000;

const write = loadScript(new URL('./write-check.lua', import.meta.url));

/** Makes one of each kind of write that the bot makes, which enough replicas have, and leaves nothing. Throws what Redis or the connection says. */
async function tryWrites(redis: RedisConnection): Promise<void> {
  const survives = surviving(redis);
  await write(redis, [key('probe')], [KEPT_MS]);
  await survives();
}

function why(fault: Error | undefined): string {
  return fault && isFromRedis(fault) ? redisNo(fault) : 'no answer';
}

/**
 * Whether Redis takes what the bot writes: undefined, or why not, in words. Asks at most once a second, and what it heard
 * then counts for all who ask meanwhile. Never throws.
 */
export function createWriteCheck(redis: RedisConnection): () => Promise<string | undefined> {
  let asked: { readonly at: number; readonly answer: Promise<string | undefined> } | undefined;
  const ask = (): Promise<string | undefined> =>
    tryWrites(redis).then(
      () => undefined,
      (error: unknown) => why(asError(error)),
    );
  return async () => {
    if (redis.status !== 'ready') return why(redisFaultOf(redis));
    const now = performance.now();
    if (!asked || now - asked.at >= ASKED_EVERY_MS) asked = { at: now, answer: ask() };
    return asked.answer;
  };
}

/** What an operator may allow by name although it can lose or give away what people asked for. */
export const RISKS = ['volatile-redis', 'evicting-redis', 'open-redis', 'lone-redis'] as const;
export type Risk = (typeof RISKS)[number];

/** What Redis says about itself; undefined where it doesn't, as managed ones, or may not be asked. */
export interface RedisFacts {
  readonly version: string | undefined;
  readonly isAppendOnly: boolean | undefined;
  /** `always`, `everysec` or `no`. */
  readonly appendFsync: string | undefined;
  readonly evictionPolicy: string | undefined;
  readonly isReplica: boolean;
  readonly isCluster: boolean | undefined;
  /** How many replicas follow it. */
  readonly replicas: number | undefined;
  /** How Sentinel prefers them, the lower the sooner, 0 for never; undefined where none says so. */
  readonly priorities: readonly number[] | undefined;
  readonly memory: {
    readonly usedBytes: number;
    /** 0 where it has no limit of its own. */
    readonly maxBytes: number;
  };
  /** How far this host's clock is ahead of Redis', in ms. */
  readonly skewMs: number;
}

const OLDEST: readonly [number, number] = [6, 2];
const MAX_SKEW_MS = 2_000;
const LOOPBACK = new Set(['', '127.0.0.1', 'localhost', '[::1]', '::1']);

/** Asks Redis about itself and tries every kind of command the bot uses. Throws what Redis answers. */
export async function readRedisFacts(redis: RedisConnection, at: RedisAt): Promise<RedisFacts> {
  const before = Date.now();
  const [seconds, micros] = await redis.time();
  const hostMs = (before + Date.now()) / 2;
  const info = await readInfo(redis);
  // Else a script that Redis knows already would need no right to bring a new one.
  await redis.eval('return 1', 0);
  await tryWrites(redis);
  const isOn = (name: string): boolean | undefined => (info.has(name) ? info.get(name) === '1' : undefined);
  const replicas = info.get('connected_slaves');
  // CONFIG is often forbidden, and then nobody can tell.
  const fsync = await redis.config('GET', 'appendfsync').catch(() => []);
  return {
    version: info.get('redis_version'),
    isAppendOnly: isOn('aof_enabled'),
    appendFsync: Array.isArray(fsync) && typeof fsync[1] === 'string' ? fsync[1] : undefined,
    evictionPolicy: info.get('maxmemory_policy'),
    isReplica: info.get('role') === 'slave',
    isCluster: isOn('cluster_enabled'),
    replicas: replicas === undefined ? undefined : Number(replicas),
    priorities: await readPriorities(at),
    memory: {
      usedBytes: Number(info.get('used_memory') ?? 0),
      maxBytes: Number(info.get('maxmemory') ?? 0),
    },
    skewMs: hostMs - (Number(seconds) * 1000 + Number(micros) / 1000),
  };
}

/**
 * What is wrong with this Redis: why not to start, and what to say and start all the same; and what nobody has checked, which is
 * wrong only if its operator is. Pure.
 */
export function judgeRedis(
  facts: RedisFacts,
  at: RedisAt,
  allowed: readonly Risk[],
): { refusals: string[]; warnings: string[]; notes: readonly string[] } {
  const refusals: string[] = [];
  const warnings: string[] = [];
  const risk = (name: Risk, what: string, instead: string): void => {
    if (allowed.includes(name)) warnings.push(what);
    else refusals.push(`${what}: ${instead}, or allow it with LAMPLIGHTER_ALLOW=${name}`);
  };
  const [major = 0, minor = 0] = (facts.version ?? OLDEST.join('.')).split('.').map(Number);
  if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])) {
    refusals.push(`Redis ${facts.version} is too old: ${OLDEST.join('.')} is the oldest that will do`);
  }
  if (facts.isReplica) refusals.push(REPLICA);
  if (facts.isCluster !== undefined && facts.isCluster !== (severalIn(at.url) === 'cluster'))
    refusals.push(
      facts.isCluster
        ? 'this Redis is a node of a cluster: name nodes of it in REDIS_URL, as in redis+cluster://one:6379,two:6379'
        : 'this Redis is no cluster, and REDIS_URL says that it is one: begin it with redis:// or rediss://',
    );
  if (!at.isVouchedFor && facts.isAppendOnly === false) {
    risk(
      'volatile-redis',
      'Redis forgets what people asked for when it is killed (appendonly no)',
      'set appendonly yes, or REDIS_DURABLE=service for a managed one that keeps its writes by itself',
    );
  } else if (!at.isVouchedFor && facts.appendFsync !== undefined && facts.appendFsync !== 'always') {
    warnings.push(
      `Redis may forget the last two seconds when it is killed (appendfsync ${facts.appendFsync}): set appendfsync always`,
    );
  }
  if (facts.evictionPolicy !== undefined && facts.evictionPolicy !== 'noeviction') {
    risk(
      'evicting-redis',
      `Redis throws away what people asked for when memory is short (maxmemory-policy ${facts.evictionPolicy})`,
      'set maxmemory-policy noeviction, at a managed service where its settings are (at ElastiCache in a parameter group)',
    );
  }
  warnings.push(...doubtsOfReplicas(facts, at));
  if (isOpen(at.url)) {
    risk('open-redis', 'Redis takes commands over the network without a password', 'put one into REDIS_URL');
  }
  if (Math.abs(facts.skewMs) > MAX_SKEW_MS) {
    warnings.push(
      `this host's clock is ${Math.round(facts.skewMs / 1000)} s off Redis'; deadlines go by Redis'`,
    );
  }
  return { refusals, warnings, notes: notChecked(facts, at) };
}

/** What the operator vouches for, and what Redis doesn't say. */
function notChecked(facts: RedisFacts, { isVouchedFor = false }: RedisAt): readonly string[] {
  const { version, isAppendOnly, appendFsync, evictionPolicy } = facts;
  const unsaid = [
    ...(version === undefined ? ['its version'] : []),
    ...(isAppendOnly === undefined && !isVouchedFor ? ['appendonly'] : []),
    ...(appendFsync === undefined && isAppendOnly !== false && !isVouchedFor ? ['appendfsync'] : []),
    ...(evictionPolicy === undefined ? ['maxmemory-policy'] : []),
  ];
  return [
    ...(isVouchedFor
      ? ['that Redis keeps what it has answered is not checked: you vouch for it (REDIS_DURABLE=service)']
      : []),
    ...(unsaid.length > 0
      ? [
          `Redis doesn't say, so it is not checked: ${unsaid.join(', ')}. See that they are as the bot needs them`,
        ]
      : []),
  ];
}

/** What of its replicas lets a takeover lose what was acknowledged. */
function doubtsOfReplicas({ replicas, priorities = [] }: RedisFacts, at: RedisAt): readonly string[] {
  const { replicas: wanted = 0, goesOnAlone = false, isVouchedFor = false } = at;
  if (wanted === 0)
    return !isVouchedFor && ((replicas ?? 0) > 0 || severalIn(at.url) === 'sentinel')
      ? [
          'a replica that takes over from this Redis may lack what was acknowledged just before (REDIS_REPLICAS 0): set REDIS_REPLICAS=1',
        ]
      : [];
  const said: string[] = [];
  if (replicas !== undefined && replicas < wanted)
    said.push(
      `this Redis has ${replicas} of the ${wanted} replicas that REDIS_REPLICAS asks for: ${goesOnAlone ? 'what it loses now is lost' : 'nothing is taken before they are there'}`,
    );
  // Sentinel looks at this first, and at how much a replica has only then.
  if (new Set(priorities).size > 1 && priorities.length > wanted)
    said.push(
      `Sentinel may promote a replica that lacks what was acknowledged, because their replica-priority differs (${priorities.join(', ')}): set the same for all, or REDIS_REPLICAS=${priorities.length}`,
    );
  return said;
}

/** Whether anybody who reaches the port may command it. */
function isOpen(redisUrl: string): boolean {
  if (passwordsIn(redisUrl).length > 0) return false;
  const hosts = hostsIn(redisUrl)?.hosts.map(({ host }) => host) ?? [parseUrl(redisUrl)?.hostname ?? ''];
  return hosts.some((host) => !LOOPBACK.has(host));
}

const ANSWERS_WITHIN_MS = 1_000;

/** What a Sentinel says of one replica: names and values, one after another. */
const replicaSchema = z.array(z.string());

/**
 * How the replicas that Sentinel knows are preferred when one is to take over, in no order: 0 for one that never does, and else
 * the lower the sooner. Undefined where no Sentinel answers, or the address means none.
 */
async function readPriorities(at: RedisAt): Promise<readonly number[] | undefined> {
  const sentinels = severalIn(at.url) === 'sentinel' ? hostsIn(at.url) : undefined;
  if (!sentinels) return undefined;
  const { sentinelUsername, sentinelPassword, sentinelTLS } = optionsOf(at).options;
  for (const { host, port } of sentinels.hosts) {
    const sentinel = new Redis({
      host,
      port,
      ...(sentinelUsername === undefined ? {} : { username: sentinelUsername }),
      ...(sentinelPassword === undefined ? {} : { password: sentinelPassword }),
      ...(sentinelTLS === undefined ? {} : { tls: sentinelTLS }),
      connectTimeout: ANSWERS_WITHIN_MS,
      commandTimeout: ANSWERS_WITHIN_MS,
      enableReadyCheck: false,
      retryStrategy: () => null,
    });
    // The next is asked.
    sentinel.on('error', () => undefined);
    try {
      const replicas = z
        .array(replicaSchema)
        .parse(await sentinel.call('SENTINEL', 'REPLICAS', sentinels.name));
      return replicas.map((said) => Number(said[said.indexOf('slave-priority') + 1]));
    } catch {
      continue;
    } finally {
      sentinel.disconnect();
    }
  }
  return undefined;
}
