import type { Log } from '../platform/log/log.ts';
import { newId } from '../platform/id.ts';
import { asError } from '../platform/log/as-error.ts';
import type { WorkQueue } from '../platform/queue/queue.ts';
import type { RedisClock } from '../platform/redis/clock.ts';
import type { RedisConnection } from '../platform/redis/connection.ts';
import { key } from '../platform/redis/key.ts';
import { takeLock } from '../platform/redis/lock.ts';
import { onceWithinLimit, repeat } from '../platform/time/repeat.ts';
import type { Timings } from './timings.ts';

/** Records whose jobs the sweep puts back. */
export interface SweptKind {
  readonly job: string;
  /** The key that `listDue` reads; nothing is due where it isn't there. Without one, `listDue` is always asked. */
  readonly index?: string;
  /** Ids whose job was due before then (Unix ms). */
  listDue(before: number): Promise<readonly string[]>;
  /** For how long (ms) a job is left to who has it; where nothing is said, until the next sweep. */
  readonly overdueMs?: number;
  /** Nobody waits for it: it only has to be put right some time. */
  readonly isSeldom?: boolean;
}

/** The one record of its kind, whose job has this id. `dueAt`: when that is due, Unix ms; infinity for never. */
export function sweptRecord<T>(
  { get }: { get(): Promise<T> },
  { id, dueAt, ...kind }: Omit<SweptKind, 'listDue'> & { readonly id: string; dueAt(record: T): number },
): SweptKind {
  return { ...kind, listDue: async (before) => (dueAt(await get()) < before ? [id] : []) };
}

interface SweepsDeps {
  readonly redis: RedisConnection;
  readonly queue: Pick<WorkQueue, 'ensure'>;
  readonly clock: Pick<RedisClock, 'now'>;
  readonly timings: Pick<Timings, 'sweepEveryMs'>;
  readonly log: Log;
}

export const SWEEPER = key('sweeper');
/** The lease of a round is over before the next round is due. */
const LEASE_SHARE = 0.8;
/** Processes come in no fixed order, so that none sweeps for all and sees what only another can put right. */
const SPREAD = 0.4;
const SELDOM_EVERY = 5;

/**
 * Puts the job of every record back that is overdue, however it was lost: a crash, a failed wake, a Redis that forgot. It does
 * so in each round for which this process gets the lease, and gives a function that stops that.
 */
export function startSweeps(deps: SweepsDeps, kinds: readonly SweptKind[]): () => void {
  const { redis, timings, log } = deps;
  const often = kinds.filter(({ isSeldom }) => !isSeldom);
  const me = newId();
  const underWay = new Set<SweptKind>();
  let rounds = 0;
  let isMine = true;
  const begin = (kind: SweptKind): void => {
    if (underWay.has(kind)) return;
    underWay.add(kind);
    void onceWithinLimit(() => sweep(deps, kind))
      .catch((error: unknown) => log.limited('sweep', asError(error)))
      .finally(() => underWay.delete(kind));
  };
  const round = async (): Promise<void> => {
    const leaseMs = Math.max(1, Math.round(timings.sweepEveryMs * LEASE_SHARE));
    isMine = await takeLock(redis, SWEEPER, me, leaseMs);
    if (!isMine) return;
    const due = rounds % SELDOM_EVERY === 0 ? kinds : often;
    rounds += 1;
    // One question for all, which mostly says that there is nothing to do.
    const isAny = (await redis.exists(...due.flatMap(({ index = [] }) => index))) > 0;
    for (const kind of due) if (isAny || kind.index === undefined) begin(kind);
  };
  // The process that finds another at it asks less often.
  const nextMs = (): number => timings.sweepEveryMs * (isMine ? 1 : 2) * (1 + SPREAD * (Math.random() - 0.5));
  return repeat(nextMs, [round], (error) => log.limited('sweep', error));
}

async function sweep(
  { queue, clock, timings, log }: SweepsDeps,
  { job, listDue, overdueMs }: SweptKind,
): Promise<void> {
  for (const id of await listDue(clock.now() - (overdueMs ?? timings.sweepEveryMs)))
    if (await queue.ensure(job, id)) log.info({ job, id }, 'sweep: put a job back');
}
