import { toDecimal } from '../../../core/money/amount.ts';
import { DAY_MS, HOUR_MS } from '../../../platform/time/duration.ts';
import { type NamedDay, seenIn, startOf } from '../ledger/day.ts';
import { chargingOf, costsById, most24, runningCost, usesOf, grouped } from '../proposals/charging.ts';
import { nextRuns } from '../../../core/schedules/next-runs.ts';
import type { Schedule } from '../../../core/schedules/schedule-record.ts';
import type { Power } from '../../../platform/hosting/service.ts';

/** So many days are looked at: this one, and whole weeks after it. */
export const DAYS_AHEAD = 22;
const WEEKS_AHEAD = Math.ceil(DAYS_AHEAD / 7);
const HOURS = 24;

/** What of a schedule says when it runs. */
export type Coming = Pick<Schedule, 'when' | 'next' | 'open'>;

/**
 * The UTC hours in which an instance runs by its schedules, as bits, on each of the days from `from` on (Unix ms, the start of today). An
 * hour counts in which it runs for a part. No days where nothing is to come. Pure.
 */
export function hoursAhead(schedules: readonly Coming[], from: number): readonly number[] {
  const until = from + DAYS_AHEAD * DAY_MS;
  const runs = schedules.flatMap((one) => runsOf(one, until)).toSorted((one, other) => one.at - other.at);
  const [first] = runs;
  if (!first) return [];
  const [open] = schedules.flatMap((one) => (one.open && turns(one.open) ? [one.open] : []));
  // Until the first run it is as that run doesn't leave it, but where one is under way.
  let isOn = open ? open.verb === 'start' : first.verb === 'stop';
  let at = 0;
  return Array.from({ length: DAYS_AHEAD }, (_, day) => {
    let bits = 0;
    for (let hour = 0; hour < HOURS; hour++) {
      const starts = from + day * DAY_MS + hour * HOUR_MS;
      for (let run = runs[at]; run && run.at <= starts; run = runs[++at]) isOn = run.verb === 'start';
      let ran = isOn;
      for (let run = runs[at]; run && run.at < starts + HOUR_MS; run = runs[++at]) {
        isOn = run.verb === 'start';
        ran ||= isOn;
      }
      if (ran) bits |= 1 << hour;
    }
    return bits;
  });
}

/** Whether it starts or stops: a restart leaves what it finds. Pure. */
function turns({ verb }: { readonly verb: Power }): boolean {
  return verb !== 'restart';
}

/** Its starts and stops before `until`, Unix ms. */
function runsOf(
  { when, next }: Coming,
  until: number,
): readonly { readonly verb: Power; readonly at: number }[] {
  if (!next) return [];
  // No more than there may be: each takes a while to find.
  const aWeek = when.kind === 'once' ? 0 : when.rules.reduce((total, { days }) => total + days.length, 0);
  return [next, ...nextRuns(when, next.ruleAt, aWeek * WEEKS_AHEAD)].filter(
    (run) => turns(run) && run.at < until,
  );
}

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
