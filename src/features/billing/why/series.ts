import { add, type Amount, ZERO } from '../../../core/money/amount.ts';
import { isOfAddons, withoutAddon } from '../ledger/booked.ts';
import { type Row, rowsOf } from '../ledger/daily-costs.ts';
import { ALL_HOURS, countHours, type NamedDay, type SeenInstance, seenIn } from '../ledger/day.ts';

/** Hours of a day in which an instance ran, as far as looks can tell. */
interface Hours {
  /** It was seen running in so many, and in so many it may have run: nobody looked in all the others. */
  readonly least: number;
  readonly most: number;
  /** So often it began or ended, each within an hour that counts as a whole one. */
  readonly edges: number;
}

/** One day of one instance. Amounts are in units of the scale of the whole comparison. */
export interface DayOf {
  readonly day: string;
  readonly own: bigint;
  readonly addons: bigint;
  /** Undefined where nobody looked. */
  readonly tier: string | undefined;
  readonly hours: Hours;
}

/** An instance in the days before and in those that are compared with them, each oldest first. */
export interface Series {
  readonly id: string;
  readonly before: readonly DayOf[];
  readonly now: readonly DayOf[];
}

/** What days have cost, taken apart by what it belongs to. */
export interface Costs {
  /** Of the units: the decimals that the amounts came with, or so many that a part of one is told. */
  readonly scale: number;
  readonly came: number;
  readonly series: readonly Series[];
  /** What belongs to no instance, or comes once: by type, in units before and now. */
  readonly types: ReadonlyMap<string, readonly [before: bigint, now: bigint]>;
}

/** A type that some instance has on so many days is one that goes on; any other comes once. */
const GOES_ON_DAYS = 5;
const LEAST_SCALE = 2;

/**
 * What two runs of days have cost, of the instances that `maySeeId` lets through. `around`: where they are too few to tell which types
 * go on, days that tell it. Pure.
 */
export function costsOf(
  before: readonly NamedDay[],
  now: readonly NamedDay[],
  maySeeId: (id: string) => boolean,
  around: readonly NamedDay[] = [],
): Costs {
  const rows = [rowsByDay(before, maySeeId), rowsByDay(now, maySeeId)] as const;
  const came = rows.flat(2).reduce((most, { amount }) => Math.max(most, amount.scale), 0);
  const scale = Math.max(LEAST_SCALE, came);
  const units = ({ units: is, scale: has }: Amount): bigint => is * 10n ** BigInt(scale - has);
  const going = typesThatGoOn(around.length === 0 ? rows : [rowsByDay(around, maySeeId)]);
  const types = new Map<string, [bigint, bigint]>();
  const byId = new Map<string, [Map<number, Sum>, Map<number, Sum>]>();
  for (const side of [0, 1] as const)
    rows[side].forEach((of, at) => {
      for (const { type, id, amount } of of) {
        if (id === '' || !going.has(type)) {
          const sums = types.get(type) ?? [0n, 0n];
          sums[side] += units(amount);
          types.set(type, sums);
        } else {
          const sums = byId.get(id) ?? [new Map(), new Map()];
          const sum = sums[side].get(at) ?? { own: 0n, addons: 0n };
          sum[isOfAddons(type) ? 'addons' : 'own'] += units(amount);
          sums[side].set(at, sum);
          byId.set(id, sums);
        }
      }
    });
  const looks = [before.map(lookOf), now.map(lookOf)] as const;
  const series = [...byId].map(([id, [then, since]]): Series => {
    const daysOf = (days: readonly NamedDay[], sums: Map<number, Sum>, seen: readonly Look[]): DayOf[] =>
      days.map(({ day }, at) => ({
        day,
        ...(sums.get(at) ?? { own: 0n, addons: 0n }),
        ...seenOf(seen[at], id),
      }));
    const all = withTiers([...daysOf(before, then, looks[0]), ...daysOf(now, since, looks[1])]);
    return { id, before: all.slice(0, before.length), now: all.slice(before.length) };
  });
  return { scale, came, series, types };
}

interface Sum {
  own: bigint;
  addons: bigint;
}

/** All add-ons of an instance are one row of a day. */
function rowsByDay(days: readonly NamedDay[], maySeeId: (id: string) => boolean): Row[][] {
  return days.map(({ record: { booked } }) => {
    const all = new Map<string, Row>();
    for (const { type: named, id, amount } of rowsOf(booked?.used)) {
      if (!maySeeId(id)) continue;
      const type = id === '' ? named : withoutAddon(named);
      const key = JSON.stringify([type, id]);
      all.set(key, { type, id, amount: add(all.get(key)?.amount ?? ZERO, amount) });
    }
    return [...all.values()];
  });
}

function typesThatGoOn(sides: readonly (readonly (readonly Row[])[])[]): ReadonlySet<string> {
  const types = new Set<string>();
  for (const days of sides) {
    const enough = Math.min(GOES_ON_DAYS, days.length);
    const counts = new Map<string, Map<string, number>>();
    for (const { type, id } of days.flat()) {
      if (types.has(type)) continue;
      const ofType = counts.get(type) ?? new Map<string, number>();
      const count = (ofType.get(id) ?? 0) + 1;
      counts.set(type, ofType.set(id, count));
      if (count >= enough) types.add(type);
    }
  }
  return types;
}

interface Look {
  /** The hours in which the whole list was read, as bits. */
  readonly whole: number;
  readonly byId: ReadonlyMap<string, SeenInstance>;
}

function lookOf({ record: { seen } }: NamedDay): Look {
  return { whole: seen?.hours ?? 0, byId: new Map(seenIn(seen).map((one) => [one.id, one])) };
}

function seenOf(look: Look | undefined, id: string): Pick<DayOf, 'tier' | 'hours'> {
  const { tier, ran = 0 } = look?.byId.get(id) ?? {};
  const least = countHours(ran);
  const most = countHours(ran | (ALL_HOURS & ~(look?.whole ?? 0)));
  return { tier, hours: { least, most, edges: countHours((ran ^ (ran >> 1)) & (ALL_HOURS >> 1)) } };
}

/** A day on which nobody saw it has the tier of the days around it, where that is one. */
function withTiers(days: readonly DayOf[]): DayOf[] {
  const next: (string | undefined)[] = [];
  for (let at = days.length - 1, tier: string | undefined; at >= 0; at -= 1) {
    tier = days[at]?.tier ?? tier;
    next[at] = tier;
  }
  let last: string | undefined;
  return days.map((one, at) => {
    last = one.tier ?? last;
    return one.tier === undefined && last !== undefined && last === next[at] ? { ...one, tier: last } : one;
  });
}

/** Units of a comparison as an amount, with as many decimals as came, or more where it has them. */
export function toAmount(units: bigint, { scale, came }: Pick<Costs, 'scale' | 'came'>): Amount {
  let amount: Amount = units === 0n ? ZERO : { units, scale };
  while (amount.scale > came && amount.units % 10n === 0n)
    amount = { units: amount.units / 10n, scale: amount.scale - 1 };
  return amount;
}
