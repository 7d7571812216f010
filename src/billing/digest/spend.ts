import { add, type Amount, compare, parseAmount, subtract, sum, ZERO } from '../../credits/amount.ts';
import type { Transaction } from '../../hosting/service.ts';

/** What one instance used. */
export interface Use {
  /** Undefined for all that belongs to no instance. */
  readonly id: string | undefined;
  /** Empty where nobody knows it any more. */
  readonly name: string;
  readonly used: Amount;
}

/** What was used and added in some time. `used` is more than nought. */
export interface Spend {
  readonly used: Amount;
  readonly added: Amount;
  /** The dearest first; who used nothing is not among them. */
  readonly uses: readonly Use[];
  /** How many transactions have no readable amount or time, and so are in no sum. */
  readonly unreadable: number;
}

/** The name of what belongs to no instance. */
const OTHER = 'other';

/**
 * What the transactions from `fromMs` up to, but not at, `toMs` (Unix ms) come to. `names`: instances' names by id,
 * since a transaction has only the id.
 */
export function spendOf(
  transactions: readonly Transaction[],
  { fromMs, toMs, names }: { fromMs: number; toMs: number; names: ReadonlyMap<string, string> },
): Spend {
  const used = new Map<string | undefined, Amount>();
  let added = ZERO;
  let unreadable = 0;
  for (const one of once(transactions)) {
    const at = whenOf(one);
    if (at !== undefined && (at < fromMs || at >= toMs)) continue;
    const amount = parseAmount(one.amountCredits);
    if (at === undefined || !amount) unreadable++;
    else if (compare(amount, ZERO) > 0) added = add(added, amount);
    else if (compare(amount, ZERO) < 0) {
      const id = one.instanceId === '' ? undefined : one.instanceId;
      used.set(id, subtract(used.get(id) ?? ZERO, amount));
    }
  }
  const uses = [...used].map(([id, amount]): Use => ({
    id,
    name: id === undefined ? OTHER : (names.get(id) ?? ''),
    used: amount,
  }));
  return {
    used: sum([...used.values()]),
    added,
    uses: uses.toSorted((one, other) => compare(other.used, one.used) || byName(one, other)),
    unreadable,
  };
}

/** By name, then by id, the same on every machine; what belongs to no instance before an instance of that name. */
export function byName(one: Omit<Use, 'used'>, other: Omit<Use, 'used'>): number {
  return byText(one.name, other.name) || byText(one.id ?? '', other.id ?? '');
}

function byText(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

/** Each transaction once: the pages of a service shift while they are read, so that one may be on two of them. */
function once(transactions: readonly Transaction[]): Iterable<Transaction> {
  const key = ({ id, type, amountCredits, instanceId, createdAt }: Transaction): string =>
    JSON.stringify([id, type, amountCredits, instanceId, createdAt]);
  return new Map(transactions.map((one) => [key(one), one])).values();
}

/** When it was, in Unix ms. Only a date that begins with its year, since Date.parse makes a date of almost anything. */
function whenOf({ createdAt }: Transaction): number | undefined {
  const at = /^\d{4}-\d{2}-\d{2}/.test(createdAt) ? Date.parse(createdAt) : Number.NaN;
  return Number.isFinite(at) ? at : undefined;
}
