import type { Redis } from 'ioredis';
import type { RedisAt } from './address.ts';

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
export function surviving(redis: Redis): () => Promise<void> {
  const line = lines.get(redis);
  if (!line) return async () => undefined;
  // Another connection may lead to a Redis that has never heard of what was written over this one.
  const { stream } = redis;
  const isSame = (): boolean => redis.stream === stream && redis.status === 'ready';
  return async () => {
    if (!isSame()) throw new NotReplicated('the connection ended meanwhile');
    await ask(redis, line);
    if (!isSame()) throw new NotReplicated('the connection ended meanwhile');
  };
}

/** To be called before something is written that must survive. Throws LacksReplicas where too few were there lately, and are not by now. */
export async function requireReplicas(redis: Redis): Promise<void> {
  const line = lines.get(redis);
  if (!line || performance.now() - line.shortAt > DOUBTED_MS) return;
  try {
    await surviving(redis)();
  } catch (error) {
    throw error instanceof NotReplicated ? new LacksReplicas(error) : error;
  }
}

/**
 * One question for all who ask meanwhile: until the replicas have answered, Redis does nothing else for this connection. It is about
 * all that was answered before it: replicas get every write in its order.
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
  const have = await redis.wait(replicas, WITHIN_MS);
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
