import { z } from 'zod';
import { compare, parseAmount, ZERO } from '../../../core/money/amount.ts';

const namedSchema = z.array(z.object({ id: z.string(), name: z.string() }));

/**
 * The balance as it was read, with what runs and what is paused. Amounts are decimals, times Unix ms. Of instances the
 * first few are named, and all are counted; where no list was ever read, there is neither.
 */
export const balanceSeenSchema = z.object({
  balance: z.string(),
  perDay: z.string().optional(),
  at: z.number(),
  /** When the list was read that the instances are from. */
  listedAt: z.number().optional(),
  /** What runs, and so pauses at zero. */
  running: namedSchema.optional(),
  runningCount: z.number().optional(),
  /** What the host has paused, and so deletes after a while. */
  paused: namedSchema.optional(),
  pausedCount: z.number().optional(),
  /** Since when nothing is left, as far as was seen. */
  emptyAt: z.number().optional(),
});
export type BalanceSeen = z.infer<typeof balanceSeenSchema>;

/** A reading after the one before it: what it does not know of the instances stays as it was. Pure. */
export function following(seen: BalanceSeen, last: BalanceSeen | undefined): BalanceSeen {
  const emptyAt = last && isEmpty(last) ? (last.emptyAt ?? last.at) : seen.at;
  return {
    ...(seen.listedAt === undefined && last ? instancesOf(last) : {}),
    ...seen,
    ...(isEmpty(seen) ? { emptyAt } : {}),
  };
}

function instancesOf({
  listedAt,
  running,
  runningCount,
  paused,
  pausedCount,
}: BalanceSeen): Partial<BalanceSeen> {
  return { listedAt, running, runningCount, paused, pausedCount };
}

/** Whether something else is paused than before, so that a message about it is out of date. */
export function isPausedDifferent(one: BalanceSeen, other: BalanceSeen | undefined): boolean {
  return JSON.stringify(one.paused ?? []) !== JSON.stringify(other?.paused ?? []);
}

/** Whether nothing costs anything only because the host has paused all that did: the balance does not pay for it. */
export function isAllPaused({ perDay, runningCount, pausedCount = 0 }: BalanceSeen): boolean {
  return isFree(perDay) && runningCount === 0 && pausedCount > 0;
}

/**
 * Whether a day costs nothing for a reason that isn't known yet: the list could not be read, or this is the first reading
 * that says so, and its list may be from before the host paused what cost.
 */
export function isFreeUnexplained(
  { perDay, at, listedAt }: BalanceSeen,
  last: BalanceSeen | undefined,
): boolean {
  return isFree(perDay) && (listedAt !== at || !isFree(last?.perDay));
}

function isFree(perDay: string | undefined): boolean {
  const cost = parseAmount(perDay);
  return cost !== undefined && compare(cost, ZERO) === 0;
}

function isEmpty({ balance }: BalanceSeen): boolean {
  const amount = parseAmount(balance);
  return amount !== undefined && compare(amount, ZERO) <= 0;
}
