import { createHash } from 'node:crypto';
import { type Log, asError } from '../platform/log/log.ts';
import { newId } from '../platform/id.ts';
import type { WorkQueue } from '../platform/queue/queue.ts';
import type { RedisConnection } from '../platform/redis/connection.ts';
import { key } from '../platform/redis/key.ts';
import { takeLock } from '../platform/redis/lock.ts';
import { onceWithinLimit, repeat } from '../platform/time/wait.ts';
import type { Timings } from './timings.ts';
import type { Base } from './base.ts';

/** Records whose jobs the sweep puts back. */
export interface SweptKind {
  readonly job: string;
  /** The key that `listDue` reads; nothing is due where it isn't there. Without one, `listDue` is always asked. */
  readonly index?: string | undefined;
  /** Ids whose job was due before then (Unix ms). */
  listDue(before: number): Promise<readonly string[]>;
  /** For how long (ms) a job is left to who has it; where nothing is said, until the next sweep. */
  readonly overdueMs?: number;
  /** Nobody waits for it: it only has to be put right some time. */
  readonly isSeldom?: boolean | undefined;
  /** It is due by the calendar: Redis' own clock, also right after that was set. */
  readonly isByCalendar?: boolean | undefined;
}

/** What is swept of one account. */
interface Swept {
  /** Put before its keys. */
  readonly scope: string;
  readonly queue: Pick<WorkQueue, 'ensure'>;
  readonly kinds: readonly SweptKind[];
  readonly log: Log;
}

/** The sweeps of a process, over all of its accounts together. */
export interface Sweeps {
  start(): void;
  /** Sweeps an account from the next round on; gives a function that stops that. */
  add(swept: Swept): () => void;
  stop(): void;
}

export const sweeperKeys = {
  /** Processes that have other accounts, as while they are replaced by others, sweep beside each other. */
  of: (scopes: readonly string[]): string => {
    if (scopes.every((scope) => scope === '')) return key('sweeper');
    const names = scopes.toSorted().join(' ');
    return key('sweeper', createHash('sha256').update(names).digest('base64url').slice(0, 8));
  },
} as const;

/** The lease of a round is over before the next round is due. */
const LEASE_SHARE = 0.8;
/** Processes come in no fixed order, so that none sweeps for all and sees what only another can put right. */
const SPREAD = 0.4;
const SELDOM_EVERY = 5;
/** Of so many accounts it is asked at once whether there is anything of a kind. */
const ASKED_TOGETHER = 10;

/** A kind of an account. */
interface Row {
  readonly of: Swept;
  readonly kind: SweptKind;
}

/**
 * Puts the job of every record back that is overdue, however it was lost: a crash, a failed wake, a Redis that forgot. It does
 * so in each round for which this process gets the lease.
 */
export function createSweeps(
  deps: Pick<Base, 'clock' | 'redis' | 'log'> & { readonly timings: Pick<Timings, 'sweepEveryMs'> },
): Sweeps {
  const { redis, timings, log } = deps;
  const all: { readonly swept: Swept; isNew: boolean }[] = [];
  const me = newId();
  const underWay = new Set<SweptKind>();
  let rounds = 0;
  let isMine = true;
  const begin = ({ of, kind }: Row): void => {
    if (underWay.has(kind)) return;
    underWay.add(kind);
    const once = sweep(deps, of, kind).finally(() => underWay.delete(kind));
    void onceWithinLimit(() => once).catch((error: unknown) => of.log.limited('sweep', asError(error)));
  };
  /** The kinds of this round. What is sought seldom is sought of some accounts in each. */
  const rowsOf = (round: number): readonly Row[] =>
    all.flatMap((one, nth) => {
      const isAll = one.isNew || (round + nth) % SELDOM_EVERY === 0;
      one.isNew = false;
      const kinds = one.swept.kinds.filter(({ isSeldom }) => isAll || !isSeldom);
      return kinds.map((kind) => ({ of: one.swept, kind }));
    });
  const round = async (): Promise<void> => {
    if (all.length === 0) return;
    const lease = sweeperKeys.of(all.map(({ swept }) => swept.scope));
    const leaseMs = Math.max(1, Math.round(timings.sweepEveryMs * LEASE_SHARE));
    isMine = await takeLock(redis, lease, me, leaseMs);
    if (!isMine) return;
    const rows = rowsOf(rounds);
    rounds += 1;
    const indexed = rows.filter(({ kind }) => kind.index !== undefined);
    const there = new Set(await findThere(redis, indexed, all.length === 1 ? [] : [byKind, inTens]));
    for (const row of rows) if (row.kind.index === undefined || there.has(row)) begin(row);
  };
  // The process that finds another at it asks less often.
  const nextMs = (): number => timings.sweepEveryMs * (isMine ? 1 : 2) * (1 + SPREAD * (Math.random() - 0.5));
  let stop = (): void => undefined;
  return {
    start: () => {
      stop = repeat(nextMs, [round], (error) => log.limited('sweep', error));
    },
    add: (swept) => {
      const one = { swept, isNew: true };
      all.push(one);
      return () => void all.splice(all.indexOf(one), 1);
    },
    stop: () => stop(),
  };
}

type Split = (rows: readonly Row[]) => readonly (readonly Row[])[];

const byKind: Split = (rows) =>
  [...new Set(rows.map(({ kind }) => kind.index))].map((index) =>
    rows.filter(({ kind }) => kind.index === index),
  );
const inTens: Split = (rows) =>
  Array.from({ length: Math.ceil(rows.length / ASKED_TOGETHER) }, (_, nth) =>
    rows.slice(nth * ASKED_TOGETHER, (nth + 1) * ASKED_TOGETHER),
  );

/** Those of which there may be anything. Mostly one question for all says that there is nothing; else it is asked of fewer, and fewer. */
async function findThere(
  redis: RedisConnection,
  rows: readonly Row[],
  [split, ...others]: readonly Split[],
): Promise<readonly Row[]> {
  const keys = rows.flatMap(({ of, kind: { index } }) => (index === undefined ? [] : `${of.scope}${index}`));
  if (keys.length === 0 || (await redis.exists(...keys)) === 0) return [];
  if (!split) return rows;
  const parts = await Promise.all(split(rows).map((part) => findThere(redis, part, others)));
  return parts.flat();
}

async function sweep(
  { clock, timings }: Pick<Base, 'clock'> & { readonly timings: Pick<Timings, 'sweepEveryMs'> },
  { queue, log }: Swept,
  { job, listDue, overdueMs, isByCalendar = false }: SweptKind,
): Promise<void> {
  const before = clock.now() - (overdueMs ?? timings.sweepEveryMs);
  for (const id of await listDue(isByCalendar ? clock.atRedis(before) : before))
    if (await queue.ensure(job, id)) log.info({ job, id }, 'sweep: put a job back');
}
