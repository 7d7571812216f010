import { add, type Amount, compare, multiply, sizeOf, subtract, ZERO } from '../../../core/money/amount.ts';
import { rowsOf, sumsBy } from '../ledger/daily-costs.ts';
import {
  ALL_HOURS,
  type Booked,
  countHours,
  type NamedDay,
  type SeenInstance,
  seenIn,
} from '../ledger/day.ts';

/** What there is by a key of each, in the order in which the keys come. Pure. */
export function grouped<T>(
  those: readonly T[],
  keyOf: (one: T) => string,
): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const one of those) {
    const key = keyOf(one);
    const group = groups.get(key);
    if (group) group.push(one);
    else groups.set(key, [one]);
  }
  return groups;
}

/** One instance on one day of which both its hours and its cost are known. */
export interface UseOfDay extends SeenInstance {
  readonly day: string;
  /** The UTC hours in which the list was read, as bits. */
  readonly seen: number;
  readonly cost: Amount;
}

/** How a service may count a day on which something ran for a part of it: 24ths of the day that it charges. */
type Way = (ran: number, seen: number) => number;

const byTheHour: Way = (ran, seen) => Math.round((24 * countHours(ran)) / Math.max(1, countHours(seen)));
const atMidnight: Way = (ran) => (ran & 1) * 24;
const byTheDay: Way = (ran) => (ran === 0 ? 0 : 24);
const WAYS = [byTheHour, atMidnight, byTheDay];

/** A day tells what it cost to run where so many of its hours were seen. */
const LEAST_SEEN_HOURS = 22;
/** An hour is seen as a whole, and is charged in part at both ends: so many hundredths of a day. */
const TOLERANCE = 9n;
/** So many in a hundred of the days have to fit. */
const FITTING = 90;

/** What the service takes for a tier: a day that something is stopped for, and how it counts a part of a day. */
export interface Charging {
  readonly stopped: Amount;
  /** Those that the days don't contradict. */
  readonly ways: readonly Way[];
}

/** The use of all instances by days of the ledger. Days that weren't read nearly whole, or have no costs, are left out. Pure. */
export function usesOf(days: readonly NamedDay[]): readonly UseOfDay[] {
  return days.flatMap(({ day, record: { seen, booked } }) => {
    if (!seen || !booked || countHours(seen.hours) < LEAST_SEEN_HOURS) return [];
    const costs = costsById(booked);
    return seenIn(seen).map((one) => ({
      ...one,
      day,
      seen: seen.hours,
      ran: one.ran & seen.hours,
      cost: costs.get(one.id) ?? ZERO,
    }));
  });
}

/** What a whole day has cost on which it ran, the middle one of these days; undefined without one, or where it cost nothing. Pure. */
export function runningCost(uses: readonly UseOfDay[]): Amount | undefined {
  const costs = uses
    .filter(isWhole)
    .map(({ cost }) => cost)
    .toSorted(compare);
  const middle = costs[Math.floor((costs.length - 1) / 2)];
  return middle && compare(middle, ZERO) > 0 ? middle : undefined;
}

/**
 * How the service charges a tier, by what days of its instances have cost that were stopped, or ran for a part. Undefined where no day
 * tells what a stopped one costs, or where no way of counting fits. Pure.
 */
export function chargingOf(uses: readonly UseOfDay[]): Charging | undefined {
  const idle = uses.filter(({ ran }) => ran === 0).map(({ cost }) => cost);
  if (idle.length === 0) return undefined;
  const stopped = idle.reduce((most, cost) => (compare(cost, most) > 0 ? cost : most), ZERO);
  const byId = grouped(uses, ({ id }) => id);
  const parts = [...byId.values()].flatMap((own) => {
    const running = runningCost(own);
    return running ? own.filter((one) => one.ran > 0 && !isWhole(one)).map((use) => ({ use, running })) : [];
  });
  const ways = WAYS.filter((way) => {
    const fitting = parts.filter(({ use, running }) => isFitting(use, way, { running, stopped }));
    return fitting.length * 100 >= parts.length * FITTING;
  });
  return ways.length === 0 ? undefined : { stopped, ways };
}

interface Prices {
  readonly running: Amount;
  readonly stopped: Amount;
}

/** 24 times what a day costs on which it runs in these UTC hours, as bits, by the way of counting that takes most. Pure. */
export function most24({ stopped, ways }: Charging, hours: number, running: Amount): Amount {
  return cost24(Math.max(...ways.map((way) => way(hours, ALL_HOURS))), { running, stopped });
}

/** 24 times what a day costs that counts so many 24ths as running. Pure. */
function cost24(parts: number, { running, stopped }: Prices): Amount {
  return add(times(stopped, 24 - parts), times(running, parts));
}

function isFitting({ ran, seen, cost }: UseOfDay, way: Way, prices: Prices): boolean {
  const off = subtract(times(cost, 24), cost24(way(ran, seen), prices));
  const most = multiply(times(prices.running, 24), { units: TOLERANCE, scale: 2 });
  return compare(sizeOf(off), most) <= 0;
}

function isWhole({ ran, seen }: UseOfDay): boolean {
  return ran === (seen & ALL_HOURS);
}

/** So many times an amount. */
export function times(amount: Amount, count: number): Amount {
  return multiply(amount, { units: BigInt(count), scale: 0 });
}

/** What each instance has cost of what is booked. Pure. */
export function costsById({ used }: Booked): ReadonlyMap<string, Amount> {
  return sumsBy(rowsOf(used), ({ id }) => id);
}
