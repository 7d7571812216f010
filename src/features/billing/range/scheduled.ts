import { toDecimal } from '../../../core/money/amount.ts';
import { DAY_MS } from '../../../platform/time/duration.ts';
import { type NamedDay, seenIn, startOf } from '../ledger/day.ts';
import { chargingOf, costsById, most24, runningCost, usesOf } from '../proposals/charging.ts';
import { grouped } from '../proposals/grouped.ts';
import { type Coming, DAYS_AHEAD, hoursAhead, turns } from './hours.ts';

/**
 * What schedules that are set make of days. Those that were before are told as if the schedules had been set all along, so that it
 * doesn't matter how many of them hold it already; what comes otherwise at first, as until a schedule is over, is told beside. Nothing
 * is counted of an instance where the days don't tell what it costs while it is stopped, or where its schedules tell half of what it
 * does. Floats, since it is only likely.
 */
export interface Scheduled {
  /** What a day, by its start in Unix ms, would have cost more; less, where it is below 0. */
  readonly restated: ReadonlyMap<number, number>;
  /** What a day to come costs more than those, by its start in Unix ms. */
  readonly moreOn: (start: number) => number;
}

const HOURS = 24;

/**
 * By ids of instances, the schedules that they are under. `days`: of the ledger until yesterday, oldest first. `now`: Unix ms. Undefined
 * where nothing is counted. Pure.
 */
export function scheduledOf(
  byId: ReadonlyMap<string, readonly Coming[]>,
  days: readonly NamedDay[],
  now: number,
): Scheduled | undefined {
  const from = Math.floor(now / DAY_MS) * DAY_MS;
  const uses = usesOf(days);
  const byTier = grouped(uses, ({ tier }) => tier);
  const byInstance = grouped(uses, ({ id }) => id);
  // Many instances are under one schedule, and its runs take a while to find.
  const found = new Map<string, readonly number[]>();
  const hoursOf = (those: readonly Coming[]): readonly number[] => {
    const key = JSON.stringify(those.map(({ when, next, open }) => [when, next?.at, open?.at]));
    const hours = found.get(key) ?? hoursAhead(those, from);
    found.set(key, hours);
    return hours;
  };
  const all = [...byId].flatMap(([id, schedules]) => {
    if (!tellAll(schedules)) return [];
    const own = byInstance.get(id) ?? [];
    const running = runningCost(own);
    const charging = chargingOf(byTier.get(own.at(-1)?.tier ?? '') ?? []);
    if (!running || !charging) return [];
    const costsBy = (those: readonly Coming[]): readonly number[] =>
      hoursOf(those).map((hours) => Number(toDecimal(most24(charging, hours, running))) / HOURS);
    const costs = costsBy(schedules);
    // Of several weeks the last one stays, which days that are left out are no part of.
    const usual = costsBy(schedules.map(withoutExceptions));
    const lasting = new Map(usual.map((cost, day) => [weekdayOf(from + day * DAY_MS), cost]));
    return costs.length === 0 ? [] : [{ id, costs, lasting }];
  });
  if (all.length === 0) return undefined;
  const restated = days.flatMap(({ day, record: { booked, seen } }): (readonly [number, number])[] => {
    if (!booked) return [];
    const costs = costsById(booked);
    const listed = new Set(seenIn(seen).map(({ id }) => id));
    const start = startOf(day);
    const more = all.map(({ id, lasting }) => {
      const cost = costs.get(id);
      // What wasn't there yet costs nothing by any schedule.
      if (!cost && !listed.has(id)) return 0;
      return (lasting.get(weekdayOf(start)) ?? 0) - (cost ? Number(toDecimal(cost)) : 0);
    });
    return [[start, sumOf(more)]];
  });
  return {
    restated: new Map(restated),
    moreOn: (start) =>
      sumOf(
        all.map(({ costs, lasting }) => {
          const cost = costs[(start - from) / DAY_MS];
          return cost === undefined ? 0 : cost - (lasting.get(weekdayOf(start)) ?? 0);
        }),
      ),
  };
}

/** Whether they change days by so much on average. Pure. */
export function isAtLeast({ restated, moreOn }: Scheduled, today: number, least: number): boolean {
  const ahead = Array.from({ length: DAYS_AHEAD }, (_, day) => moreOn((today + day) * DAY_MS));
  return [[...restated.values()], ahead].some(
    (changes) => sumOf(changes.map(Math.abs)) >= least * changes.length && changes.length > 0,
  );
}

/** Whether no week is left to people: what is only stopped each week, somebody starts by hand, and the days tell of that. */
function tellAll(schedules: readonly Coming[]): boolean {
  const rules = schedules.flatMap(({ when }) => (when.kind === 'weekly' ? when.rules : []));
  return new Set(rules.filter(turns).map(({ verb }) => verb)).size !== 1;
}

function withoutExceptions(one: Coming): Coming {
  if (one.when.kind === 'once') return one;
  const { except: _, ...when } = one.when;
  return { ...one, when };
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

function weekdayOf(start: number): number {
  return new Date(start).getUTCDay();
}
