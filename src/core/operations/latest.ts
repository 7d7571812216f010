import { BoundedMap } from '../../platform/bounded-map.ts';
import { timesWritten, versionAfter, toStored } from '../../platform/redis/stored.ts';
import { type Operation, lockOf } from './operation.ts';
import type { Log } from '../../platform/log/log.ts';
import type { RedisClock } from '../../platform/redis/clock.ts';
import type { RedisConnection } from '../../platform/redis/connection.ts';
import { commit, claim, file, record, release, unfile } from '../records/commit.ts';
import { NONE, unchanged } from '../records/conditions.ts';
import { OPEN_KEPT_MS } from '../records/records.ts';
import { entryOfEnd } from './past.ts';
import { afterLoss } from './execution.ts';
import { operationKeys } from './keys.ts';
import { isPolled } from './polled.ts';
import { lostWayBack } from './way-back.ts';

/** A record as it stands in Redis under a version. */
export interface Versioned {
  readonly version: string;
  /** Those under which this process knew it before, the newest last. */
  readonly before?: readonly string[];
  readonly operation: Operation;
  /** When this process began to write this version, by its own clock, ms; undefined where it has read it. */
  readonly movedAt?: number;
}

export interface Latest {
  get(id: string): Versioned | undefined;
  keep(one: Versioned): Versioned;
  /** What is known of it never was, or is no more. */
  forget(id: string): void;
  /** The open ones that are known. */
  listOpen(): readonly Versioned[];
  /** One was put back that Redis had lost. */
  addLost(operation: Operation): void;
  /** Those that were put back since this was asked last. */
  takeLost(): readonly Operation[];
  /** Forgets open ones but these: others have been closed by another process. */
  keepOpen(ids: ReadonlySet<string>): void;
}

const MOST_BEFORE = 20;

/** The versions under which a record was known, and the one under which it is. Pure. */
export function withOneMore({ before = [], version }: Versioned): readonly string[] {
  return [...before, version].slice(-MOST_BEFORE);
}

/**
 * Whether what stands in Redis is only older than what is known: a write that came to this process before, and not one that was made in its
 * place once the known ones were lost. Pure.
 */
export function isOlder(stands: Versioned, { version, before = [] }: Versioned): boolean {
  const times = timesWritten(stands.version);
  const known = before.find((one) => timesWritten(one) === times);
  return times < timesWritten(version) && (known === undefined || known === stands.version);
}

/** As many are polled together at most, so that none of those is read again at each poll. */
export const MOST_KNOWN = 10_000;
/** The job that has just closed one asks for it once more. */
const MOST_CLOSED = 100;

/**
 * The operations that this process saw last: most steps follow its own, and need not be read again. Without it a restart alone reads its
 * record 50 times more, and sends Redis 300 commands in place of 255. What Redis loses is put back from here.
 */
export function createLatest(): Latest {
  const open = new BoundedMap<string, Versioned>(MOST_KNOWN);
  const closed = new BoundedMap<string, Versioned>(MOST_CLOSED);
  const lost = new BoundedMap<string, Operation>(MOST_CLOSED);
  const get = (id: string): Versioned | undefined => open.get(id) ?? closed.get(id);
  return {
    get,
    keep: (read) => {
      const { id, closedAt } = read.operation;
      const known = get(id);
      // To read what it has written itself makes it no less its own.
      const movedAt = read.movedAt ?? (known?.version === read.version ? known.movedAt : undefined);
      const one = movedAt === undefined ? read : { ...read, movedAt };
      if (known && timesWritten(known.version) > timesWritten(one.version)) {
        // An answer that comes late must not be put over what this process has written since. But where Redis has lost what
        // closed it, it is open again: the next step reads it.
        closed.delete(id);
        return one;
      }
      open.delete(id);
      closed.delete(id);
      (closedAt === undefined ? open : closed).set(id, one);
      return one;
    },
    forget: (id) => {
      open.delete(id);
      closed.delete(id);
    },
    listOpen: () => [...open.values()],
    addLost: (operation) => lost.set(operation.id, operation),
    takeLost: () => {
      const all = [...lost.values()];
      lost.clear();
      return all;
    },
    keepOpen: (ids) => {
      for (const id of open.keys()) if (!ids.has(id)) open.delete(id);
    },
  };
}

