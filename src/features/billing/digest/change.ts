import { type Amount, compare, subtract, sum, ZERO } from '../../../core/money/amount.ts';
import { byName, type Spend, type Use } from './spend.ts';

/** Why more or less was used than the week before. */
export interface Cause {
  /** Undefined for all that belongs to no instance. */
  readonly id: string | undefined;
  /** Empty where nobody knows it any more. */
  readonly name: string;
  /** Undefined where it used nothing then: it is new. */
  readonly was: Amount | undefined;
  /** Undefined where it uses nothing now. */
  readonly is: Amount | undefined;
  readonly difference: Amount;
}

/** How one week differs from the week before. */
export interface Change {
  readonly difference: Amount;
  /** The largest, whichever way they go; none where every instance used what it used before. */
  readonly causes: readonly Cause[];
  /** What all smaller causes come to. */
  readonly rest: Amount;
  /** Whether all of both weeks could be read. */
  readonly isWhole: boolean;
}

const MAX_CAUSES = 3;

/** What was used in one week against the week before, and the largest causes. Pure. */
export function changeOf(thisWeek: Spend, lastWeek: Spend): Change {
  const before = new Map(lastWeek.uses.map((use) => [use.id, use]));
  const now = new Map(thisWeek.uses.map((use) => [use.id, use]));
  const causes = [...new Set([...now.keys(), ...before.keys()])]
    .map((id) => causeOf(id, before.get(id), now.get(id)))
    .filter(({ difference }) => compare(difference, ZERO) !== 0)
    .toSorted((one, other) => compare(size(other.difference), size(one.difference)) || byName(one, other));
  return {
    difference: subtract(thisWeek.used, lastWeek.used),
    causes: causes.slice(0, MAX_CAUSES),
    rest: sum(causes.slice(MAX_CAUSES).map(({ difference }) => difference)),
    isWhole: thisWeek.unreadable === 0 && lastWeek.unreadable === 0,
  };
}

function causeOf(id: string | undefined, before: Use | undefined, now: Use | undefined): Cause {
  const [was, is] = [before?.used, now?.used];
  const name = now?.name || before?.name || '';
  return { id, name, was, is, difference: subtract(is ?? ZERO, was ?? ZERO) };
}

/** An amount without its sign. */
export function size(amount: Amount): Amount {
  return compare(amount, ZERO) < 0 ? subtract(ZERO, amount) : amount;
}
