import { z } from 'zod';
import type { Transaction } from '../../../platform/hosting/service.ts';
import { idOf } from '../../../platform/id.ts';

/** What was taken last of a list, as it is kept in Redis. */
export const cursorSchema = z.object({
  /** Marks of what was taken last, oldest first. */
  keys: z.array(z.string()),
  /** When the last of it was, Unix ms. */
  lastAt: z.number().optional(),
});
export type Cursor = z.infer<typeof cursorSchema>;

export const START: Cursor = { keys: [] };

/** By so many marks the place is found again where reading goes on; what is older is known by its time. */
const MAX_KEYS = 1_000;

/**
 * What of the next page was not taken yet, and what to remember then. Whatever is new while pages are read moves the rest
 * on, so that a page begins with what came before, or is all of that. Pure.
 */
export function unseen(
  cursor: Cursor,
  page: readonly Transaction[],
): { fresh: readonly Transaction[]; cursor: Cursor } {
  const seen = new Set(cursor.keys);
  const keys = page.map(keyOf);
  const lastSeen = keys.findLastIndex((key) => seen.has(key));
  const isBefore = lastSeen === -1 && isAllNewer(page, cursor.lastAt);
  // Whatever stands before one that was seen was on an earlier page, or is newer than the first.
  const from = isBefore ? page.length : lastSeen + 1;
  const fresh = page.slice(from);
  const lastAt = fresh.map(whenOf).findLast((at) => at !== undefined) ?? cursor.lastAt;
  return {
    fresh,
    cursor: {
      keys: [...cursor.keys, ...keys.slice(from)].slice(-MAX_KEYS),
      lastAt,
    },
  };
}

/** When it was, in Unix ms. Only a date that begins with its year, since Date.parse makes a date of almost anything. */
export function whenOf({ createdAt }: Pick<Transaction, 'createdAt'>): number | undefined {
  const at = /^\d{4}-\d{2}-\d{2}/.test(createdAt) ? Date.parse(createdAt) : Number.NaN;
  return Number.isFinite(at) ? at : undefined;
}

/** Whether times that can be read only fall, and so tell that what follows is older. Pure. */
export function isNewestFirst(transactions: readonly Pick<Transaction, 'createdAt'>[]): boolean {
  const times = transactions.flatMap((one) => whenOf(one) ?? []);
  const hasFallen = (times[0] ?? 0) > (times.at(-1) ?? 0);
  return hasFallen && !isRising(times);
}

/** Whether a time is later than the one before it. Pure. */
export function isRising(times: readonly number[]): boolean {
  return times.some((at, index) => at > (times[index - 1] ?? Number.POSITIVE_INFINITY));
}

function isAllNewer(page: readonly Transaction[], lastAt: number | undefined): boolean {
  const times = page.flatMap((one) => whenOf(one) ?? []);
  return lastAt !== undefined && times.length > 0 && !isRising(times) && times.every((at) => at > lastAt);
}

/** By more than the id, in case a service gives all the same, or none. */
export function keyOf(one: Transaction): string {
  const { id, type, createdAt, amountCredits, balanceAfterCredits, instanceId } = one;
  return idOf(JSON.stringify([id, type, createdAt, amountCredits, balanceAfterCredits, instanceId]));
}
