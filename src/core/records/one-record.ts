import type { z } from 'zod';
import type { Base } from '../base.ts';
import { key as keyOf } from '../../platform/redis/key.ts';
import type { RedisConnection } from '../../platform/redis/connection.ts';
import { readStored, toStored, versionAfter } from '../../platform/redis/stored.ts';
import { type Commit, commit, together, record as put } from './commit.ts';
import { NONE, unchanged } from './conditions.ts';
import { Unmet, type Versioned, type With } from './records.ts';

/** One record under a key of its own that several processes move, each from the version it has read. */
export interface OneRecord<T> {
  /**
   * The record, by one read for all who ask in the same turn of the event loop, and for those who go on at once when its
   * answer comes. None of them misses a change that has been made by then with `change` of the same object, or that was known
   * in the turn in which the read began. Throws where Redis can't be reached or the record does not fit its schema.
   */
  get(): Promise<T>;
  /**
   * Moves the record by a pure step, again from the start whenever somebody else moved it meanwhile. Gives it as it is
   * then; undefined where the step did not apply. What the step throws is thrown, and nothing is changed. Throws Unmet where a
   * condition beside it doesn't hold.
   */
  change<Code extends string = never>(
    step: (record: T) => T | undefined,
    beside?: With<T, Code>,
  ): Promise<T | undefined>;
  /**
   * The part of a commit that moves the record by a pure step from where it stands now; by `moved` nothing of that commit is
   * written. Undefined where the step did not apply. For `get` it is a change that somebody else makes.
   */
  moving(step: (record: T) => T | undefined, beside?: With<T>): Promise<Commit<'moved'> | undefined>;
}

/** What a record that is the only one of its kind is. */
export interface OneKind<T extends object> {
  /** A hash of version and record. */
  readonly key: string;
  readonly schema: z.ZodType<T>;
  /** What counts where there is none yet. */
  readonly none: T;
  /** What every step of it writes with it. */
  readonly says?: (after: T, before: T) => Commit;
}

/** The one record of a kind. */
export function createOneRecord<T extends object>(
  redis: RedisConnection,
  { key, schema, none, says = () => ({}) }: OneKind<T>,
): OneRecord<T> {
  let parsed: { readonly text: string; readonly record: T } | undefined;
  let shared: Promise<T> | undefined;
  /** How many changes have begun to be written, and how many of them are under way. */
  let begun = 0;
  let underWay = 0;
  const read = async (): Promise<Versioned<T>> => {
    const [version, text] = await redis.hmget(key, 'version', 'record');
    if (typeof version !== 'string' || typeof text !== 'string') return { version: NONE, record: none };
    // Read far more often than changed.
    if (parsed?.text !== text) parsed = { text, record: readStored(schema, text) };
    return { version, record: parsed.record };
  };
  const share = (reading: Promise<T>, until: (end: () => void) => void): void => {
    shared = reading;
    until(() => {
      if (shared === reading) shared = undefined;
    });
  };
  const written = <Code extends string>(
    { version, record }: Versioned<T>,
    next: T,
    also: Commit<Code>,
  ): Commit<Code | 'moved'> =>
    together<Code | 'moved'>(
      {
        if: [unchanged(key, version, 'moved' as const)],
        write: [put(key, versionAfter(version), toStored(next))],
      },
      also,
      says(next, record),
    );
  return {
    moving: async (step, beside = {}) => {
      const found = await read();
      const next = step(found.record);
      if (next === undefined) return undefined;
      return written(found, next, typeof beside === 'function' ? await beside(next, found.record) : beside);
    },
    get: () => {
      if (shared) return shared;
      const reading = read().then(({ record }) => record);
      const [begunBefore, isAlone] = [begun, underWay === 0];
      // It leaves at the end of the turn: what this process knows to be changed by then is changed.
      share(reading, setImmediate);
      reading.then(
        () => {
          // Until anything else is heard of. A change that was under way meanwhile may be answered together with it.
          const isNewest = isAlone && begun === begunBefore && (shared ?? reading) === reading;
          if (isNewest) share(reading, process.nextTick);
        },
        () => undefined,
      );
      return reading;
    },
    change: async <Code extends string = never>(
      step: (record: T) => T | undefined,
      beside: With<T, Code> = {},
    ) => {
      for (;;) {
        const found = await read();
        const next = step(found.record);
        if (next === undefined) return undefined;
        begun += 1;
        underWay += 1;
        try {
          const also = typeof beside === 'function' ? await beside(next, found.record) : beside;
          const { result } = await commit(redis, written(found, next, also));
          if (result === 'written') return next;
          if (result !== 'moved') throw new Unmet(result);
        } finally {
          underWay -= 1;
        }
      }
    },
  };
}

/** The one record of a kind over the connection of the bot, or of its jobs. Its fault point is named as its key. */
export function recordOf<T extends object>(
  { redis, faultPoints }: Pick<Base, 'redis' | 'faultPoints'>,
  kind: OneKind<T>,
): OneRecord<T> {
  return faultPoints(kind.key.slice(keyOf('').length), createOneRecord(redis, kind));
}
