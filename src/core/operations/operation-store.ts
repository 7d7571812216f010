import { wholeName } from '../../platform/redis/key.ts';
import { type Audit, loadAudited } from '../audit/audit.ts';
import type { Entry } from '../audit/entry.ts';
import type { Log } from '../../platform/log/log.ts';
import type { RedisClock } from '../../platform/redis/clock.ts';
import type { RedisConnection } from '../../platform/redis/connection.ts';
import type { Timings } from '../timings.ts';
import { operationKeys } from './keys.ts';
import { loadScript } from '../../platform/redis/script.ts';
import { entryOfEnd, isEndedBy } from './entries.ts';
import { createLookIndex, type LookIndex, pairs } from './look-index.ts';
import type { Latest, Versioned } from './latest.ts';
import { createNewest, type Newest } from './put-back.ts';
import { createReader, type Reader } from './read-operations.ts';
import { type Memory, NO_MEMORY } from './memory.ts';
import { isWatched } from './polled.ts';
import { ABOUT_KEPT_MS, aboutText, MAX_ABOUT, NOTE_ABOUT } from '../threads/threads.ts';
import { threadKeys } from '../threads/keys.ts';
import { lockOf, type Operation } from './operation.ts';
import { type Begun, type Pressed, writeBegin } from './write-begin.ts';

