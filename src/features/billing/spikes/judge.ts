import {
  type Amount,
  compare,
  multiply,
  subtract,
  sum,
  ZERO,
  type DailyCost,
} from '../../../core/money/amount.ts';
import { dayAt, type NamedDay, type ToldSpike } from '../ledger/day.ts';
import { namesIn } from '../month/figures.ts';
import { type Change, explain, type Explanation } from '../why/explain.ts';
import { APART_DAYS, dearDays, findSpike, type Spike } from './find.ts';
import { fitOf, type Per } from '../why/rates.ts';
import { costsOf } from '../why/series.ts';
import { createSetAside, LOOKED_DAYS, type SetAside, type Source, totalOf } from './set-aside.ts';

/** What is booked late comes within so many days: until then a day may still turn out to be dear. */
const JUDGED_DAYS = 4;
/** So many days of costs say what is the pattern of an account. */
export const PATTERN_DAYS = 180;
/** So many full days are looked at where one of the newest is dear. */
export const FULL_DAYS = LOOKED_DAYS + JUDGED_DAYS + APART_DAYS;

/** So many days say what goes on, and what prices are; more where the usual day is longer ago. */
const AROUND_DAYS = 14;

/** A day that is to be told, with what it comes from and what it doesn't. */
export interface JudgedDay {
  readonly day: string;
  readonly cost: Amount;
  /** The day of its kind that it is compared with. */
  readonly usual: { readonly day: string; readonly cost: Amount; readonly isOfWeekday: boolean };
  readonly explanation: Explanation;
  readonly names: ReadonlyMap<string, string>;
  readonly aside: SetAside;
  /** What belongs to no instance, or comes once, where the day was as usual without it. */
  readonly once: readonly Change[];
  /** It is known that prices are those of the days before, back to the usual day. */
  readonly areSamePrices: boolean;
  /** Not all of it could be read. */
  readonly isAtLeast: boolean;
  /** When it was read, Unix ms. */
  readonly asOf: number;
  readonly from: ToldSpike['from'];
}

/** Whether a look at the full days is worth it: by their costs alone, oldest first until yesterday, one of the newest is dear. Pure. */
export function isWorthALook(costs: readonly DailyCost[]): boolean {
  return findSpike(costs, JUDGED_DAYS) !== undefined;
}

/** The day that is to be told now. `costs` and the full `days`: oldest first until yesterday. Pure. */
export function judge(costs: readonly DailyCost[], days: readonly NamedDay[]): JudgedDay | undefined {
  const told = new Set(days.flatMap(({ day, record }) => (record.spike ? [day] : [])));
  const setAside = createSetAside(days);
  const dear = dearDays(costs, JUDGED_DAYS + APART_DAYS);
  const rest = costs.map(({ day, cost }) =>
    cost && dear.has(day)
      ? { day, cost: subtract(cost, totalOf(setAside(day, sourcesFor(days, day)))) }
      : { day, cost },
  );
  const spike = findSpike(rest, JUDGED_DAYS, told);
  const is = days.find(({ day }) => day === spike?.day);
  const usual = days.find(({ day }) => day === spike?.usual.day);
  const [cost, usualCost] = [costOn(costs, is?.day), costOn(costs, usual?.day)];
  if (!spike || !is?.record.booked || !usual || !cost || !usualCost) return undefined;
  if (isExpected(days, is.day, costs)) return undefined;
  const read = days.filter(({ day, record }) => day < is.day && record.booked !== undefined);
  const before = read.filter(({ day }, at) => day >= usual.day || at >= read.length - AROUND_DAYS);
  const explanation = explain([usual], [is], () => true, [...before, is]);
  const names = namesIn(days);
  return {
    day: is.day,
    cost,
    usual: { day: usual.day, cost: usualCost, isOfWeekday: spike.usual.isOfWeekday },
    explanation,
    names,
    aside: setAside(is.day, sourcesFor(days, is.day)),
    once: onceOf(explanation, { day: spike.day, cost }, (of) => findSpike(of, JUDGED_DAYS, told), rest),
    areSamePrices: areSamePrices(before, is),
    isAtLeast: is.record.booked.unreadable > 0,
    asOf: is.record.booked.asOf,
    from: fromOf(explanation, subtract(cost, usualCost), names),
  };
}

