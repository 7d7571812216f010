import type { Balance, Instance, PausedFor } from '../service.ts';
import { isOneOf } from './read.ts';
import type { ServiceTable } from './service-table.ts';

/** Why an instance is paused, by the word of its status alone; undefined where that word says nothing, or too little. Pure. */
export function pausedByWord({ pausedFor }: ServiceTable, word: string): PausedFor | undefined {
  return isOneOf(pausedFor.suspended, word) ? 'suspended' : undefined;
}

/**
 * The same by the balance: one that has enough for a day of it is not paused for want of credit, whatever its status is
 * called. Undefined where the balance doesn't say why. Pure.
 */
export function pausedByBalance(
  table: ServiceTable,
  { statusWord, isPaidByDay, dailyCostCredits }: Instance,
  balance: Balance | undefined,
): PausedFor | undefined {
  if (balance === undefined) return undefined;
  const isForCredit = isPaidByDay === true && isOneOf(table.pausedFor['no-credit'], statusWord);
  // Only compared, so that a float is exact enough.
  const left = Number(balance.credits);
  return isForCredit && (left <= 0 || left < Number(dailyCostCredits)) ? 'no-credit' : undefined;
}
