import { toStored } from '../../platform/redis/stored.ts';
import type { Log } from '../../platform/log/log.ts';
import type { RedisClock } from '../../platform/redis/clock.ts';
import type { RedisConnection } from '../../platform/redis/connection.ts';
import { versionAfter } from '../../platform/redis/version.ts';
import { commit } from '../records/commit.ts';
import { NONE, unchanged } from '../records/conditions.ts';
import { OPEN_KEPT_MS } from '../records/records.ts';
import { claim, file, record, release, unfile } from '../records/writes.ts';
import { entryOfEnd } from './history.ts';
import { afterLoss } from './execution.ts';
import { operationKeys } from './keys.ts';
import { isOlder, type Latest, type Versioned, withOneMore } from './latest.ts';
import { lockOf, type Operation } from './operation.ts';
import { isPolled } from './polled.ts';
import { lostWayBack } from './way-back.ts';

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
