import type { Redis } from 'ioredis';
import type { RedisAt } from './address.ts';
import { type RedisConnection, unscoped } from './key.ts';
import { allIsCertain, outsideOfWork } from './at-one-redis.ts';

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
