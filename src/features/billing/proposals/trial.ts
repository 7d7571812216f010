import { type Amount, multiply, subtract, sum } from '../../../core/money/amount.ts';
import type { Schedule } from '../../../core/schedules/schedule-record.ts';
import { DAY_MS } from '../../../platform/time/duration.ts';
import { costsByDay } from '../ledger/daily-costs.ts';
import { dayAt, type NamedDay, startOf } from '../ledger/day.ts';
import { savedOver, TO_HOUR } from './find.ts';
import { type Proposals, type Proposed, savedOnOf } from './record.ts';

/** Whole weeks that it is compared with, so that each day has its like. */
const WEEKS_BEFORE = 2;
const WEEK_DAYS = 7;
const HALF: Amount = { units: 5n, scale: 1 };

/** What a trial has brought: what was promised for its days, and what they have cost less. */
export interface Brought {
  readonly promised: Amount;
  readonly measured: Amount;
  /** What the same days cost before. */
  readonly before: Amount;
  readonly days: number;
}

/**
 * The schedule by which a proposal is tried: with an end, over night, of exactly its instances. After its trial,
 * that is one which somebody keeps. Pure.
 */
export function trialOf(
  { instances, isTried }: Proposed,
  schedules: readonly Schedule[],
): Schedule | undefined {
  if (isTried) return undefined;
  const idsOf = (those: readonly { readonly id: string }[]): string =>
    JSON.stringify(those.map(({ id }) => id).toSorted());
  return schedules.find(
    ({ target, when }) =>
      isTrial(when) && 'instances' in target && idsOf(target.instances) === idsOf(instances),
  );
}

/** Whether it stops what it is about in the evening until it is over. */
function isTrial(when: Schedule['when']): boolean {
  if (when.kind !== 'weekly' || when.until === undefined) return false;
  return when.rules.some(({ verb, hour }) => verb === 'stop' && hour === TO_HOUR);
}

/** The record with a trial that runs from today on, whole days; a week where its schedule has no end. Pure. */
export function withTrial(record: Proposals, { id, when }: Schedule, now: number): Proposals | undefined {
  if (!record.proposed || record.trial) return undefined;
  const until = when.kind === 'weekly' ? when.until : undefined;
  const week = now + (WEEK_DAYS - 1) * DAY_MS;
  const lastAt = Math.min(until === undefined ? week : until - DAY_MS, week);
  if (dayAt(lastAt) < dayAt(now)) return undefined;
  return { ...record, trial: { scheduleId: id, from: dayAt(now), to: dayAt(lastAt) } };
}

/** The days that are needed to tell what came of a trial. Pure. */
export function daysNeeded({ from, to }: NonNullable<Proposals['trial']>): {
  readonly first: string;
  readonly last: string;
} {
  return { first: dayAt(startOf(from) - WEEKS_BEFORE * WEEK_DAYS * DAY_MS), last: to };
}

/**
 * What a trial has brought, by the same days of the two weeks before it; undefined where one of those wasn't read. `days`: those that are
 * needed, oldest first. Pure and exact.
 */
export function broughtBy(
  proposed: Proposed,
  { from, to }: NonNullable<Proposals['trial']>,
  days: readonly NamedDay[],
): Brought | undefined {
  const ids = new Set(proposed.instances.map(({ id }) => id));
  const costs = new Map(costsByDay(days, (id) => ids.has(id)).map(({ day, cost }) => [day, cost]));
  const tried = days.map(({ day }) => day).filter((day) => day >= from && day <= to);
  const costOf = (weeksAgo: number): Amount | undefined => {
    const those = tried.map((day) => costs.get(dayAt(startOf(day) - weeksAgo * WEEK_DAYS * DAY_MS)));
    const known = those.filter((cost) => cost !== undefined);
    return known.length === those.length ? sum(known) : undefined;
  };
  const [now, week, other] = [costOf(0), costOf(1), costOf(WEEKS_BEFORE)];
  if (!now || !week || !other || tried.length === 0) return undefined;
  const before = multiply(sum([week, other]), HALF);
  return {
    promised: savedOver(savedOnOf(proposed), tried),
    measured: subtract(before, now),
    before,
    days: tried.length,
  };
}
