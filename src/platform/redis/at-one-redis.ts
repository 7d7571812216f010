import { AsyncLocalStorage } from 'node:async_hooks';
import type { Command, Redis } from 'ioredis';

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
export function outsideOfWork<T>(run: () => T): T {
  return working.exit(run);
}

/** All that the work wrote over this connection until now outlives its Redis: its next step may be taken at another. */
export function allIsCertain(redis: Redis): void {
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