function costOn(costs: readonly DailyCost[], day: string | undefined): Amount | undefined {
  return costs.find((one) => one.day === day)?.cost;
}

/** The spikes that somebody has answered in the month of a day, or since. */
function answeredFor(days: readonly NamedDay[], of: string): readonly NamedDay[] {
  return days.filter(({ record: { spike } }) => {
    return spike?.expected !== undefined && dayAt(spike.expected.at).slice(0, 7) >= of.slice(0, 7);
  });
}

function sourcesFor(days: readonly NamedDay[], of: string): readonly Source[] {
  return answeredFor(days, of).flatMap(({ record }) => record.spike?.from ?? []);
}

/** Whether somebody has answered that days which cost as much are expected, where nobody knows what that came from. */
function isExpected(days: readonly NamedDay[], day: string, costs: readonly DailyCost[]): boolean {
  const cost = costOn(costs, day) ?? ZERO;
  return answeredFor(days, day).some(
    (one) => one.record.spike?.from.length === 0 && compare(costOn(costs, one.day) ?? ZERO, cost) >= 0,
  );
}

/** What belongs to no instance or comes once, where it alone makes the day a spike. `cost`: all of that day, as it is told without it. */
function onceOf(
  { changes }: Explanation,
  { day, cost }: Pick<JudgedDay, 'day' | 'cost'>,
  find: (costs: readonly DailyCost[]) => Spike | undefined,
  costs: readonly DailyCost[],
): readonly Change[] {
  const once = changes.filter(({ cause, amount }) => cause.kind === 'type' && compare(amount, ZERO) > 0);
  const all = sum(once.map(({ amount }) => amount));
  const without = costs.map((one) =>
    one.cost && one.day === day ? { day, cost: subtract(cost, all) } : one,
  );
  return find(without)?.day === day ? [] : once;
}

const FIVE: Amount = { units: 5n, scale: 0 };

/** The instances and types that a fifth of the difference or more comes from. */
function fromOf(
  { changes }: Explanation,
  difference: Amount,
  names: ReadonlyMap<string, string>,
): ToldSpike['from'] {
  const from = changes.flatMap(({ cause, amount }): ToldSpike['from'] => {
    if (compare(multiply(amount, FIVE), difference) < 0) return [];
    if (cause.kind === 'type') return [{ type: cause.type }];
    return 'id' in cause ? [{ id: cause.id, name: names.get(cause.id) ?? '' }] : [];
  });
  return [...new Map(from.map((one) => ['id' in one ? one.id : one.type, one])).values()];
}

const PERS: readonly Per[] = ['hour', 'day'];

/**
 * Whether it is known that an hour, or a day, of each tier that was charged on `day` cost as much as on the days `before` it: nothing
 * charged speaks against it, and of each tier something speaks for it. Pure.
 */
function areSamePrices(before: readonly NamedDay[], day: NamedDay): boolean {
  const [charged, known] = [new Set<string>(), new Set<string>()];
  for (const one of costsOf(before, [day], () => true, [...before, day]).series) {
    const [now] = one.now;
    if (!now || now.own === 0n) continue;
    const { tier } = now;
    const fits = PERS.flatMap((per) => fitOf([...one.before, now], per) ?? []);
    const steady = fits.filter(({ steps }) => steps === 0);
    if (tier === undefined || steady.length === 0) return false;
    charged.add(tier);
    const isKnown = steady.some(({ levels }) =>
      levels.some(
        ({ tier: of, exact }) => of === tier && exact && exact[0] < day.day && exact[1] === day.day,
      ),
    );
    if (isKnown) known.add(tier);
  }
  return charged.size > 0 && [...charged].every((tier) => known.has(tier));
}
