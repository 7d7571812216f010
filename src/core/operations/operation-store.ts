import { toStored, versionAfter } from '../../platform/redis/stored.ts';
import type { Entry } from '../audit/entry.ts';
import type { Log } from '../../platform/log/log.ts';
import type { Outbox } from '../outbox/outbox.ts';
import type { RedisClock } from '../../platform/redis/clock.ts';
import type { RedisConnection } from '../../platform/redis/connection.ts';
import type { Timings } from '../timings.ts';
import { operationKeys } from './keys.ts';
import { createPollIndex, type PollIndex, createReader, type Reader } from './read-operations.ts';
import { type Latest, type Versioned, withOneMore, createNewest, type Newest } from './latest.ts';
import { type History, entryOfEnd, isEndedBy } from './past.ts';
import { isPolled } from './polled.ts';
import { aboutWrites } from '../threads/threads.ts';
import {
  type Commit,
  commit,
  type Survival,
  together,
  field,
  file,
  push,
  record,
  release,
  unfile,
  type Write,
} from '../records/commit.ts';
import { unchanged, there, holds } from '../records/conditions.ts';
import { lockOf, type Operation } from './operation.ts';
import { type Begun, type Pressed, writeBegin } from './write-begin.ts';

/** What is written with a step. */
export interface Beside extends Survival {
  /** What it uses up, asked for again where something was moved meanwhile. */
  readonly using?: (() => Promise<Commit<'moved'>>) | undefined;
}

export interface OperationStore extends PollIndex, Omit<Newest, 'readNewest'> {
  /** Turns the request of the same id into `operation`, if its subject is free, with the entry that records it. */
  begin(operation: Operation, pressed: Pressed, entry: Entry): Promise<Begun>;
  /** The operation in flight for what only one may be about. */
  findHolder(lock: string): Promise<Operation | undefined>;
  /**
   * Moves an operation by a pure step, again from the start whenever somebody else moved it meanwhile.
   * `dueAt` tells when its next step is due, `historyOf` what it leaves once it has ended. Gives the operation as it is
   * then; undefined where the step did not apply.
   */
  change(
    operationId: string,
    step: (operation: Operation) => Operation | undefined,
    beside: Beside & {
      readonly dueAt: (operation: Operation) => number;
      readonly historyOf: (operation: Operation) => History;
    },
  ): Promise<Operation | undefined>;
  /**
   * The part of a commit that moves an operation from where it stands by a pure step that doesn't end it; undefined where there is none or
   * the step did not apply.
   */
  moving(
    operationId: string,
    step: (operation: Operation) => Operation | undefined,
    dueAt: (operation: Operation) => number,
  ): Promise<Commit<'moved'> | undefined>;
  /** Counts a try at an operation; gives how many there were since the last that came to its end, 0 where it has expired. */
  countTry(operationId: string): Promise<number>;
  forgetTries(operationId: string): Promise<void>;
  /** Ids whose next step was due before `before`. */
  listDue(before: number): Promise<string[]>;
  listOpen(): Promise<Operation[]>;
  /** The same as this process last saw them, which may be older than their records; read where it has not seen them. */
  listOpenLatest(): Promise<Operation[]>;
}

const KEPT_CLOSED_MS = 7 * 24 * 3_600_000;
const MAX_AT_ONCE = 500;
/** What is remembered of operations that have ended, of an instance and of a kind. */
const MOST_REMEMBERED = 50;
const HISTORY_KEPT_MS = 90 * 24 * 3_600_000;
/** The process that polls renews its lease more often than each sweep. */
const SWEEPS_UNTIL_GONE = 3;

/** `latest`: what this process knows of the records, whatever the connection. */
export function createOperationStore({
  redis,
  outbox,
  clock,
  timings,
  log,
  latest,
}: {
  readonly redis: RedisConnection;
  readonly outbox: Pick<Outbox, 'saying'>;
  readonly clock: RedisClock;
  readonly timings: Timings;
  readonly log: Log;
  readonly latest: Latest;
}): OperationStore {
  const reader = createReader(redis, clock, log, latest);
  const { readNewest, ...newest } = createNewest({ redis, clock, log, latest }, reader.read);

  return {
    begin: async (operation, pressed, entry) => {
      const movedAt = performance.now();
      const begun = await writeBegin({ redis, outbox, clock }, operation, pressed, entry);
      if (begun.result === 'begun')
        latest.keep({ version: begun.version, operation: begun.operation, movedAt });
      // Before: by an earlier run of the same request.
      return begun.result === 'begun' || begun.result === 'begun before' ? { result: 'begun' } : begun;
    },

    ...newest,

    findHolder: async (lock) => {
      const holder = await redis.get(operationKeys.lock(lock));
      return holder === null ? undefined : (await reader.read(holder))?.operation;
    },

    ...createMoves({ redis, clock, latest, readNewest }),

    countTry: (operationId) => countTry(redis, operationId),
    forgetTries: async (operationId) => {
      await redis.hdel(operationKeys.operation(operationId), 'tries');
    },

    ...createIndexes(redis, reader.readAll, latest),
    ...createPollIndex({
      redis,
      leaseMs: SWEEPS_UNTIL_GONE * timings.sweepEveryMs,
      readAll: reader.readAll,
      readNewest,
    }),
  };
}

