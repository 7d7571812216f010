import type { Redis, Command } from 'ioredis';
import type { RedisAt } from './address.ts';
import { type RedisConnection, unscoped } from './key.ts';
import { AsyncLocalStorage } from 'node:async_hooks';

/** The connection to Redis was made anew while work went on step by step: what its earlier steps wrote may be missing there. */
export class RedisMoved extends Error {
  constructor() {
    super('the connection to Redis was made anew meanwhile');
    this.name = 'RedisMoved';
  }
}

/** One piece of work. */
interface Work {
  /** The socket of each connection over which a step of it was answered, since the last that is certain. */
  readonly sockets: Map<Redis, object>;
  /** What it leaves behind, as a timer, is no step of it. */
  isOver: boolean;
  /** A step of it was refused. */
  isRefused: boolean;
}

const working = new AsyncLocalStorage<Work>();
/** The work that a command is of, if any: the driver may send it later, in the middle of another's, or once more by the next socket. */
const workOf = new WeakMap<Command, Work | undefined>();

/** By these a connection says who it is before it is ready, in the middle of anybody's work. */
const OF_DRIVER = new Set(['auth', 'client', 'hello', 'info', 'readonly', 'select']);

/**
 * Runs work whose later steps build on what its earlier ones wrote. A Redis that takes over may lack the last of that, and a step
 * that is written there all the same would never be undone: from the first command over another socket on, each rejects with RedisMoved,
 * and so does this, whatever the work makes of that. Whoever called begins anew from what the records say.
 */
export async function atOneRedis<T>(run: () => Promise<T>): Promise<T> {
  const work: Work = { sockets: new Map(), isOver: false, isRefused: false };
  try {
    const result = await working.run(work, run);
    if (work.isRefused) throw new RedisMoved();
    return result;
  } finally {
    work.isOver = true;
  }
}

/** Runs work that builds on what is certain alone, as the answer to a call does: at the next Redis, where one takes over in the middle. */
export async function untilAtOneRedis<T>(run: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await atOneRedis(run);
    } catch (error) {
      if (!(error instanceof RedisMoved)) throw error;
    }
  }
}

/** Runs what is no step of the work that happens to ask for it. */
function outsideOfWork<T>(run: () => T): T {
  return working.exit(run);
}

/** All that the work wrote over this connection until now outlives its Redis: its next step may be taken at another. */
function allIsCertain(redis: Redis): void {
  working.getStore()?.sockets.delete(redis);
}

/** Whether this command belongs to work that wrote over another socket of this connection. To be asked each time that it is sent. */
export function isAtAnother(redis: Redis, command: Command): boolean {
  if (!workOf.has(command)) workOf.set(command, workAt(redis, command));
  const work = workOf.get(command);
  const taken = work?.isOver === false ? work.sockets.get(redis) : undefined;
  const isRefused = taken !== undefined && (taken !== redis.stream || redis.status !== 'ready');
  if (isRefused && work) work.isRefused = true;
  return isRefused;
}

/** The work that is under way as a command is given, to which it counts as a step once it is answered: nothing builds on it before. */
function workAt(redis: Redis, { name, promise }: Command): Work | undefined {
  const work = OF_DRIVER.has(name) ? undefined : working.getStore();
  const isTaken = (): void => void work?.sockets.set(redis, redis.stream);
  if (work) promise.then(isTaken, () => undefined);
  return work;
}

/** What was written stands in Redis, and may be gone if that is lost: too few replicas are known to have it. */
export class NotReplicated extends Error {
  constructor(why: string) {
    super(`too few replicas of Redis have what was written: ${why}`);
    this.name = 'NotReplicated';
  }
}

/** Nothing was written, since too few replicas are there to have it. */
export class LacksReplicas extends Error {
  constructor(why: NotReplicated) {
    super('too few replicas of Redis are in step', { cause: why });
    this.name = 'LacksReplicas';
  }
}

/** Less than a command of somebody who waits may take, and than something may leave after it was written down. */
const WITHIN_MS = 400;
/** A Redis that stays the primary although its replicas are gone is not left again and again. */
const LEFT_EVERY_MS = 1_000;
/** For so long after a write that too few replicas had, they are asked before the next one is made. */
const DOUBTED_MS = 10_000;

