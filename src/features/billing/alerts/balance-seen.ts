import { z } from 'zod';
import { compare, parseAmount, ZERO } from '../../../core/money/amount.ts';
import { isPaidApart, stopsAtZero } from '../balance/at-zero.ts';
import type { BalanceRead } from './balance-read.ts';
import { isMore, outageAfter, outageSchema } from './outage.ts';

const namedSchema = z.array(z.object({ id: z.string(), name: z.string() }));

const leftSchema = z.int().optional();
/** A range of days from `today` on, as it is told with the reading that it was made for. */
const expectedSchema = z.object({
  first: leftSchema,
  likely: leftSchema,
  last: leftSchema,
  today: z.number(),
  basis: z.object({
    count: z.int(),
    gaps: z.int(),
    late: z.int(),
    isLevelNew: z.boolean(),
    isScheduled: z.boolean().default(false),
  }),
});

/**
 * The balance as it was read, with what runs and what is paused, as it is written down. Of instances the first few are
 * named, and all are counted; where no whole list was ever read, there is neither.
 */
export const balanceSeenSchema = z.object({
  balance: z.string(),
  perDay: z.string().optional(),
  at: z.number(),
  /** How long it is likely to last, where the days before told that. */
  expected: expectedSchema.optional(),
  /** When the list was read that the instances are from. */
  listedAt: z.number().optional(),
  /** What runs, and so pauses at zero. */
  running: namedSchema.optional(),
  runningCount: z.number().optional(),
  /** What the host has paused because the credit ran out, and so deletes after a while. */
  paused: namedSchema.optional(),
  pausedCount: z.number().optional(),
  /** Something runs that is paid in another way. */
  isApart: z.literal(true).optional(),
  /** There is no instance at all. */
  hasNone: z.literal(true).optional(),
  /** Since when nothing is left, as far as was seen. */
  emptyAt: z.number().optional(),
  /** What is paused because the credit ran out, and what became of it. */
  outage: outageSchema.optional(),
  /** When it last rose, as far as was seen, and whether it was low no longer then. */
  rise: z.object({ at: z.number(), isEnough: z.boolean() }).optional(),
  /** The thresholds that it was judged by. */
  by: z.string().optional(),
});
export type BalanceSeen = z.infer<typeof balanceSeenSchema>;

/** As many as a card names. */
const MAX_NAMED = 5;

/**
 * A reading after the one before it: what it does not know of the instances stays as it was. `isShort`: whether there is
 * little money by the thresholds, so that it may be the reason why something is paused; `wasShort`: whether there was before.
 * `by`: the thresholds that it is judged by. Pure.
 */
export function following(
  read: BalanceRead,
  last: BalanceSeen | undefined,
  { isShort, wasShort, by }: { readonly isShort: boolean; readonly wasShort: boolean; readonly by: string },
): BalanceSeen {
  const { balance, perDay, at, expected, list } = read;
  const emptyAt = last && isEmpty(last) ? (last.emptyAt ?? last.at) : at;
  const rise = last && isMore(balance, last.balance) ? { at, isEnough: !isShort } : last?.rise;
  const outage = outageAfter(read, last, {
    isShort: isShort || wasShort || isEmpty(read) || isFree(perDay),
    wasShort,
  });
  return {
    ...(list?.isWhole ? instancesIn(list, new Set(outage?.ids)) : last ? instancesOf(last) : {}),
    balance,
    ...(perDay === undefined ? {} : { perDay }),
    at,
    ...(expected ? { expected } : {}),
    ...(isEmpty(read) ? { emptyAt } : {}),
    ...(outage ? { outage } : {}),
    ...(rise ? { rise } : {}),
    by,
  };
}

/** The reading without the ids of all that is or was paused, which only the next reading needs. */
export function toShow({ outage, ...seen }: BalanceSeen): BalanceSeen {
  return outage ? { ...seen, outage: { ...outage, ids: [], otherIds: [] } } : seen;
}

/** How many are paused because the credit ran out. */
export function pausedForMoney({ outage }: Pick<BalanceSeen, 'outage'>): number {
  return outage?.count ?? 0;
}

/** Whether the balance has risen while something was paused for want of it. */
export function hasRisen({ balance, outage }: BalanceSeen, than = outage?.lowest): boolean {
  return pausedForMoney({ outage }) > 0 && than !== undefined && isMore(balance, than);
}

type Instances = Pick<
  BalanceSeen,
  'listedAt' | 'running' | 'runningCount' | 'paused' | 'pausedCount' | 'isApart' | 'hasNone'
>;

/** `forMoney`: the ids of what is paused for want of it. */
function instancesIn(
  { at, instances }: NonNullable<BalanceRead['list']>,
  forMoney: ReadonlySet<string>,
): Instances {
  const running = instances.filter(stopsAtZero);
  const paused = instances.filter(({ id, status }) => status === 'paused' && forMoney.has(id));
  const named = (group: typeof running) => group.slice(0, MAX_NAMED).map(({ id, name }) => ({ id, name }));
  return {
    listedAt: at,
    running: named(running),
    runningCount: running.length,
    paused: named(paused),
    pausedCount: paused.length,
    ...(instances.some(isPaidApart) ? { isApart: true } : {}),
    ...(instances.length === 0 ? { hasNone: true } : {}),
  };
}

function instancesOf(last: BalanceSeen): Instances {
  const { listedAt, running, runningCount, paused, pausedCount, isApart, hasNone } = last;
  return {
    listedAt,
    running,
    runningCount,
    paused,
    pausedCount,
    ...(isApart ? { isApart } : {}),
    ...(hasNone ? { hasNone } : {}),
  };
}

/** Whether something else is paused than before, so that a message about it is out of date. */
export function isPausedDifferent(one: BalanceSeen, other: BalanceSeen | undefined): boolean {
  const named = ({ paused = [] }: BalanceSeen): string => JSON.stringify(paused.map(({ id }) => id));
  return (
    named(one) !== (other ? named(other) : '[]') ||
    pausedForMoney(one) !== (other ? pausedForMoney(other) : 0)
  );
}

/** Whether the list was read since the reading before, so that it tells what became of what is paused. */
export function isListNew({ listedAt }: BalanceSeen, last: BalanceSeen | undefined): boolean {
  return listedAt !== undefined && listedAt >= (last?.at ?? 0);
}

/**
 * Whether a day costs nothing for a reason that isn't known yet: this is the first reading that says so, whose list may be
 * from before the host paused what cost, or there is no list since.
 */
export function isFreeUnexplained(seen: BalanceSeen, last: BalanceSeen | undefined): boolean {
  return isFree(seen.perDay) && !(isFree(last?.perDay) && isListNew(seen, last));
}

export function isFree(perDay: string | undefined): boolean {
  const cost = parseAmount(perDay);
  return cost !== undefined && compare(cost, ZERO) === 0;
}

export function isEmpty({ balance }: Pick<BalanceSeen, 'balance'>): boolean {
  const amount = parseAmount(balance);
  return amount !== undefined && compare(amount, ZERO) <= 0;
}
