import { type Amount, compare, subtract, sum, timesIn, ZERO } from '../../../core/money/amount.ts';
import { DAY_MS, HOUR_MS } from '../../../platform/time/duration.ts';
import { ALL_HOURS, countHours, dayAt, type NamedDay, seenIn, startOf } from '../ledger/day.ts';
import { type Charging, chargingOf, runningCost, times, type UseOfDay, usesOf, grouped } from './charging.ts';
import { clockAt } from '../../../platform/time/zoned-time.ts';

/** When something would run: from this hour to that one, Monday to Friday. */
const FROM_HOUR = 8;
export const TO_HOUR = 20;
const FRIDAY = 5;
const HOURS = 24;

/** How a schedule is told that, as somebody types it. */
export const WORKING_HOURS = ['hours', '08:00-20:00', 'mon-fri'];

/** Whether a moment (Unix ms) is in the night or on the weekend there. Pure. */
export function isOff(at: number, zone: string): boolean {
  const { hour, dayOfWeek } = clockAt(at, zone);
  return dayOfWeek > FRIDAY || hour < FROM_HOUR || hour >= TO_HOUR;
}

/** The UTC hours of a UTC day that begin in the night or on the weekend there, as bits. Pure. */
function offHours(day: string, zone: string): number {
  let bits = 0;
  for (let hour = 0; hour < HOURS; hour++) if (isOff(startOf(day) + hour * HOUR_MS, zone)) bits |= 1 << hour;
  return bits;
}

/** So many nights are looked at: two weeks, and two weekends. */
export const NIGHTS = 14;
/** Days that tell how the service charges: what is stopped now and then is rare. */
export const EVIDENCE_DAYS = 60;
/** So many in a hundred of the hours in a night have to be seen, and it has to run in so many of those. */
const SEEN = 75;
const RUNNING = 95;
/** A proposal saves at least so many in a hundred of what its instances cost, and this a month. */
const LEAST_SHARE = 5n;
const LEAST: Amount = { units: 1n, scale: 0 };
const MONTH_DAYS = 30;
/** One schedule takes no more names. */
const MOST_INSTANCES = 40;
const SCALE = 1_000_000;

/** Instances that run in all nights and weekends without anybody who needs it, and what stopping them then would save. */
export interface Proposal {
  /** `staging-*`, or the name of the only one. */
  readonly name: string;
  readonly instances: readonly { readonly id: string; readonly name: string }[];
  /** What is saved on each UTC day of the week, Monday first. */
  readonly savedOn: readonly Amount[];
  readonly perMonth: Amount;
  /** The days so far don't tell how a part of a day is charged: it may be more. */
  readonly isAtLeast: boolean;
  /** What they cost a month while they run all the time. */
  readonly costPerMonth: Amount;
}

/** Why there is none. */
export type WhyNone = 'few days' | 'no nights' | 'touched' | 'price unknown' | 'does not pay';
export type FoundProposal = { readonly proposal: Proposal } | { readonly why: WhyNone };

/** Days of the ledger until yesterday, and what else is known of instances by their ids. */
export interface Known {
  /** Oldest first, each day once; the last NIGHTS of them are looked at. */
  readonly days: readonly NamedDay[];
  readonly zone: string;
  /** When somebody did something with one, Unix ms. */
  readonly touches: ReadonlyMap<string, readonly number[]>;
  /** Those that may be proposed. */
  readonly mayBe: ReadonlySet<string>;
}

/** The ids of those that ran in nearly every night hour of the last two weeks. Pure. */
export function steadyIds({ days, zone }: Pick<Known, 'days' | 'zone'>): readonly string[] {
  const nights = nightsOf(days, zone);
  if (!nights) return [];
  const ids = new Set(nights.flatMap(({ ran }) => [...ran.keys()]));
  const count = (bits: readonly number[]): number => bits.reduce((all, one) => all + countHours(one), 0);
  const seen = count(nights.map((night) => night.seen));
  return [...ids].filter(
    (id) => count(nights.map((night) => night.ran.get(id) ?? 0)) * 100 >= seen * RUNNING,
  );
}

/** The group that saves most, or why there is none. Pure and exact, rounded down once. */
export function findProposal(known: Known): FoundProposal {
  const { days, zone, touches, mayBe } = known;
  if (!nightsOf(days, zone)) return { why: 'few days' };
  const steady = steadyIds(known).filter((id) => mayBe.has(id));
  if (steady.length === 0) return { why: 'no nights' };
  const first = startOf(days.at(-NIGHTS)?.day ?? '');
  const isTouched = (id: string): boolean =>
    touches.get(id)?.some((at) => at >= first && isOff(at, zone)) ?? false;
  const quiet = new Set(steady.filter((id) => !isTouched(id)));
  if (quiet.size === 0) return { why: 'touched' };
  const uses = usesOf(days);
  const last = days.slice(-NIGHTS).map(({ day }) => day);
  const byTier = grouped(uses, ({ tier }) => tier);
  const priced = [...byTier].flatMap(([tier, ofTier]) => {
    const charging = chargingOf(ofTier);
    return charging ? groupsOf(tier, ofTier, quiet, last).map((group) => ({ group, charging })) : [];
  });
  const all = priced.flatMap(({ group, charging }) => proposalOf(group, charging, zone) ?? []);
  if (all.length === 0) return { why: 'price unknown' };
  const [best] = all.filter(isWorthIt).toSorted((one, other) => compare(other.perMonth, one.perMonth));
  return best ? { proposal: best } : { why: 'does not pay' };
}

