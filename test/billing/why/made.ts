import { createRandom, type Random } from '../../../faults/random.ts';
import type { Day, NamedDay } from '../../../src/features/billing/ledger/day.ts';
import { daysFrom } from '../../../src/features/billing/ledger/days.ts';
import { bookedOf } from '../../support/booked-of.ts';

/** What was made to happen, and must be found. */
export type Made =
  | { readonly kind: 'started' | 'gone' | 'addon' | 'on'; readonly id: string }
  | { readonly kind: 'resized'; readonly id: string; readonly from: string; readonly to: string }
  | { readonly kind: 'price'; readonly tier: string; readonly factor: number };

/** What is true of an instance, before and now. */
interface True {
  readonly minutes: readonly [number, number];
  readonly addons: readonly [number, number];
  readonly cost: readonly [number, number];
}

/** Two months of one account, with what is true of them. */
export interface MadeMonths {
  readonly before: readonly NamedDay[];
  readonly now: readonly NamedDay[];
  readonly made: readonly Made[];
  readonly truth: ReadonlyMap<string, True>;
  /** What the service charges by: `flat` costs the same whether it runs or not. */
  readonly host: Host;
  /** How many of the days before were never looked at. */
  readonly blindDays: number;
}

type Host = 'hour' | 'day' | 'flat';
type Pattern = 'always' | 'office' | 'bursts';

interface Made1 {
  readonly id: string;
  tier: string;
  pattern: Pattern;
  factor: number;
  readonly isJittery: boolean;
  /** Credits a day; `isUse` where they vary with use. */
  addon: number;
  readonly isUse: boolean;
  isThere: boolean;
}

/** What happens at the start of a day. */
interface Event {
  readonly at: number;
  readonly does: () => void;
}

const PERIODS = [
  ['2026-09-01', '2026-09-30', '2026-10-01', '2026-10-31'],
  ['2026-07-01', '2026-07-31', '2026-08-01', '2026-08-31'],
  ['2026-02-01', '2026-02-28', '2026-03-01', '2026-03-31'],
  ['2026-10-01', '2026-10-31', '2026-11-01', '2026-11-30'],
  ['2026-10-01', '2026-10-17', '2026-11-01', '2026-11-17'],
] as const;
const TIERS = ['small', 'balanced', 'large', 'huge'];
const HOURLY: Readonly<Record<string, number>> = { small: 0.6, balanced: 0.9, large: 1.5, huge: 2.2 };
const ALL = 0xffffff;

/** The months of a seed: the same for the same seed. */
export function monthsOf(seed: number): MadeMonths {
  const random = createRandom(seed);
  const [a, b, c, d] = random.pick(PERIODS);
  const [before, now] = [daysFrom(a, b), daysFrom(c, d)];
  const host = random.pick(['hour', 'day', 'flat'] as const);
  const prices = new Map(TIERS.map((tier) => [tier, 1]));
  const instances = Array.from({ length: random.between(12, 30) }, (_, index): Made1 => ({
    id: String(101 + index),
    // Each tier has three at least.
    tier: index < 12 ? (TIERS[index % 4] ?? 'small') : random.pick(TIERS),
    pattern: random.chance(0.8) ? 'always' : random.chance(0.7) ? 'office' : 'bursts',
    factor: random.chance(0.1) ? 0.9 : 1,
    isJittery: random.chance(0.08),
    addon: random.chance(0.3) ? random.between(2, 20) : 0,
    isUse: random.chance(0.3),
    isThere: true,
  }));
  const { made, events } = happenings(random, instances, prices, {
    host,
    split: before.length,
    count: before.length + now.length,
  });
  const blindDays = random.chance(0.1) ? random.between(5, before.length) : 0;
  const truth: DayMade['truth'] = new Map();
  const days = [...before, ...now].map((day, at): NamedDay => {
    for (const event of events) if (event.at === at) event.does();
    const side = at < before.length ? 0 : 1;
    return {
      day,
      record: dayOf({ random, instances, prices, host, day, side, isBlind: at < blindDays, truth }),
    };
  });
  return {
    before: days.slice(0, before.length),
    now: days.slice(before.length),
    made,
    truth,
    host,
    blindDays,
  };
}

