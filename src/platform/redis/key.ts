import { Redis } from 'ioredis';

/** In braces, so that a cluster keeps all keys of the bot on one node, and a script may touch several. */
const PREFIX = '{lamplighter}';
const PREFIX_TO_MATCH = PREFIX.replaceAll(/[{}]/g, String.raw`\$&`);

/** The one way to name a key in Redis: what it is first, then whose. Each store keeps its own names beside it. */
export function key(...parts: readonly [string, ...string[]]): string {
  return [PREFIX, ...parts].join(':');
}

/** What is put before each key of one workspace or account among several, by its id or name. */
export function scopeOf(name: string): string {
  return `${key(`@${name}`)}:`;
}

/** Any number of scopes, the one inside the other. */
const SCOPE = new RegExp(`^(?:${PREFIX_TO_MATCH}:@[^:]+:)*(?=${PREFIX_TO_MATCH}:)`);

/** The scope of a key, empty where it is nobody's own; undefined where the key is not of the bot. Pure. */
export function scopeIn(name: string): string | undefined {
  return SCOPE.exec(name)?.[0];
}

/** The names in a scope, outermost first. Pure. */
export function namesIn(scope: string): readonly string[] {
  return [...scope.matchAll(/@([^:]+):/g)].map(([, name = '']) => name);
}

/** What would close a connection or change it for all who share it, or have all of them wait until something comes. */
type NotShared =
  | 'connect'
  | 'disconnect'
  | 'duplicate'
  | 'end'
  | 'quit'
  | 'client'
  | 'monitor'
  | 'select'
  | 'subscribe'
  | 'psubscribe'
  | 'ssubscribe'
  | 'watch'
  | 'blmove'
  | 'blmpop'
  | 'blpop'
  | 'brpop'
  | 'brpoplpush'
  | 'bzmpop'
  | 'bzpopmax'
  | 'bzpopmin'
  | 'xread'
  | 'xreadgroup';

/** A connection as all have it who ask Redis for something: others may have the same one. Whoever made it closes it. */
export type RedisConnection = Omit<Redis, NotShared | `${NotShared}Buffer`>;

const shared = new WeakMap<RedisConnection, Redis>();

/**
 * The same connection, but that every key has `scope` before its name: nothing that is written over it is found over one of another
 * scope. What each asks in one call stays together, also a transaction: the driver sends one as a whole.
 */
export function scopedTo(scope: string, redis: Redis): RedisConnection {
  // The driver's commands ask the connection that they are called on for two things: what stands before a key, and to send them.
  const own = {
    options: { ...redis.options, keyPrefix: scope },
    sendCommand: (...given: Parameters<Redis['sendCommand']>) => redis.sendCommand(...given),
    ...Object.fromEntries(LISTENING.map((name) => [name, redis[name].bind(redis)])),
  };
  const scoped: unknown = Object.create(redis, Object.getOwnPropertyDescriptors(own));
  if (!(scoped instanceof Redis)) throw new Error('no connection was shared');
  shared.set(scoped, redis);
  return scoped;
}

const LISTENING = ['on', 'once', 'off', 'removeListener'] as const;

/** The connection itself, over which all of its scopes go. */
export function unscoped(redis: RedisConnection): Redis {
  const whole = shared.get(redis) ?? redis;
  if (!(whole instanceof Redis)) throw new Error('this is no connection of the driver');
  return whole;
}