export interface OperationStore extends LookIndex, Omit<Newest, 'readNewest'> {
  /** Turns the request of the same id into `operation`, if its subject is free, with the entry that records it. */
  begin(operation: Operation, pressed: Pressed, entry: Entry): Promise<Begun>;
  /**
   * Whether the record is as this process last saw it, by what it did or read within the last `withinMs`. Never true for one
   * that it has not seen.
   */
  isAsSeen(operationId: string, withinMs: number): Promise<boolean>;
  /** The operation in flight for what only one may be about. */
  findHolder(lock: string): Promise<Operation | undefined>;
  /**
   * Moves an operation by a pure step, again from the start whenever somebody else moved it meanwhile.
   * `dueAt` tells when its next step is due, `memoryOf` what it leaves once it has ended. Gives the operation as it is
   * then; undefined where the step did not apply.
   */
  change(
    operationId: string,
    step: (operation: Operation) => Operation | undefined,
    dueAt: (operation: Operation) => number,
    memoryOf: (operation: Operation) => Memory,
  ): Promise<Operation | undefined>;
  /** Counts a try at an operation; gives how many there were since the last that came to its end, 0 where it has expired. */
  countTry(operationId: string): Promise<number>;
  forgetTries(operationId: string): Promise<void>;
  /** Leaves operations to this process for a while longer: nobody else takes them for overdue. */
  hold(operationIds: readonly string[]): Promise<void>;
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
const MEMORY_KEPT_MS = 90 * 24 * 3_600_000;
/** The process that looks for everybody says so more often than each sweep. */
const SWEEPS_UNTIL_GONE = 3;

/** Of a record that is not known in any version. */
const NOTHING_KNOWN: ReadonlyMap<string, string> = new Map();

const step = loadAudited(NOTE_ABOUT, new URL('./step.lua', import.meta.url));
const open = loadScript(new URL('./open.lua', import.meta.url));
const countTry = loadScript(new URL('./count-try.lua', import.meta.url));

/** `latest`: what this process knows of the records, whatever the connection. */
export function createOperationStore({
  redis,
  audit,
  clock,
  timings,
  log,
  latest,
}: {
  readonly redis: RedisConnection;
  readonly audit: Audit;
  readonly clock: RedisClock;
  readonly timings: Timings;
  readonly log: Log;
  readonly latest: Latest;
}): OperationStore {
  const { read, readAll } = createReader(redis, clock, log, latest);
  const { readNewest, ...newest } = createNewest({ redis, clock, log, latest }, read);

  return {
    begin: async (operation, pressed, entry) => {
      const movedAt = performance.now();
      const begun = await writeBegin({ redis, audit, clock }, operation, pressed, entry);
      if (begun.result === 'begun') latest.keep({ version: 1, operation, movedAt });
      // By an earlier run of the same request.
      return begun.result === 'begun before' ? { result: 'begun' } : begun;
    },

    ...newest,
    isAsSeen: createIsAsSeen(redis, latest),

    findHolder: async (lock) => {
      const holder = await redis.get(operationKeys.lock(lock));
      return holder === null ? undefined : (await read(holder))?.operation;
    },

    change: async (operationId, move, dueAt, memoryOf) => {
      for (let known = latest.get(operationId); ; known = undefined) {
        const current = known ?? (await readNewest(operationId));
        if (!current) return undefined;
        const next = move(current.operation);
        // Only the record itself says that a step does not apply.
        if (next === undefined && known) continue;
        if (next === undefined) return undefined;
        const { due, isFiled } = filing(current, dueAt(next), clock.now(), timings);
        const isEnd = isEndedBy(current.operation, next);
        const movedAt = performance.now();
        const moved = await audit.run(
          step,
          [...stepKeys(next), threadOf(next)],
          [
            operationId,
            current.version,
            JSON.stringify(next),
            isFiled ? KEEP : Number.isFinite(due) ? due : '+inf',
            lookAfter(current.operation, next),
            isEnd ? 'ended' : '',
            next.closedAt === undefined ? '' : KEPT_CLOSED_MS,
            ...remembered(isEnd ? memoryOf(next) : NO_MEMORY),
            ...cardOf(current.operation, next),
          ],
          isEnd ? entryOfEnd(next) : undefined,
        );
        if (moved === 1) {
          const filedAt = isFiled ? current.filedAt : due;
          const version = current.version + 1;
          return latest.keep({ version, operation: next, movedAt, filedAt }).operation;
        }
      }
    },

    countTry: async (operationId) =>
      Number(await countTry(redis, [operationKeys.operation(operationId)], [])),
    forgetTries: async (operationId) => {
      await redis.hdel(operationKeys.operation(operationId), 'tries');
    },

    ...createIndexes(redis, clock, readAll, latest),
    ...createLookIndex({ redis, takenForMs: SWEEPS_UNTIL_GONE * timings.sweepEveryMs, readAll }),
  };
}

function createIsAsSeen(redis: RedisConnection, latest: Latest): OperationStore['isAsSeen'] {
  return async (operationId, withinMs) => {
    if (latest.isMovedWithin(operationId, withinMs)) return true;
    const known = latest.get(operationId);
    if (!known) return false;
    const from = performance.now();
    const version = await redis.hget(operationKeys.operation(operationId), 'version');
    return version === String(known.version) && performance.now() - from <= withinMs;
  };
}

/** All that a step of an operation may touch. */
function stepKeys({ id, kind, subject, part, place }: Operation): readonly string[] {
  return [
    operationKeys.operation(id),
    operationKeys.open,
    operationKeys.watched,
    operationKeys.lock(lockOf(subject.id, part)),
    operationKeys.cards(place),
    operationKeys.past(subject.id),
    operationKeys.times(kind),
  ];
}

function remembered({ past, times }: Memory): readonly (string | number)[] {
  return [MOST_REMEMBERED, MEMORY_KEPT_MS, past, times];
}

/** The key of the thread in which people answer to its card. */
function threadOf({ card, place }: Operation): string {
  const { channelId = place.channelId, ts = 'none', fallback } = card;
  return threadKeys.about(channelId, fallback === undefined ? (place.threadTs ?? ts) : ts);
}

/** What a step notes with the thread, once its card stands: which instance it is about. And whether it has a card of its own. */
function cardOf(before: Operation, { card, subject, boardId }: Operation): readonly (string | number)[] {
  const isNew = before.card.state !== 'sent' && card.state === 'sent' && card.ts !== undefined;
  const about = isNew ? [subject.id, aboutText(subject)] : ['', ''];
  return [...about, MAX_ABOUT, ABOUT_KEPT_MS, boardId === undefined ? 'own card' : ''];
}

/** What of an index stands already as it should. */
const KEEP = 'keep';

/** By when a record is to be filed, and whether it is so near enough. Times are Redis' clock, Unix ms. */
function filing(
  { filedAt }: Versioned,
  dueAt: number,
  now: number,
  { sweepEveryMs }: Timings,
): { readonly due: number; readonly isFiled: boolean } {
  // The process that moves it takes the next step, too: it is overdue only once nothing more comes of that.
  const due = Math.max(dueAt, now);
  return { due, isFiled: due === filedAt || Math.abs(due - (filedAt ?? Number.NaN)) < sweepEveryMs / 4 };
}

/** When the next look is due after a step: a time, `none`, or as it was. */
function lookAfter(before: Operation, after: Operation): number | 'none' | typeof KEEP {
  const { nextAt } = after.execution;
  if (!isWatched(after)) return isWatched(before) ? 'none' : KEEP;
  return isWatched(before) && before.execution.nextAt === nextAt ? KEEP : nextAt;
}

/** Which records have a next step, and when. */
function createIndexes(
  redis: RedisConnection,
  clock: RedisClock,
  readAll: Reader['readAll'],
  latest: Pick<Latest, 'keepOpen'>,
): Pick<OperationStore, 'hold' | 'listDue' | 'listOpen' | 'listOpenLatest'> {
  return {
    hold: async (operationIds) => {
      const scores = operationIds.flatMap((id) => [clock.now(), id]);
      await redis.zadd(operationKeys.open, 'XX', 'GT', ...scores);
    },
    listDue: async (before) => {
      const ids = await redis.zrangebyscore(operationKeys.open, '-inf', before, 'LIMIT', 0, MAX_AT_ONCE);
      return (await readAll(operationKeys.open, ids, NOTHING_KNOWN)).map((operation) => operation.id);
    },
    listOpen: async () => {
      const answer = await open(
        redis,
        [operationKeys.open],
        [MAX_AT_ONCE, wholeName(redis, operationKeys.operation(''))],
      );
      const versions = pairs(Array.isArray(answer) ? answer.map(String) : []);
      return readAll(operationKeys.open, [...versions.keys()], versions);
    },
    listOpenLatest: async () => {
      const ids = await redis.zrange(operationKeys.open, '0', String(MAX_AT_ONCE - 1));
      if (ids.length < MAX_AT_ONCE) latest.keepOpen(new Set(ids));
      return readAll(operationKeys.open, ids, 'any');
    },
  };
}
