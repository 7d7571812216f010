import { add, type Amount, compare, parseAmount, subtract, ZERO } from '../../../core/money/amount.ts';
import type { Transaction } from '../../../platform/hosting/service.ts';

/** Which transactions are wanted. `since`, and `until` without itself, in Unix ms. */
export interface StatementFilter {
  readonly since?: number;
  readonly until?: number;
  readonly type?: string;
  readonly instanceId?: string;
}

/** Whether a transaction passes. What has no readable time passes any time. Pure. */
export function passes(transaction: Transaction, wanted: StatementFilter): boolean {
  const at = Date.parse(transaction.createdAt);
  return (
    !(wanted.since !== undefined && at < wanted.since) &&
    !(wanted.until !== undefined && at >= wanted.until) &&
    (wanted.type === undefined || typeKey(transaction.type) === typeKey(wanted.type)) &&
    (wanted.instanceId === undefined || transaction.instanceId === wanted.instanceId)
  );
}

/** What is the same for types that differ only in case, spaces, dashes and underscores: `daily charge` is `daily_charge`. */
export function typeKey(type: string): string {
  return type
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, '_');
}

/** What transactions come to. */
export interface Sums {
  /** What was added, and what was taken as an amount more than 0. */
  readonly credits: Amount;
  readonly usage: Amount;
  /** How many have no readable amount, and so are in no sum. */
  readonly unreadable: number;
}

/** What a run of transactions without gaps comes to. */
export interface Statement extends Sums {
  readonly opening: Amount;
  readonly closing: Amount;
  /** By how much opening + credits - usage misses closing. */
  readonly gap: Amount;
}

/** What transactions come to so far, so that any number of them is summed up without being kept. */
export interface Tally {
  readonly closing: Amount | undefined;
  readonly afterOldest: Amount | undefined;
  readonly ofOldest: Amount;
  readonly credits: Amount;
  readonly taken: Amount;
  readonly unreadable: number;
}

/** The tally with one more transaction, the next older one; `undefined` before the first. Pure. */
export function tallied(tally: Tally | undefined, transaction: Transaction): Tally {
  const known = parseAmount(transaction.amountCredits);
  const amount = known ?? ZERO;
  const after = parseAmount(transaction.balanceAfterCredits);
  const { credits, taken, unreadable } = tally ?? { credits: ZERO, taken: ZERO, unreadable: 0 };
  return {
    closing: tally ? tally.closing : after,
    afterOldest: after,
    ofOldest: amount,
    credits: compare(amount, ZERO) > 0 ? add(credits, amount) : credits,
    taken: compare(amount, ZERO) < 0 ? add(taken, amount) : taken,
    unreadable: known ? unreadable : unreadable + 1,
  };
}

/** The sums of a tally; `undefined` is one of nothing. */
export function sumsFrom(tally: Tally | undefined): Sums {
  const { credits, taken, unreadable } = tally ?? { credits: ZERO, taken: ZERO, unreadable: 0 };
  return { credits, usage: subtract(ZERO, taken), unreadable };
}

/**
 * What a tally comes to by the balances that the service gives; undefined where it gives none, or where an amount is
 * unreadable, since nobody knows then whether the rest adds up.
 */
export function statementFrom(tally: Tally | undefined): Statement | undefined {
  if (!tally?.closing || !tally.afterOldest || tally.unreadable > 0) return undefined;
  const { closing, credits, taken } = tally;
  const opening = subtract(tally.afterOldest, tally.ofOldest);
  const gap = subtract(closing, add(opening, add(credits, taken)));
  return { ...sumsFrom(tally), opening, closing, gap };
}

/** The tally of transactions, newest first; undefined for none. */
export function tallyOf(newestFirst: readonly Transaction[]): Tally | undefined {
  return newestFirst.reduce<Tally | undefined>(tallied, undefined);
}
