import { AbstractConnector, Command, Redis, type RedisOptions } from 'ioredis';
import { optionsOf, type RedisAt } from './address.ts';
import { allowForbiddenInfo } from './info.ts';
import { type RedisConnection, unscoped } from './key.ts';
import { isAtAnother, RedisMoved, waitForReplicas } from './survive.ts';

export type { RedisConnection } from './key.ts';

/** How long an answer is waited for by somebody who can't wait. */
export const ANSWER_WITHIN_MS = 800;
/** Nothing comes for so long although something was asked: the host is gone without a word, and its name may lead elsewhere. */
const SILENT_AFTER_MS = 3_000;
/** How long one question of the queue for a job waits for one, in seconds. */
export const WAITS_FOR_A_JOB_S = 5;

/**
 * What Redis says where it was the primary until now, or reads the data of another, or where another node of the cluster has the keys:
 * its name leads elsewhere by now.
 */
const MOVED = /^(READONLY|MASTERDOWN|LOADING|UNBLOCKED|MOVED|ASK|CLUSTERDOWN) /;

/** As Redis itself says it where something is to be written. */
const A_REPLICA = 'READONLY this Redis is a replica';

/** What a Redis without a password says to whoever comes from another machine. */
const PROTECTED = /^DENIED .*protected mode/;
const A_PROTECTED_ONE = 'DENIED Redis is running in protected mode';

/** As the driver says it. */
const CLOSED = 'Connection is closed.';

/** What was on its way as a connection broke. */
interface SentAgain {
  shift(): { readonly command: Command } | undefined;
}

/** Why connections are not ready, as they said last. */
const faults = new WeakMap<Redis, Error>();

/** What a connection that is not ready said last; undefined for one that is, or that has said nothing. */
export function redisFaultOf(redis: RedisConnection): Error | undefined {
  return redis.status === 'ready' ? undefined : faults.get(unscoped(redis));
}

/** The scripts that any connection has defined, by their name, which holds BullMQ's version: it takes no prefix of keys. */
const defined = new Map<string, { readonly calls: object; readonly scripts: object }>();

/**
 * Sends what is asked in one turn of the event loop together: each write by itself is a system call on this side and a
 * read on the other.
 */
class GatheringRedis extends Redis {
  readonly isOfPrimary = takePrimaryOnly(this);

  /** BullMQ defines its fifty scripts on each connection; made anew there they took a tenth of a bot's start. */
  override defineCommand(...given: Parameters<Redis['defineCommand']>): void {
    const [name] = given;
    const shared = defined.get(name);
    if (shared) {
      Object.assign(this, shared.calls);
      Object.assign(this.scriptsSet, shared.scripts);
      return;
    }
    super.defineCommand(...given);
    const calls = [name, `${name}Buffer`].map((call) => [call, Reflect.get(this, call)] as const);
    const scripts = { [name]: Reflect.get(this.scriptsSet, name) };
    defined.set(name, { calls: Object.fromEntries(calls), scripts });
  }

  /**
   * The driver brings one that waits to be made again to no end, and forgets what was to be sent again then: whoever waits for
   * either, as BullMQ's worker does as it closes, waits for ever.
   */
  override disconnect(reconnect = false): void {
    // As one that was never made, it ends at once.
    if (!reconnect && this.status === 'reconnecting') this.status = 'wait';
    super.disconnect(reconnect);
    if (reconnect) return;
    const left = Reflect.get<object, string>(this, 'prevCommandQueue') as SentAgain | null | undefined; // its own, and private
    for (let one = left?.shift(); one; one = left?.shift()) one.command.reject(new Error(CLOSED));
  }

  /** BullMQ asks for jobs on a connection of its own, which is silent for as long as there is none. */
  override duplicate(override?: Partial<RedisOptions>): Redis {
    const { replyMapping: _, ...options } = { ...this.options, ...override };
    return new GatheringRedis({ ...options, socketTimeout: WAITS_FOR_A_JOB_S * 1_000 + SILENT_AFTER_MS });
  }

  override sendCommand(...given: Parameters<Redis['sendCommand']>): unknown {
    const [command] = given;
    allowForbiddenInfo(command);
    tellProtectedMode(this, command);
    const { stream, status } = this;
    if (status === 'ready' && stream.writableCorked === 0) {
      stream.cork();
      setImmediate(() => stream.uncork());
    }
    return super.sendCommand(...given);
  }
}

/**
 * Has what a Redis in protected mode says be told: it hangs up then, so that the driver waits for the rest of its greeting, and takes
 * what was said for a needless password.
 */
function tellProtectedMode(redis: Redis, command: Command): void {
  if (command.name !== 'hello' && command.name !== 'auth') return;
  const { reject } = command;
  command.reject = (error: Error) => {
    if (!PROTECTED.test(error.message)) return reject(error);
    const denied = new Error(A_PROTECTED_ONE);
    redis.emit('error', denied);
    reject(denied);
  };
}

/** A connection is ready only where it leads to a Redis that takes writes; until then it is made again. */
function takePrimaryOnly(redis: Redis): boolean {
  redis.on('error', (error: Error) => faults.set(redis, error));
  redis.on('ready', () => faults.delete(redis));
  const connector: unknown = Reflect.get(redis, 'connector');
  if (!(connector instanceof AbstractConnector)) return false;
  const check = connector.check.bind(connector);
  connector.check = (info: { readonly role?: string }) => {
    // Sentinels are asked anew where one of them names what is the primary no more.
    if (check(info) && info.role !== 'slave' && info.role !== 'replica') return true;
    redis.emit('error', new Error(A_REPLICA));
    return false;
  };
  return true;
}