interface Line {
  readonly at: Required<Pick<RedisAt, 'replicas'>> & RedisAt;
  /** The question that Redis has, and the one that is asked when that is answered. */
  running?: Promise<void> | undefined;
  next?: Promise<void> | undefined;
  leftAt: number;
  shortAt: number;
}

const lines = new WeakMap<Redis, Line>();

/** From now on what is written over this connection survives once as many replicas have it as `at` says. */
export function waitForReplicas(redis: Redis, at: RedisAt): void {
  const { replicas = 0 } = at;
  if (replicas === 0) return;
  lines.set(redis, {
    at: { ...at, replicas },
    leftAt: Number.NEGATIVE_INFINITY,
    shortAt: Number.NEGATIVE_INFINITY,
  });
}

/**
 * To be called before something is written. What it gives resolves once that is in enough replicas to outlive this Redis, at once
 * where none are asked for; it throws NotReplicated where that is not certain in time.
 */
export function surviving(connection: RedisConnection): () => Promise<void> {
  const redis = unscoped(connection);
  const line = lines.get(redis);
  if (!line) return async () => allIsCertain(redis);
  const requireSame = sameFrom(redis);
  return async () => {
    requireSame();
    await ask(redis, line);
    requireSame();
    allIsCertain(redis);
  };
}

/**
 * Writes, and asks the replicas for it in the same round trip. Throws what `write` throws, and NotReplicated where it is not certain in
 * time that it outlives this Redis. `write`: sends its command before it waits for anything.
 */
export async function writeSurviving<T>(connection: RedisConnection, write: () => Promise<T>): Promise<T> {
  const redis = unscoped(connection);
  const line = lines.get(redis);
  if (!line) {
    const answer = await write();
    allIsCertain(redis);
    return answer;
  }
  const requireSame = sameFrom(redis);
  const written = write();
  const asked = ask(redis, line);
  // What it was asked about may fail first.
  asked.catch(() => undefined);
  const answer = await written;
  requireSame();
  await asked;
  requireSame();
  allIsCertain(redis);
  return answer;
}

/** Throws NotReplicated from when another connection may lead to a Redis that has never heard of what is written over this one. */
function sameFrom(redis: Redis): () => void {
  const { stream } = redis;
  return () => {
    if (redis.stream !== stream || redis.status !== 'ready')
      throw new NotReplicated('the connection ended meanwhile');
  };
}

/** To be called before something is written that must survive. Throws LacksReplicas where too few were there lately, and are not by now. */
export async function requireReplicas(redis: RedisConnection): Promise<void> {
  const line = lines.get(unscoped(redis));
  if (!line || performance.now() - line.shortAt > DOUBTED_MS) return;
  try {
    await surviving(redis)();
  } catch (error) {
    throw error instanceof NotReplicated ? new LacksReplicas(error) : error;
  }
}

/**
 * One question for all who ask meanwhile: until the replicas have answered, Redis does nothing else for this connection. It is about
 * all that was sent over it before: Redis does one thing after another, and replicas get every write in its order.
 */
function ask(redis: Redis, line: Line): Promise<void> {
  const after = (line.running ?? Promise.resolve()).catch(() => undefined);
  line.next ??= after.then(() => {
    line.running = line.next;
    line.next = undefined;
    return waitFor(redis, line);
  });
  return line.next;
}

async function waitFor(redis: Redis, line: Line): Promise<void> {
  const { replicas, goesOnAlone = false, onShort } = line.at;
  // All who wait for it ask with whoever came first.
  const have = await outsideOfWork(() => redis.wait(replicas, WITHIN_MS));
  if (have >= replicas) {
    line.shortAt = Number.NEGATIVE_INFINITY;
    return;
  }
  onShort?.(goesOnAlone ? 'went on' : 'refused');
  if (goesOnAlone) return;
  const now = performance.now();
  line.shortAt = now;
  if (now - line.leftAt > LEFT_EVERY_MS) {
    line.leftAt = now;
    // They may follow another primary by now: whoever knows that is asked again.
    redis.disconnect(true);
  }
  throw new NotReplicated(`${have} of ${replicas} do`);
}
