import { add, type Amount, compare, parseAmount, subtract, ZERO } from '../credits/amount.ts';
import type { Transaction } from '../hosting/service.ts';

/** Which transactions are wanted. `since` in Unix ms. */
export interface Wanted {
  readonly since?: number;
  readonly type?: string;
  readonly instanceId?: string;
}

/** Whether a transaction passes. What has no readable time passes any time. Pure. */
export function passes(transaction: Transaction, wanted: Wanted): boolean {
  const at = Date.parse(transaction.createdAt);
  return (
    !(wanted.since !== undefined && at < wanted.since) &&
    (wanted.type === undefined || transaction.type.toLowerCase() === wanted.type.toLowerCase()) &&
    (wanted.instanceId === undefined || transaction.instanceId === wanted.instanceId)
  );
}

/** What a run of transactions without gaps comes to. */
export interface Statement {
  readonly opening: Amount;
  /** What was added, and what was taken as an amount more than nought. */
  readonly credits: Amount;
  readonly usage: Amount;
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
}

/** The tally with one more transaction, the next older one; `undefined` before the first. Pure. */
export function tallied(tally: Tally | undefined, transaction: Transaction): Tally {
  const amount = parseAmount(transaction.amountCredits) ?? ZERO;
  const after = parseAmount(transaction.balanceAfterCredits);
  const { credits, taken } = tally ?? { credits: ZERO, taken: ZERO };
  return {
    closing: tally ? tally.closing : after,
    afterOldest: after,
    ofOldest: amount,
    credits: compare(amount, ZERO) > 0 ? add(credits, amount) : credits,
    taken: compare(amount, ZERO) < 0 ? add(taken, amount) : taken,
  };
}

/** What a tally comes to by the balances that the service gives; undefined where it gives none. */
export function statementFrom(tally: Tally | undefined): Statement | undefined {
  if (!tally?.closing || !tally.afterOldest) return undefined;
  const { closing, credits, taken } = tally;
  const opening = subtract(tally.afterOldest, tally.ofOldest);
  const gap = subtract(closing, add(opening, add(credits, taken)));
  return { opening, credits, usage: subtract(ZERO, taken), closing, gap };
}

/** The statement of transactions, newest first. */
export function statementOf(newestFirst: readonly Transaction[]): Statement | undefined {
  return statementFrom(newestFirst.reduce<Tally | undefined>(tallied, undefined));
}
