import { matcherOf } from '../instances/filter.ts';
import { isNamed, isNameOnly, markOf, namePart } from './pattern.ts';

/** What narrows a right; what is left out doesn't. */
export interface Narrowing {
  /** Names of instances, `*` for any run of characters, ids, or `label:team=web` and `region:fra1`; `name:web-1` is never an id. */
  readonly on?: readonly string[];
  /** Ids of channels. */
  readonly in?: readonly string[];
  /** Redis' clock, Unix ms. */
  readonly until?: number;
  /** The instance that `on` holds the id of, by its name as well. */
  readonly target?: { readonly id: string; readonly name: string } | undefined;
}

/**
 * A pattern so that it means no instance which none of `held` means; undefined where it would. A word that may be an id is
 * covered by a pattern of names only as a name, and one of labels or regions by none of names: who may have what name and what label
 * are two things. Pure.
 */
export function patternWithin(given: string, held: readonly string[]): string | undefined {
  if (held.some((one) => one === given || /^\*+$/.test(namePart(one)))) return given;
  if (markOf(given)) return held.some((one) => isMarkWithin(given, one)) ? given : undefined;
  // A `*` of what is given stands for any run of characters, so only a `*` of what is held can take its place.
  if (!held.some((one) => isNamed(one, namePart(given)))) return undefined;
  return given.includes('*') || isNameOnly(given) ? given : `name:${given}`;
}

/** Whether every value of one mark is one of the other, as far as their texts say. */
function isMarkWithin(given: string, held: string): boolean {
  const [its, theirs] = [markOf(given), markOf(held)];
  return its !== undefined && its.field === theirs?.field && matcherOf(theirs.value)(its.value);
}

/**
 * What somebody who holds `held` may give, take or set within it: with the end of theirs where none was wanted. Undefined
 * where it would reach more instances or places, or last longer. Pure.
 */
export function narrowedWithin(wanted: Narrowing, held: readonly Narrowing[]): Narrowing | undefined {
  let end = Number.POSITIVE_INFINITY;
  const on = new Map<string, string>();
  for (const pattern of wanted.on ?? [undefined])
    for (const place of wanted.in ?? [undefined]) {
      const [best] = held.flatMap((one) => covering(one, pattern, place, wanted.target)).toSorted(byReach);
      if (!best || (wanted.until !== undefined && wanted.until > best.end)) return undefined;
      end = Math.min(end, best.end);
      // Of several places, the one that takes it as a name alone counts for all.
      if (pattern !== undefined && on.get(pattern) !== `name:${pattern}`) on.set(pattern, best.pattern);
    }
  const until = wanted.until ?? (Number.isFinite(end) ? end : undefined);
  return {
    ...(wanted.on ? { on: [...on.values()] } : {}),
    in: wanted.in,
    until,
  };
}

/** The narrowing of what stands already: without an end it has none, where one that is wanted gets that of its giver. Pure. */
export function asItStands({
  until = Number.POSITIVE_INFINITY,
  on,
  in: places,
  target,
}: Narrowing): Narrowing {
  return { on, in: places, until, target };
}

/** How one of what is held covers a pattern in a place. */
interface Cover {
  readonly pattern: string;
  /** Unix ms; infinite for no end. */
  readonly end: number;
}

function covering(
  { on, in: places, until }: Narrowing,
  pattern: string | undefined,
  place: string | undefined,
  target: Narrowing['target'],
): readonly Cover[] {
  if (places && (place === undefined || !places.includes(place))) return [];
  const end = until ?? Number.POSITIVE_INFINITY;
  if (pattern === undefined) return on ? [] : [{ pattern: '', end }];
  const isTarget = target?.id === pattern && on?.some((one) => isNamed(one, target.name));
  const as = on && !isTarget ? patternWithin(pattern, on) : pattern;
  return as === undefined ? [] : [{ pattern: as, end }];
}

/** What lasts longest first, and of those what takes the pattern as it was given. */
function byReach(one: Cover, other: Cover): number {
  if (one.end !== other.end) return one.end > other.end ? -1 : 1;
  return Number(one.pattern.startsWith('name:')) - Number(other.pattern.startsWith('name:'));
}

/** Whether a set of patterns lies within what somebody holds; undefined for all instances. */
export type IsWithin = (on: readonly string[] | undefined) => boolean;

/** What patterns tell of others: names, labels and regions. */
const MARKED = ['name', 'label', 'region'];

/** The patterns in a filter by one of those, each of one value; undefined for a filter by something else. */
function patternsIn(filter: string): readonly string[] | undefined {
  const [, field = '', values = ''] = /^-?([a-z]+):(.*)$/isu.exec(filter) ?? [];
  if (!MARKED.includes(field.toLowerCase())) return undefined;
  return values.split(',').flatMap((one) => (one === '' ? [] : [`${field.toLowerCase()}:${one}`]));
}

/**
 * Whether some name is meant by both patterns, in any case; or some label, or region. One of names and one of labels have nothing in
 * common: who holds a label is told no names by it. Pure.
 */
export function overlap(one: string, other: string): boolean {
  const [its, others] = [markOf(one), markOf(other)];
  if (its?.field !== others?.field) return false;
  return haveInCommon(its?.value ?? namePart(one), others?.value ?? namePart(other));
}

/** Whether some text is meant by both, in any case. */
function haveInCommon(one: string, other: string): boolean {
  const [from, to] = [one.toLowerCase(), other.toLowerCase()];
  // Of each beginning of `from`, from the end on: whether its rest and that of `to` can be the same text.
  let after: boolean[] = [];
  for (let at = from.length; at >= 0; at--) {
    const now: boolean[] = [];
    for (let of = to.length; of >= 0; of--) {
      const [its, others] = [from[at], to[of]];
      now[of] =
        (its === undefined && others === undefined) ||
        (its === '*' && (after[of] === true || (others !== undefined && now[of + 1] === true))) ||
        (others === '*' && (now[of + 1] === true || (its !== undefined && after[of] === true))) ||
        (its !== undefined && its === others && after[of + 1] === true);
    }
    after = now;
  }
  return after[0] === true;
}

/** Whether a pattern may mean something that is held: one that doesn't says only what others hold. Pure. */
export function isMet(pattern: string, held: readonly Narrowing[]): boolean {
  return held.some(({ on }) => !on || on.some((one) => one === pattern || overlap(one, pattern)));
}

/** Whether filters tell no name, label or region but of what is held: `isMet` says it of each pattern. Pure. */
export function mayKnowFilters(filters: readonly string[], isMine: (pattern: string) => boolean): boolean {
  return filters.every((filter) => patternsIn(filter)?.every(isMine) ?? true);
}

/** Whether filters can match nothing but what is held: one of them, which all must pass, is by such names, labels or regions. Pure. */
export function areFiltersWithin(filters: readonly string[], isWithin: IsWithin): boolean {
  return (
    isWithin(undefined) || filters.some((filter) => !filter.startsWith('-') && isWithin(patternsIn(filter)))
  );
}