/** What it would save on these UTC days. Pure. */
export function savedOver(savedOn: readonly Amount[], days: readonly string[]): Amount {
  return sum(days.map((day) => savedOn[weekdayOf(day)] ?? ZERO));
}

interface Night {
  readonly seen: number;
  readonly ran: ReadonlyMap<string, number>;
}

/** The hours off work of the last days; undefined where one of them was not seen. */
function nightsOf(days: readonly NamedDay[], zone: string): readonly Night[] | undefined {
  const last = days.slice(-NIGHTS);
  const nights = last.flatMap(({ day, record: { seen } }): readonly Night[] => {
    const off = offHours(day, zone);
    const hours = (seen?.hours ?? 0) & off;
    if (!seen || countHours(hours) * 100 < countHours(off) * SEEN) return [];
    const ran = seenIn(seen).map((one) => [one.id, one.ran & hours] as const);
    return [{ seen: hours, ran: new Map(ran) }];
  });
  return nights.length === NIGHTS ? nights : undefined;
}

interface Member {
  readonly id: string;
  readonly name: string;
  /** A day on which it runs all the time. */
  readonly running: Amount;
}

/** Those of a tier by what their names have in common; of one that has cost nothing, none. */
function groupsOf(
  tier: string,
  ofTier: readonly UseOfDay[],
  quiet: ReadonlySet<string>,
  last: readonly string[],
): readonly (readonly Member[])[] {
  const latest = ofTier.filter(({ id, day }) => quiet.has(id) && day >= (last[0] ?? ''));
  const members = [...grouped(latest, ({ id }) => id).values()].flatMap((own): readonly Member[] => {
    const [newest, running] = [own.at(-1), runningCost(own)];
    return newest && running && newest.tier === tier ? [{ id: newest.id, name: newest.name, running }] : [];
  });
  return [...grouped(members, ({ name }) => prefixOf(name)).values()].map((group) =>
    group
      .toSorted((one, other) => compare(other.running, one.running) || one.name.localeCompare(other.name))
      .slice(0, MOST_INSTANCES),
  );
}

/** "staging-" of staging-web-1's like: the name up to its last part. */
function prefixOf(name: string): string {
  return name.slice(0, name.lastIndexOf('-') + 1) || name;
}

/** What a group would save, by the way of counting that saves least; undefined where running costs no more. */
function proposalOf(group: readonly Member[], charging: Charging, zone: string): Proposal | undefined {
  const [first, other] = group;
  if (!first) return undefined;
  const gains = sum(
    group.map(({ running }) => {
      const gain = subtract(running, charging.stopped);
      return compare(gain, ZERO) > 0 ? gain : ZERO;
    }),
  );
  const weeks = charging.ways.map((way) => weekOf(zone).map((ran) => 24 - way(ran, ALL_HOURS)));
  const total = (week: readonly number[]): number => week.reduce((all, parts) => all + parts, 0);
  const [least = [], ...more] = weeks.toSorted((one, another) => total(one) - total(another));
  const savedOn = least.map((parts) => over(times(gains, parts), 24));
  return {
    name: other ? `${prefixOf(first.name)}*` : first.name,
    instances: group.map(({ id, name }) => ({ id, name })),
    savedOn,
    perMonth: over(times(gains, total(least) * MONTH_DAYS), 24 * 7),
    isAtLeast: more.some((week) => total(week) > total(least)),
    costPerMonth: times(sum(group.map(({ running }) => running)), MONTH_DAYS),
  };
}

function isWorthIt({ perMonth, costPerMonth }: Proposal): boolean {
  return compare(perMonth, LEAST) >= 0 && timesIn(perMonth, costPerMonth, 100) >= LEAST_SHARE;
}

/** A Monday. */
const SOME_WEEK = '2026-01-05';

/** The UTC hours in which they would run on each UTC day of a week, Monday first. */
function weekOf(zone: string): readonly number[] {
  return Array.from({ length: 7 }, (_, index) => {
    const day = dayAt(startOf(SOME_WEEK) + index * DAY_MS);
    return ALL_HOURS & ~offHours(day, zone);
  });
}

function weekdayOf(day: string): number {
  return (new Date(startOf(day)).getUTCDay() + 6) % 7;
}

/** A part of an amount, rounded down. */
function over(amount: Amount, parts: number): Amount {
  return { units: timesIn(amount, { units: BigInt(parts), scale: 0 }, SCALE), scale: 6 };
}
