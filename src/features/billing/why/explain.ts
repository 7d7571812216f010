import { add, type Amount, compare, sizeOf, subtract, sum, ZERO } from '../../../core/money/amount.ts';
import type { NamedDay } from '../ledger/day.ts';
import { causesOf, type FoundCauses, type Part } from './causes.ts';
import { isAgainst, isSameRise, type Per, type Rise, riseIn } from './rates.ts';
import { type Costs, costsOf, type Series, toAmount } from './series.ts';
import type { MonthLine } from '../month/figures.ts';

/** What a difference comes from. */
export type Cause =
  | { readonly kind: 'started' | 'gone' | 'unseen'; readonly id: string }
  | { readonly kind: 'resized'; readonly id: string; readonly from: string; readonly to: string }
  | { readonly kind: 'addon'; readonly id: string; readonly how: 'added' | 'removed' | 'changed' }
  /** Hours seen running. */
  | { readonly kind: 'on'; readonly id: string; readonly hours: number; readonly hoursBefore: number }
  /** Each hour or day of a tier costs more or less. */
  | { readonly kind: 'price'; readonly tier: string; readonly per: Per; readonly count: number }
  | { readonly kind: 'length' }
  /** What the service lists of a month as a whole. '' is what it counts and doesn't list. */
  | { readonly kind: 'item'; readonly id: string; readonly amount: Amount; readonly before: Amount }
  /** What belongs to no instance, or comes once. */
  | { readonly kind: 'type'; readonly type: string; readonly amount: Amount; readonly before: Amount };

/** A cause with what it costs more, or less where it is below zero. */
export interface Change {
  readonly cause: Cause;
  readonly amount: Amount;
}

/** A difference taken apart: the changes, the rest of them and what isn't explained come to exactly it. */
export interface Explanation {
  /** Those that explain most, the greatest first. */
  readonly changes: readonly Change[];
  /** The others. */
  readonly more: { readonly count: number; readonly amount: Amount };
  readonly unexplained: Amount;
}

const MOST_CHANGES = 5;

/**
 * Why the days of `now` cost more or less than those of `before`, both all read, of what `maySeeId` lets through. `around`: as
 * `costsOf` takes them. Pure.
 */
export function explain(
  before: readonly NamedDay[],
  now: readonly NamedDay[],
  maySeeId: (id: string) => boolean,
  around: readonly NamedDay[] = [],
): Explanation {
  const costs = costsOf(before, now, maySeeId, around);
  const { series, types } = costs;
  const unreadable = [...before, ...now].reduce(
    (all, { record }) => all + (record.booked?.unreadable ?? 0),
    0,
  );
  const found = series.map((one) => ({ id: one.id, tiers: tiersOf(one), ...causesOf(one, unreadable) }));
  const units = (days: readonly { readonly own: bigint; readonly addons: bigint }[]): bigint =>
    days.reduce((all, { own, addons }) => all + own + addons, 0n);
  const ofTypes = [...types].map(([type, [was, is]]) => ({ type, was, is }));
  const difference = toAmount(
    series.reduce((all, one) => all + units(one.now) - units(one.before), 0n) +
      ofTypes.reduce((all, { was, is }) => all + is - was, 0n),
    costs,
  );
  const changes: readonly Change[] = [
    ...lengthChange(found, costs),
    ...priceChanges(found, costs),
    ...found.flatMap(({ id, parts }) => parts.flatMap((part) => ofInstance(id, part, costs))),
    ...ofTypes.map(({ type, was, is }): Change => ({
      cause: { kind: 'type', type, amount: toAmount(is, costs), before: toAmount(was, costs) },
      amount: toAmount(is - was, costs),
    })),
  ];
  return {
    ...greatestFirst(changes),
    unexplained: subtract(difference, sum(changes.map(({ amount }) => amount))),
  };
}

/** The greatest changes, and what the others come to. */
function greatestFirst(all: readonly Change[]): Pick<Explanation, 'changes' | 'more'> {
  const changes = all
    .filter(({ amount }) => amount.units !== 0n)
    .toSorted((one, other) => compare(sizeOf(other.amount), sizeOf(one.amount)));
  const others = changes.slice(MOST_CHANGES);
  return {
    changes: changes.slice(0, MOST_CHANGES),
    more: { count: others.length, amount: sum(others.map(({ amount }) => amount)) },
  };
}

type Scale = Pick<Costs, 'scale' | 'came'>;

interface FoundOf extends FoundCauses {
  readonly id: string;
  /** Those in which it was charged before and now. */
  readonly tiers: ReadonlySet<string>;
}

function tiersOf({ before, now }: Series): ReadonlySet<string> {
  const charged = (days: Series['now']): Set<string> =>
    new Set(days.flatMap(({ own, tier }) => (own === 0n || tier === undefined ? [] : [tier])));
  const [was, is] = [charged(before), charged(now)];
  return new Set([...was].filter((tier) => is.has(tier)));
}

function ofInstance(id: string, part: Part, costs: Scale): Change[] {
  // A longer month and a new price concern many, and are said once.
  if (part.kind === 'length' || part.kind === 'price') return [];
  const { units, ...cause } = part;
  return [{ cause: { id, ...cause }, amount: toAmount(units, costs) }];
}

function lengthChange(found: readonly FoundOf[], costs: Scale): Change[] {
  const units = found
    .flatMap(({ parts }) => parts)
    .reduce((all, part) => (part.kind === 'length' ? all + part.units : all), 0n);
  return [{ cause: { kind: 'length' }, amount: toAmount(units, costs) }];
}

/** A new price, where all instances of its tier have it that were there before and after. */
function priceChanges(found: readonly FoundOf[], costs: Scale): Change[] {
  const byTier = new Map<string, { amount: Amount; per: Per; rises: Rise[] }>();
  for (const part of found.flatMap(({ parts }) => parts)) {
    const rise = part.kind === 'price' ? riseIn(part.fit, part.tier) : undefined;
    if (part.kind !== 'price' || !rise) continue;
    const { amount, per, rises } = byTier.get(part.tier) ?? { amount: ZERO, per: part.fit.per, rises: [] };
    byTier.set(part.tier, {
      amount: add(amount, toAmount(part.units, costs)),
      per,
      rises: [...rises, rise],
    });
  }
  const levels = found.flatMap(({ fit }) => fit?.levels ?? []);
  return [...byTier].flatMap(([tier, { amount, per, rises }]) => {
    const [one] = rises;
    if (!one || !rises.every((other) => isSameRise(one, other))) return [];
    const isRefuted = rises.some((rise) =>
      levels.some((level) => level.tier === tier && isAgainst(level, rise)),
    );
    if (isRefuted) return [];
    // One of many tells nothing of all, where the others tell nothing.
    if (rises.length * 2 < found.filter(({ tiers }) => tiers.has(tier)).length) return [];
    return [{ cause: { kind: 'price' as const, tier, per, count: rises.length }, amount }];
  });
}

/** Why a month costs more or less than the one before, by the lines of both, where nothing else is known of it. Pure. */
export function explainItems(lines: readonly MonthLine[]): Explanation {
  const changes = lines.map(({ id = '', amount, before }): Change => ({
    cause: { kind: 'item', id, amount, before },
    amount: subtract(amount, before),
  }));
  return { ...greatestFirst(changes), unexplained: ZERO };
}
