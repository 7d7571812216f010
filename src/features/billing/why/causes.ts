import { type Fit, fitOf, type Per, riseIn } from './rates.ts';
import type { DayOf, Series } from './series.ts';

/** A cause of what one instance costs more or less, in units of the comparison's scale. */
export type Part =
  | { readonly kind: 'started' | 'gone' | 'unseen'; readonly units: bigint }
  | { readonly kind: 'length'; readonly units: bigint }
  | { readonly kind: 'resized'; readonly units: bigint; readonly from: string; readonly to: string }
  | { readonly kind: 'addon'; readonly units: bigint; readonly how: 'added' | 'removed' | 'changed' }
  | { readonly kind: 'on'; readonly units: bigint; readonly hours: number; readonly hoursBefore: number }
  | { readonly kind: 'price'; readonly units: bigint; readonly tier: string; readonly fit: Fit };

/** What is found of one instance. What its parts don't come to isn't explained. */
export interface FoundCauses {
  readonly parts: readonly Part[];
  /** What it was charged by, where that is known: evidence for and against a new price. */
  readonly fit: Fit | undefined;
}

/** Of its hours, at most one in so many may be unknown. */
const KNOWN_OF = 10;
/** A change of less than one in so many is not told from how coarse hours and roundings are. */
const TELLS_OF = 50n;
const DAY_HOURS = 24;

/**
 * Why an instance costs more or less. `unreadable`: so many charges of all of them may be missing. A cause is found only where nothing
 * else can be it. Pure.
 */
export function causesOf(series: Series, unreadable: number): FoundCauses {
  const [before, now] = [sumsOf(series.before), sumsOf(series.now)];
  const fit = chosenFit(series, before, now);
  const total = (of: Sums): bigint => of.own + of.addons;
  if (total(before) === 0n || total(now) === 0n) {
    const isNew = total(before) === 0n;
    // What ran for nothing, as in a free tier, neither started nor went.
    if ((isNew ? before : now).least > 0) return { fit, parts: [] };
    const isSure = (isNew ? now : before).charged + (isNew ? now : before).addonDays > unreadable;
    const units = total(now) - total(before);
    return { fit, parts: isSure && units !== 0n ? [{ kind: isNew ? 'started' : 'gone', units }] : [] };
  }
  const addons = addonParts(series, before, now, unreadable);
  const own = ownParts(before, now, fit, unreadable).map((part) =>
    part.kind === 'on' ? { ...part, units: part.units + addons.following } : part,
  );
  return { fit, parts: [...own, ...addons.parts] };
}

/** The sums of one side. */
interface Sums {
  readonly days: readonly DayOf[];
  readonly own: bigint;
  readonly addons: bigint;
  /** Days with a charge of its own, and with one of its add-ons. */
  readonly charged: number;
  readonly addonDays: number;
  readonly least: number;
  readonly most: number;
  readonly edges: number;
  /** Its hours are known, but for few. */
  readonly isSeen: boolean;
}

function sumsOf(days: readonly DayOf[]): Sums {
  const count = (of: (day: DayOf) => number): number => days.reduce((sum, day) => sum + of(day), 0);
  const [least, most] = [count(({ hours }) => hours.least), count(({ hours }) => hours.most)];
  const isTiered = days.every(({ own, tier }) => own === 0n || tier !== undefined);
  return {
    days,
    own: days.reduce((sum, { own }) => sum + own, 0n),
    addons: days.reduce((sum, { addons }) => sum + addons, 0n),
    charged: count(({ own }) => (own === 0n ? 0 : 1)),
    addonDays: count(({ addons }) => (addons === 0n ? 0 : 1)),
    least,
    most,
    edges: count(({ hours }) => hours.edges),
    isSeen: isTiered && (most - least) * KNOWN_OF <= days.length * DAY_HOURS,
  };
}

/** What it was charged by: what needs fewer changes of price; undefined where both need the same, and differ. */
function chosenFit(series: Series, before: Sums, now: Sums): Fit | undefined {
  const days = [...series.before, ...series.now];
  const [byHour, byDay] = [fitOf(days, 'hour'), fitOf(days, 'day')];
  if (!byHour || !byDay) return byHour ?? byDay;
  if (byHour.steps !== byDay.steps) return byHour.steps < byDay.steps ? byHour : byDay;
  // Where a day has as many hours as before, both say the same.
  if (byDay.steps === 0) return byDay;
  const isLess = (one: Sums, other: Sums): boolean => {
    const [most, least] = [BigInt(one.most * other.charged), BigInt(other.least * one.charged)];
    return most < least && isApart(most, least);
  };
  return isLess(before, now) || isLess(now, before) ? undefined : byDay;
}

function ownParts(before: Sums, now: Sums, fit: Fit | undefined, unreadable: number): Part[] {
  const longer = lengthOf(before, now, 'own');
  const rest = now.own - before.own - longer;
  const length: Part[] = longer === 0n ? [] : [{ kind: 'length', units: longer }];
  if (!before.isSeen || !now.isSeen)
    return isApart(rest + before.own, before.own) ? [...length, { kind: 'unseen', units: rest }] : length;
  if (!fit) return length;
  const on = onPart(before, now, fit.per, longer, unreadable);
  if (before.own === 0n || now.own === 0n) return [...length, ...on];
  return [...length, ...on, ...priceParts(before, now, fit), ...resizedPart(before, now, fit)];
}