/** How operations are moved: by a commit of their own, or as a part of another. */
function createMoves({
  redis,
  clock,
  latest,
  readNewest,
}: Pick<Newest, 'readNewest'> & {
  readonly redis: RedisConnection;
  readonly clock: RedisClock;
  readonly latest: Latest;
}): Pick<OperationStore, 'change' | 'moving'> {
  /** How it is written in place of what stands there. */
  const written = (
    { operation, version: before }: Versioned,
    next: Operation,
    version: string,
    dueAt: number,
  ): Commit<'moved'> => {
    const at = operationKeys.operation(next.id);
    const keptMs = next.closedAt === undefined ? undefined : KEPT_CLOSED_MS;
    return {
      if: [unchanged(at, before, 'moved')],
      write: [
        record(at, version, toStored(next), keptMs),
        // The process that moves it takes the next step, too: it is overdue only once nothing more comes of that.
        filed(next, Math.max(dueAt, clock.now())),
        ...pollAfter(operation, next),
        ...cardOf(operation, next),
      ],
    };
  };

  return {
    change: async (operationId, move, { dueAt, historyOf, survives, using }) => {
      for (let known = latest.get(operationId); ; known = undefined) {
        const current = known ?? (await readNewest(operationId));
        if (!current) return undefined;
        const next = move(current.operation);
        // Only the record itself says that a step does not apply.
        if (next === undefined && known) continue;
        if (next === undefined) return undefined;
        const isEnd = isEndedBy(current.operation, next);
        const movedAt = performance.now();
        const version = versionAfter(current.version);
        const { result } = await commit<'moved'>(
          redis,
          together(
            written(current, next, version, dueAt(next)),
            {
              write: isEnd ? leftBy(next, historyOf(next)) : [],
              audit: isEnd ? entryOfEnd(next) : [],
              survives,
            },
            (await using?.()) ?? {},
          ),
        );
        if (result === 'written') {
          return latest.keep({ version, before: withOneMore(current), operation: next, movedAt }).operation;
        }
      }
    },

    moving: async (operationId, move, dueAt) => {
      const current = await readNewest(operationId);
      const next = current && move(current.operation);
      if (!current || next === undefined) return undefined;
      const movedAt = performance.now();
      const version = versionAfter(current.version);
      return {
        ...written(current, next, version, dueAt(next)),
        wake: async () => latest.keep({ version, before: withOneMore(current), operation: next, movedAt }),
      };
    },
  };
}

/** Counts a try at an operation that is there still. Gives how many there were. */
async function countTry(redis: RedisConnection, operationId: string): Promise<number> {
  const operation = operationKeys.operation(operationId);
  for (;;) {
    const before = (await redis.hget(operation, 'tries')) ?? '';
    const tries = Number(before) + 1;
    const { result } = await commit<'gone' | 'moved'>(redis, {
      if: [there(operation, 'gone'), holds(operation, 'tries', before, 'moved')],
      write: [field(operation, 'tries', String(tries))],
    });
    if (result === 'written') return tries;
    if (result === 'gone') return 0;
  }
}

/** Where a step leaves an operation in the index of what is due. */
function filed({ id, closedAt }: Operation, due: number): Write {
  return closedAt === undefined ? file(operationKeys.open, id, due) : unfile(operationKeys.open, id);
}

/** What an operation that has ended leaves: its lock is free, and what was done with its instance is remembered. */
function leftBy({ id, kind, subject, part }: Operation, { past, times }: History): readonly Write[] {
  const remembered = (key: string, text: string): readonly Write[] =>
    text === '' ? [] : [push(key, text, MOST_REMEMBERED, HISTORY_KEPT_MS)];
  return [
    release(operationKeys.lock(lockOf(subject.id, part)), id),
    ...remembered(operationKeys.past(subject.id), past),
    ...remembered(operationKeys.times(kind), times),
  ];
}

/** What a step writes of its card: once it stands, what its thread is about; once it is closed, that its place has room. */
function cardOf(
  before: Operation,
  { id, card, subject, place, boardId, closedAt }: Operation,
): readonly Write[] {
  const { channelId = place.channelId, ts, fallback, state } = card;
  const isNew = before.card.state !== 'sent' && state === 'sent' && ts !== undefined;
  const threadTs = fallback === undefined ? (place.threadTs ?? ts) : ts;
  return [
    ...(isNew && threadTs !== undefined ? aboutWrites(channelId, threadTs, subject) : []),
    ...(closedAt === undefined || boardId !== undefined ? [] : [unfile(operationKeys.cards(place), id)]),
  ];
}

/** When the next poll is due after a step, where that is another time than before. */
function pollAfter(before: Operation, after: Operation): readonly Write[] {
  const { nextAt } = after.execution;
  if (!isPolled(after)) return isPolled(before) ? [unfile(operationKeys.polled, after.id)] : [];
  return isPolled(before) && before.execution.nextAt === nextAt
    ? []
    : [file(operationKeys.polled, after.id, nextAt)];
}

/** Which records have a next step, and when. */
function createIndexes(
  redis: RedisConnection,
  readAll: Reader['readAll'],
  latest: Pick<Latest, 'keepOpen'>,
): Pick<OperationStore, 'listDue' | 'listOpen' | 'listOpenLatest'> {
  return {
    listDue: async (before) => {
      const ids = await redis.zrangebyscore(operationKeys.open, '-inf', before, 'LIMIT', 0, MAX_AT_ONCE);
      return (await readAll(operationKeys.open, ids, 'afresh')).map((operation) => operation.id);
    },
    listOpen: async () => {
      const ids = await redis.zrange(operationKeys.open, '0', String(MAX_AT_ONCE - 1));
      return readAll(operationKeys.open, ids, 'current');
    },
    listOpenLatest: async () => {
      const ids = await redis.zrange(operationKeys.open, '0', String(MAX_AT_ONCE - 1));
      if (ids.length < MAX_AT_ONCE) latest.keepOpen(new Set(ids));
      return readAll(operationKeys.open, ids, 'any');
    },
  };
}