/** One to three causes, and a price that rises for one instance alone. */
function happenings(
  random: Random,
  instances: Made1[],
  prices: Map<string, number>,
  { host, split, count }: { host: Host; split: number; count: number },
): { made: Made[]; events: Event[] } {
  const made: Made[] = [];
  const events: Event[] = [];
  const steady = instances.filter((one) => one.pattern === 'always' && !one.isJittery);
  const take = (): Made1 | undefined =>
    steady.splice(random.between(0, Math.max(0, steady.length - 1)), 1)[0];
  // Early in the month, or late in the one before.
  const soon = (): number => Math.min(count - 4, split + random.between(0, 8) - 4);
  const price = random.pick(TIERS);
  const kinds = new Set(
    Array.from({ length: random.between(1, 3) }, () =>
      random.pick(['started', 'gone', 'resized', 'addon', 'price', 'on'] as const),
    ),
  );
  for (const kind of kinds) {
    const one = take();
    if (!one || (kind === 'on' && host === 'flat')) continue;
    const { id, tier } = one;
    if (kind === 'started') {
      one.isThere = false;
      events.push({ at: split + random.between(0, 5), does: () => (one.isThere = true) });
      made.push({ kind, id });
    } else if (kind === 'gone') {
      events.push({ at: split - random.between(0, 5), does: () => (one.isThere = false) });
      made.push({ kind, id });
    } else if (kind === 'resized') {
      const to = tier === 'huge' ? 'small' : tier === 'large' ? 'small' : 'huge';
      events.push({ at: soon(), does: () => (one.tier = to) });
      made.push({ kind, id, from: tier, to });
    } else if (kind === 'addon') {
      const addon = one.addon === 0 ? random.between(15, 40) : 0;
      const isTold = one.addon === 0 || one.addon > 8;
      events.push({ at: soon(), does: () => (one.addon = addon) });
      if (isTold) made.push({ kind, id });
    } else if (kind === 'price') {
      const factor = 1 + random.between(12, 50) / 100;
      const isUp = random.chance(0.7);
      const at = soon();
      events.push({ at, does: () => prices.set(price, isUp ? factor : 1 / factor) });
      made.push({ kind, tier: price, factor: isUp ? factor : 1 / factor });
    } else {
      events.push({ at: soon(), does: () => (one.pattern = 'office') });
      made.push({ kind, id });
    }
  }
  const odd = random.chance(0.3) ? steady.find(({ tier }) => tier !== price) : undefined;
  if (odd) events.push({ at: soon(), does: () => (odd.factor *= 1.2) });
  return { made, events };
}

interface DayMade {
  readonly random: Random;
  readonly instances: readonly Made1[];
  readonly prices: ReadonlyMap<string, number>;
  readonly host: Host;
  readonly day: string;
  readonly side: 0 | 1;
  readonly isBlind: boolean;
  readonly truth: Map<
    string,
    { minutes: [number, number]; addons: [number, number]; cost: [number, number] }
  >;
}

function dayOf({ random, instances, prices, host, day, side, isBlind, truth }: DayMade): Day {
  const used: Record<string, [string, string][]> = { daily_charge: [], addon_charge: [], fee: [] };
  const seen: Record<string, [string, string, number][]> = {};
  // Now and then nobody looks for some hours.
  const missed = random.chance(0.04) ? ((1 << random.between(1, 20)) - 1) << random.between(0, 3) : 0;
  const whole = ALL & ~missed;
  const isWeekend = [0, 6].includes(new Date(day).getUTCDay());
  for (const one of instances) {
    const of = truth.get(one.id) ?? { minutes: [0, 0], addons: [0, 0], cost: [0, 0] };
    truth.set(one.id, of);
    if (!one.isThere) continue;
    const [from, to] = spanOf(random, one.pattern, isWeekend);
    const rate = (HOURLY[one.tier] ?? 1) * one.factor * (prices.get(one.tier) ?? 1);
    const jitter = one.isJittery ? 1 + (random.next() - 0.5) / 10 : 1;
    const hours = host === 'hour' ? (to - from) / 60 : host === 'day' && to === from ? 0 : 24;
    const cost = Number((rate * hours * jitter).toFixed(2));
    const addon = one.isUse ? Number((one.addon * (0.9 + random.next() / 5)).toFixed(2)) : one.addon;
    const addons = hours > 0 ? addon : 0;
    if (cost > 0) used['daily_charge']?.push([one.id, String(cost)]);
    if (addons > 0) used['addon_charge']?.push([one.id, String(addons)]);
    of.minutes[side] += to - from;
    of.addons[side] += addons;
    of.cost[side] += cost;
    const bits = bitsOf(from, to) & whole;
    (seen[one.tier] ??= []).push([one.id, `web-${one.id}`, bits]);
  }
  if (random.chance(0.05)) used['fee']?.push(['', String(random.between(1, 5))]);
  if (random.chance(0.03)) used['late_fee'] = [[instances[0]?.id ?? '', '1.25']];
  return {
    booked: bookedOf(used),
    ...(isBlind ? {} : { seen: { hours: whole, instances: seen } }),
  };
}

/** The minutes of a day in which it runs. */
function spanOf(random: Random, pattern: Pattern, isWeekend: boolean): [number, number] {
  if (pattern === 'always') return [0, 1_440];
  if (pattern === 'office')
    return isWeekend ? [0, 0] : [480 + random.between(0, 25), 1_080 + random.between(0, 25)];
  if (random.chance(0.6)) return [0, 0];
  const from = random.between(0, 1_000);
  return [from, from + random.between(30, 400)];
}

/** The hours in which somebody who looks every five minutes sees it run. */
function bitsOf(from: number, to: number): number {
  let bits = 0;
  const first = Math.ceil(from / 5) * 5;
  for (let hour = Math.floor(first / 60); hour * 60 < to && hour < 24; hour += 1)
    if (Math.max(first, hour * 60) < to) bits |= 1 << hour;
  return bits;
}
