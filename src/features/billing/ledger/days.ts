import { type Commit, together, field, keep } from '../../../core/records/commit.ts';
import { createOneRecord, type OneRecord } from '../../../core/records/one-record.ts';
import type { RedisConnection } from '../../../platform/redis/connection.ts';
import { readStored, toStored } from '../../../platform/redis/stored.ts';
import { DAY_MS } from '../../../platform/time/duration.ts';
import { key } from '../../../platform/redis/key.ts';
import { type Cost, costSchema, type Day, dayAt, daySchema, type NamedDay, startOf } from './day.ts';

/** Hash: version and record of a day of the ledger, like "2026-10-03". */
export const dayKey = (day: string): string => key('ledger', day);

/** Where what a day has cost stands beside its record, which is a thousand times as long. */
const COST = 'cost';
/** So many days are kept, and then gone. */
export const KEPT_DAYS = 400;

/** The days of the ledger. A day is in UTC, as in "2026-10-03". `now`: the calendar's, Unix ms. */
export interface Days {
  /**
   * Moves a day by a pure step from where it stands, and writes `also` with it; gives the day as it is then. Nothing is written where the
   * step gives undefined.
   */
  change(
    day: string,
    now: number,
    step: (record: Day) => Day | undefined,
    also?: (next: Day) => Promise<Commit<'moved'>>,
  ): Promise<Day | undefined>;
  /** The part of a commit that does so. Undefined where the step gives that. */
  moving(
    day: string,
    now: number,
    step: (record: Day) => Day | undefined,
  ): Promise<Commit<'moved'> | undefined>;
  /** All days from `from` to `to`, both included; of one that nobody read, an empty record. */
  list(from: string, to: string): Promise<NamedDay[]>;
  /** What of the same days says what they have cost. */
  listCosts(from: string, to: string): Promise<{ readonly day: string; readonly record: Cost }[]>;
}

export function createDays(redis: RedisConnection): Days {
  const recordOf = (day: string): OneRecord<Day> =>
    createOneRecord<Day>(redis, { key: dayKey(day), schema: daySchema, none: {} });
  const beside =
    (day: string, now: number) =>
    (next: Day): Commit => {
      const at = dayKey(day);
      const cost = toStored(costSchema.parse(next));
      return {
        write: [field(at, COST, cost), keep(at, Math.max(1, startOf(day) + KEPT_DAYS * DAY_MS - now))],
      };
    };
  return {
    change: (day, now, step, also = async () => ({})) =>
      recordOf(day).change(step, async (next) => together<'moved'>(beside(day, now)(next), await also(next))),
    moving: (day, now, step) => recordOf(day).moving(step, beside(day, now)),
    list: (from, to) =>
      Promise.all(daysFrom(from, to).map(async (day) => ({ day, record: await recordOf(day).get() }))),
    listCosts: (from, to) =>
      Promise.all(
        daysFrom(from, to).map(async (day) => {
          const cost = await redis.hget(dayKey(day), COST);
          return { day, record: cost === null ? {} : readStored(costSchema, cost) };
        }),
      ),
  };
}

/** The days from `from` to `to`, both included. Pure. */
export function daysFrom(from: string, to: string): string[] {
  const count = Math.round((startOf(to) - startOf(from)) / DAY_MS) + 1;
  return Array.from({ length: Math.max(0, count) }, (_, index) => dayAt(startOf(from) + index * DAY_MS));
}