export interface Newest {
  find(operationId: string): Promise<Operation | undefined>;
  /** As this process last saw it, which may be older than the record; read where it has not seen it. */
  findLatest(operationId: string): Promise<Operation | undefined>;
  /**
   * The open ones whose newest Redis had lost, of those that this process has moved, and that were put back since this was
   * asked last. `isSearch`: searches for them; else those that were found on the way.
   */
  takeLost(isSearch: boolean): Promise<readonly Operation[]>;
  /**
   * The operation as Redis has it, or as this process does where it has written down more than Redis knows by now: an older
   * Redis has come back, or an empty one, and the operation is put back there. Throws what Redis throws.
   */
  readNewest(id: string): Promise<Versioned | undefined>;
}

export function createNewest(
  {
    redis,
    clock,
    log,
    latest,
  }: {
    readonly redis: RedisConnection;
    readonly clock: RedisClock;
    readonly log: Log;
    readonly latest: Latest;
  },
  read: (id: string) => Promise<Versioned | undefined>,
): Newest {
  const readNewest: Newest['readNewest'] = async (id) => {
    for (;;) {
      const stands = await read(id);
      const known = latest.get(id);
      // What it has only read may have been closed by others, and have expired since.
      if (known?.movedAt === undefined || known.operation.closedAt !== undefined) return stands;
      if (stands && !isOlder(stands, known)) {
        latest.forget(id);
        return latest.keep(stands);
      }
      const operation = afterLoss(withWayBackOf(stands?.operation, known.operation, clock.now()));
      const version = versionAfter(known.version);
      const movedAt = performance.now();
      const lock = operationKeys.lock(lockOf(operation.subject.id, operation.part));
      const { result } = await commit<'moved'>(redis, {
        if: [unchanged(operationKeys.operation(id), stands?.version ?? NONE, 'moved')],
        write: [
          record(operationKeys.operation(id), version, toStored(operation), OPEN_KEPT_MS),
          file(operationKeys.open, id, clock.now()),
          isPolled(operation)
            ? file(operationKeys.polled, id, operation.execution.nextAt)
            : unfile(operationKeys.polled, id),
          ...(operation.outcome ? [release(lock, id)] : [claim(lock, id, OPEN_KEPT_MS)]),
        ],
        // Its end was recorded together with what is lost.
        audit: operation.outcome && !stands?.operation.outcome ? entryOfEnd(operation) : undefined,
      });
      // An answer may only have come late; then it is read again.
      if (result !== 'written') continue;
      log.error({ operation: id }, 'putting an operation back whose newest Redis has lost');
      latest.addLost(operation);
      return latest.keep({ version, before: withOneMore(known), operation, movedAt });
    }
  };
  return {
    readNewest,
    find: async (id) => (await readNewest(id))?.operation,
    findLatest: async (id) => (latest.get(id) ?? (await readNewest(id)))?.operation,
    takeLost: async (isSearch) => {
      const known = isSearch ? latest.listOpen() : [];
      await Promise.all(known.map(({ operation }) => readNewest(operation.id)));
      return latest.takeLost();
    },
  };
}

/**
 * The operation with the way back of the one that stands, whose schedule is as old; where none stands it is lost as the beginning is,
 * since both were written in one step.
 */
function withWayBackOf(stands: Operation | undefined, operation: Operation, now: number): Operation {
  const { wayBack } = operation;
  return wayBack ? { ...operation, wayBack: stands?.wayBack ?? lostWayBack(wayBack, now) } : operation;
}
