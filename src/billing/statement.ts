import { add, type Amount, compare, parseAmount, subtract, sum, ZERO } from '../credits/amount.ts';
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

/** The statement of transactions, newest first, by the balances that the service gives; undefined where it gives none. */
export function statementOf(newestFirst: readonly Transaction[]): Statement | undefined {
  const newest = newestFirst[0];
  const oldest = newestFirst.at(-1);
  const closing = parseAmount(newest?.balanceAfterCredits);
  const afterOldest = parseAmount(oldest?.balanceAfterCredits);
  const amounts = newestFirst.map(({ amountCredits }) => parseAmount(amountCredits) ?? ZERO);
  const ofOldest = amounts.at(-1);
  if (!closing || !afterOldest || !ofOldest) return undefined;
  const opening = subtract(afterOldest, ofOldest);
  const credits = sum(amounts.filter((amount) => compare(amount, ZERO) > 0));
  const taken = sum(amounts.filter((amount) => compare(amount, ZERO) < 0));
  const gap = subtract(closing, add(opening, add(credits, taken)));
  return { opening, credits, usage: subtract(ZERO, taken), closing, gap };
}