/**
 * Gives a command up that is not answered in time. The driver's own `commandTimeout` does so as well, but for all that was
 * on its way where the process stood still for that long, although the answers have arrived and are only to be read.
 */
class FailFastRedis extends GatheringRedis {
  answerWithinMs = ANSWER_WITHIN_MS;

  override sendCommand(...given: Parameters<Redis['sendCommand']>): unknown {
    const [command] = given;
    const sent = super.sendCommand(...given);
    if (!command.isSettled) giveUpLater(command, this.answerWithinMs);
    return sent;
  }
}

/**
 * Asks again, where Redis takes writes by then, for what it did not do because it takes none. Who works step by step is told
 * instead; who fails fast is told in any case.
 */
class WaitingRedis extends GatheringRedis {
  override sendCommand(...given: Parameters<Redis['sendCommand']>): unknown {
    const [command] = given;
    if (!isAtAnother(this, command)) return super.sendCommand(...given);
    command.reject(new RedisMoved());
    return command.promise;
  }

  override handleReconnection(...[error, item]: Parameters<Redis['handleReconnection']>): void {
    const { command } = item;
    // Sent again by itself, a part of a transaction would be done without the rest.
    const isWhole = command instanceof Command && !command.inTransaction;
    if (this.status !== 'ready' || !isWhole || !MOVED.test(error.message))
      return super.handleReconnection(error, item);
    this.disconnect(true);
    this.sendCommand(command);
  }
}

function giveUpLater(command: Command, answerWithinMs: number): void {
  const timer = setTimeout(() => {
    // After what has arrived is read.
    setImmediate(() => {
      if (!command.isSettled) command.reject(new Error('Redis gave no answer in time'));
    });
  }, answerWithinMs);
  const keep = (): void => clearTimeout(timer);
  command.promise.then(keep, keep);
}

/**
 * A connection for what a person waits for: it fails after `answerWithinMs` instead of hanging, and
 * sends nothing later that was given up, since its caller has already said that nothing was done.
 */
export function connectFailFast(
  at: RedisAt,
  onError: (error: Error) => void,
  answerWithinMs = ANSWER_WITHIN_MS,
): Redis {
  const redis = connect(FailFastRedis, at, { maxRetriesPerRequest: 1, enableOfflineQueue: false }, onError);
  redis.answerWithinMs = answerWithinMs;
  return redis;
}

/** A connection for work behind the queue: a command waits until Redis is back. BullMQ's worker needs one such. */
export function connectBlocking(at: RedisAt, onError: (error: Error) => void): Redis {
  return connect(WaitingRedis, at, { maxRetriesPerRequest: null }, onError);
}

function connect<Client extends Redis>(
  Client: new (...given: [RedisOptions] | [string, RedisOptions]) => Client,
  at: RedisAt,
  options: Omit<RedisOptions, 'replyMapping'>,
  onError: (error: Error) => void,
): Client {
  const retryStrategy = (tries: number): number => Math.min(25 * tries, 250);
  const { url, options: ofAddress } = optionsOf(at);
  const given = {
    ...ofAddress,
    ...options,
    connectTimeout: 2_000,
    socketTimeout: SILENT_AFTER_MS,
    reconnectOnError: ({ message }: Error) => MOVED.test(message),
    retryStrategy,
  };
  const redis = url === undefined ? new Client(given) : new Client(url, given);
  // Each account hears over the same one that it is ready.
  redis.setMaxListeners(Number.POSITIVE_INFINITY);
  waitForReplicas(redis, at);
  redis.on('error', onError);
  return redis;
}

/** Closes a connection: politely when Redis answers, at once when it doesn't. */
export async function disconnect(redis: Redis): Promise<void> {
  if (redis.status === 'ready') {
    await Promise.race([
      redis.quit().catch(() => undefined),
      new Promise((done) => setTimeout(done, 500).unref()),
    ]);
  }
  redis.disconnect();
}

/** Gives the text of a key in a scope: those that are asked for in one turn of the event loop are read by one command. */
export type ReadTogether = (scope: string, key: string) => Promise<string | null>;

export function createReadTogether(redis: RedisConnection): ReadTogether {
  let keys: string[] = [];
  let reading: Promise<(string | null)[]> | undefined;
  return async (scope, key) => {
    const nth = keys.push(`${scope}${key}`) - 1;
    reading ??= Promise.resolve().then(() => {
      const asked = keys;
      keys = [];
      reading = undefined;
      return redis.mget(...asked);
    });
    const texts = await reading;
    return texts[nth] ?? null;
  };
}

const AT_ONCE = 500;

/**
 * Erases every key that begins so, on a connection without a prefix of its own. `erase` erases some of them; by false it ends there, and
 * so does this. Throws what Redis throws.
 */
export async function eraseKeys(
  redis: Pick<RedisConnection, 'scan'>,
  begin: string,
  erase: (keys: readonly string[]) => Promise<boolean>,
): Promise<void> {
  const pattern = `${begin.replaceAll(/[\\*?[\]]/g, '\\$&')}*`;
  for (let cursor = '0', isOver = false; !isOver;) {
    const [next, keys] = await redis.scan(cursor, 'MATCH', pattern, 'COUNT', AT_ONCE);
    if (keys.length > 0 && !(await erase(keys))) return;
    cursor = next;
    isOver = cursor === '0';
  }
}