/** What a month that has more days costs more, of what costs each day. */
function lengthOf(before: Sums, now: Sums, what: 'own' | 'addons'): bigint {
  const [was, is] = [before.days.length, now.days.length];
  const of = what === 'own' ? 'charged' : 'addonDays';
  if (was === is || before[of] !== was || now[of] !== is) return 0n;
  return (before[what] * BigInt(is - was)) / BigInt(was);
}

function onPart(before: Sums, now: Sums, per: Per, longer: bigint, unreadable: number): Part[] {
  const unitsIn = ({ least, charged }: Sums): bigint => BigInt(per === 'hour' ? least : charged);
  const [was, is] = [unitsIn(before), unitsIn(now)];
  const isNone = before.own === 0n || now.own === 0n;
  const units = isNone || was === 0n ? now.own - before.own : ((is - was) * before.own) / was - longer;
  const isOdd = Math.abs(now.charged - before.charged) <= unreadable && unreadable > 0;
  if (isOdd || (!isNone && !isApart(before.own + units, before.own))) return [];
  // By the day, so that a longer month is no reason.
  const [days, daysBefore] = [now.days.length, before.days.length];
  const isMore = now.least * daysBefore > before.most * days;
  const isLess = now.most * daysBefore < before.least * days;
  if (units > 0n ? !isMore : !isLess) return [];
  if (!isApart(BigInt(now.least * daysBefore), BigInt(before.least * days))) return [];
  if (isByEdges(now.least - before.least, now.edges + before.edges)) return [];
  return [{ kind: 'on', units, hours: now.least, hoursBefore: before.least }];
}

/** Whether so many hours more can come from hours that it didn't run through: each counts up to one too many, so 4 sigma are it. */
function isByEdges(more: number, edges: number): boolean {
  return more * more * 12 <= 16 * edges;
}

interface Share {
  readonly cost: bigint;
  readonly units: bigint;
}

/** What a tier has cost on one side, and in how many units. */
function shareOf(days: readonly DayOf[], tier: string, per: Per): Share {
  let [cost, units] = [0n, 0n];
  for (const one of days) {
    if (one.tier !== tier || (one.own === 0n && per === 'day')) continue;
    cost += one.own;
    units += per === 'day' ? 1n : BigInt(one.hours.least);
  }
  return { cost, units };
}

/** What units of the same tier cost more, for as many as there are now. */
function priceParts(before: Sums, now: Sums, fit: Fit): Part[] {
  const tiers = [...new Set(fit.levels.map(({ tier }) => tier))];
  return tiers.flatMap((tier): Part[] => {
    const [was, is] = [shareOf(before.days, tier, fit.per), shareOf(now.days, tier, fit.per)];
    if (was.units === 0n || is.units === 0n || !riseIn(fit, tier)) return [];
    const units = is.cost - (is.units * was.cost) / was.units;
    return units === 0n ? [] : [{ kind: 'price', units, tier, fit }];
  });
}

/** What it costs more since its units are of another tier. */
function resizedPart(before: Sums, now: Sums, fit: Fit): Part[] {
  const [from, to] = [fit.levels[0]?.tier, lastTier(now) ?? fit.levels.at(-1)?.tier];
  if (from === undefined || to === undefined || from === to) return [];
  const tiers = [...new Set(fit.levels.map(({ tier }) => tier))];
  const shares = tiers.map((tier) => {
    const [was, is] = [shareOf(before.days, tier, fit.per), shareOf(now.days, tier, fit.per)];
    return { was, is, rate: was.units > 0n ? was : is };
  });
  const [was, is] = [sumUnits(shares.map((one) => one.was)), sumUnits(shares.map((one) => one.is))];
  if (was === 0n) return [];
  // As many units as now, at the shares of now and at those of before, each tier at one price.
  const units = shares.reduce(
    (sum, one) =>
      one.rate.units === 0n
        ? sum
        : sum + ((one.is.units * was - one.was.units * is) * one.rate.cost) / (one.rate.units * was),
    0n,
  );
  return isApart(before.own + units, before.own) ? [{ kind: 'resized', units, from, to }] : [];
}

function lastTier({ days }: Sums): string | undefined {
  return days.findLast(({ own }) => own !== 0n)?.tier;
}

function sumUnits(shares: readonly Share[]): bigint {
  return shares.reduce((sum, { units }) => sum + units, 0n);
}

/** What its add-ons cost more, and how much of that is `following`: it comes from the days on which the instance was on. */
function addonParts(
  series: Series,
  before: Sums,
  now: Sums,
  unreadable: number,
): { readonly parts: readonly Part[]; readonly following: bigint } {
  const longer = lengthOf(before, now, 'addons');
  const units = now.addons - before.addons - longer;
  const length: Part[] = longer === 0n ? [] : [{ kind: 'length', units: longer }];
  if (units === 0n) return { parts: length, following: 0n };
  const days = [...series.before, ...series.now];
  // The same add-ons at the same cost, on the days on which it was charged itself.
  const same = fitOf(
    days.map((one) => ({ ...one, own: one.addons, tier: '' })),
    'day',
  );
  const isFollowing = days.every(({ own, addons }) => (own === 0n) === (addons === 0n));
  if (same?.steps === 0 && isFollowing) return { parts: length, following: units };
  if (unreadable > 0 && Math.abs(now.addonDays - before.addonDays) <= unreadable)
    return { parts: length, following: 0n };
  const how = before.addons === 0n ? 'added' : now.addons === 0n ? 'removed' : 'changed';
  return { parts: [...length, { kind: 'addon', units, how }], following: 0n };
}

function isApart(one: bigint, other: bigint): boolean {
  const [apart, of] = [one - other, other < 0n ? -other : other];
  return (apart < 0n ? -apart : apart) * TELLS_OF > of;
}
