import { z } from 'zod';
import { type MonthSeen, monthSeenSchema } from '../postpaid/month-seen.ts';
import type { BalanceRead } from './balance-read.ts';
import { type BalanceSeen, balanceSeenSchema } from './balance-seen.ts';

/** What was read of the account: a balance that runs out, or a month that is paid afterwards. */
export const seenSchema = z.union([balanceSeenSchema, monthSeenSchema]);
export type Seen = z.infer<typeof seenSchema>;

/** What one look at the account reads, before it is written down. */
export type MoneyRead = BalanceRead | MonthSeen;

/** What was read, as that of a balance; undefined where it is none. */
export function readIn(read: MoneyRead): BalanceRead | undefined {
  return 'balance' in read ? read : undefined;
}

/** The reading as that of a balance; undefined where it is none. */
export function balanceIn(seen: Seen | undefined): BalanceSeen | undefined {
  return seen && 'balance' in seen ? seen : undefined;
}

/** The reading as that of a month; undefined where it is none. */
export function monthIn(seen: Seen | MoneyRead | undefined): MonthSeen | undefined {
  return seen && 'monthSoFar' in seen ? seen : undefined;
}
