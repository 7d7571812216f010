import type { DailyCost } from '../../../core/money/amount.ts';
import { type KnownDay, knownOf, type Usual, usualAt } from './usual.ts';

/** A day that cost far more than its kind does. */
export interface Spike {
  readonly day: string;
  readonly usual: Usual;
  /** Of all units of it. */
  readonly scale: number;
}

/** More than so many times what days differ by, and than so many thousandths of what is usual. */
const SPREADS = 10n;
const LEAST_THOUSANDTHS = 250n;
const THOUSAND = 1_000n;
/** What is dearer by less than one in so many of a typical day, or by less than 1, doesn't matter. */
const OF_TYPICAL = 2n;
/** Days that are as dear and no further apart are one occasion. */
export const APART_DAYS = 4;
/** An account that had so many such occasions has them now and then: only what is more than twice as dear is none of them. */
const OFTEN = 2;
const TWICE = 2n;
/** One day is as dear as another up to so much dearer. */
const [AS_DEAR, OF_DEAR] = [3n, 2n];
/** A charge of each month comes again after so many days, give or take some. */
const [MONTH_FROM, MONTH_TO] = [26, 33];
/** One of a month is as dear as the month before, by this part of it. */
const SAME_FEE = 4n;
/** Most of an excess is more than one in so many of it. */
const MOST = 2n;

/**
 * The newest of the `last` days that is to be told: far outside of the pattern of its account, for the first time of its occasion, of
 * which none is in `told`. `days`: oldest first, the last is yesterday. Pure.
 */
export function findSpike(
  days: readonly DailyCost[],
  last: number,
  told: ReadonlySet<string> = new Set(),
): Spike | undefined {
  const { known, scale } = knownOf(days);
  const first = days.at(-last)?.day ?? days[0]?.day ?? '';
  const excesses = new Map<number, Excess | undefined>();
  const excessAt = (at: number): Excess | undefined => {
    if (!excesses.has(at)) excesses.set(at, excessOf(known, at, scale));
    return excesses.get(at);
  };
  for (let at = known.length - 1; at >= 0 && (known[at]?.day ?? '') >= first; at -= 1) {
    const one = excessAt(at);
    if (!one?.isFar || told.has(one.day)) continue;
    if (goesOn(known, at, excessAt, told) || isPattern(known, at, excessAt)) continue;
    return { day: one.day, usual: one.usual, scale };
  }
  return undefined;
}

/** Those of the `last` days that cost far more than usual, whatever comes of that. Pure. */
export function dearDays(days: readonly DailyCost[], last: number): ReadonlySet<string> {
  const { known, scale } = knownOf(days);
  const first = days.at(-last)?.day ?? '';
  return new Set(
    known.flatMap(({ day }, at) => (day >= first && excessOf(known, at, scale)?.isFar ? [day] : [])),
  );
}

/** By how much a day is dearer than usual. */
interface Excess extends KnownDay {
  readonly usual: Usual;
  /** So many more than usual. */
  readonly units: bigint;
  readonly isFar: boolean;
}

function excessOf(known: readonly KnownDay[], at: number, scale: number): Excess | undefined {
  const [one, usual] = [known[at], usualAt(known, at)];
  if (!one || !usual) return undefined;
  const units = one.units - usual.units;
  const isMoreBy = (thousandths: bigint): boolean => units * THOUSAND > usual.units * thousandths;
  const isFar =
    units >= 10n ** BigInt(scale) &&
    units * OF_TYPICAL > usual.typical &&
    isMoreBy(LEAST_THOUSANDTHS) &&
    isMoreBy(usual.spread() * SPREADS);
  return { ...one, usual, units, isFar };
}

type ExcessAt = (at: number) => Excess | undefined;

/** Whether days around it were as dear already, or one of them was told. */
function goesOn(
  known: readonly KnownDay[],
  at: number,
  excessAt: ExcessAt,
  told: ReadonlySet<string>,
): boolean {
  const own = excessAt(at)?.units ?? 0n;
  const isNear = (one: number, other: number): boolean =>
    Math.abs((known[one]?.number ?? 0) - (known[other]?.number ?? 0)) <= APART_DAYS;
  const walk = (step: 1 | -1, matters: (day: string) => boolean): boolean => {
    let near = at;
    for (let next = at + step; known[next] && isNear(next, near); next += step) {
      const one = excessAt(next);
      if (!one?.isFar) continue;
      near = next;
      if (isAsDear(one.units, own) && matters(one.day)) return true;
    }
    return false;
  };
  return walk(-1, () => true) || walk(1, (day) => told.has(day));
}

/** Whether the account has such days now and then: what is of one occasion with it, and charges of each month, don't count. */
function isPattern(known: readonly KnownDay[], at: number, excessAt: ExcessAt): boolean {
  const own = excessAt(at);
  if (!own) return false;
  const occasions = occasionsBefore(known, at, excessAt);
  return occasions.length >= OFTEN && occasions.some((units) => units * TWICE >= own.units);
}

/** What the dearest day of each occasion before it cost more than usual. */
function occasionsBefore(known: readonly KnownDay[], at: number, excessAt: ExcessAt): readonly bigint[] {
  const occasions: bigint[] = [];
  let newest = known[at]?.number ?? 0;
  let isOwn = true;
  for (let before = at - 1; before >= 0; before -= 1) {
    const one = excessAt(before);
    if (!one?.isFar) continue;
    const isApart = newest - one.number > APART_DAYS;
    newest = one.number;
    if (isOwn && !isApart) continue;
    isOwn = false;
    if (comesMonthly(known, one, excessAt) || makesUp(known, before, excessAt)) continue;
    const last = occasions.at(-1) ?? 0n;
    if (isApart || occasions.length === 0) occasions.push(one.units);
    else if (one.units > last) occasions[occasions.length - 1] = one.units;
  }
  return occasions;
}

/** Whether a day a month before or after it was as much dearer. */
function comesMonthly(known: readonly KnownDay[], { number, units }: Excess, excessAt: ExcessAt): boolean {
  return known.some((other, at) => {
    const apart = Math.abs(other.number - number);
    if (apart < MONTH_FROM || apart > MONTH_TO) return false;
    const more = (excessAt(at)?.units ?? 0n) - units;
    return (more < 0n ? -more : more) * SAME_FEE <= units;
  });
}

/** Whether most of what a day cost more was missing on the days just before. */
function makesUp(known: readonly KnownDay[], at: number, excessAt: ExcessAt): boolean {
  const one = excessAt(at);
  if (!one) return false;
  let lack = 0n;
  for (let before = at - 1; one.number - (known[before]?.number ?? 0) <= APART_DAYS; before -= 1) {
    const units = excessAt(before)?.units ?? 0n;
    if (units < 0n) lack -= units;
  }
  return lack * MOST >= one.units;
}

function isAsDear(units: bigint, own: bigint): boolean {
  return units * AS_DEAR >= own * OF_DEAR;
}
