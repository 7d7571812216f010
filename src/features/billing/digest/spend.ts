import { z } from 'zod';
import {
  add,
  type Amount,
  compare,
  parseAmount,
  subtract,
  sum,
  toDecimal,
  ZERO,
} from '../../../core/money/amount.ts';
import { amountOf } from '../ledger/daily-costs.ts';
import type { Transaction, TransactionPage } from '../../../platform/hosting/service.ts';
import { whenOf } from '../transactions/page-cursor.ts';
import { DAY_MS } from '../../../platform/time/duration.ts';
import { MAX_STALE_PAGES_OF_JOB, NOT_BEGUN, walkSchema, withPage as walkedOn } from '../transactions/walk.ts';

/** What one instance used. */
export interface Use {
  /** Undefined for all that belongs to no instance. */
  readonly id: string | undefined;
  /** Empty where nobody knows it any more. */
  readonly name: string;
  readonly used: Amount;
}

/** What was used and added in some time. `used` is more than 0. */
export interface Spend {
  readonly used: Amount;
  readonly added: Amount;
  /** The most expensive first; who used nothing is not among them. */
  readonly uses: readonly Use[];
  /** How many transactions have no readable amount or time, and so are in no sum. */
  readonly unreadable: number;
}

const decimal = z.string().refine((text) => parseAmount(text) !== undefined);

/** What was read so far comes to, as it is kept in Redis: by instance id, exact decimals; '' belongs to no instance. */
const sumsSchema = z.object({
  used: z.array(z.tuple([z.string(), decimal])),
  added: decimal,
  unreadable: z.int(),
});
export type SpendSums = z.infer<typeof sumsSchema>;

export const NO_SUMS: SpendSums = { used: [], added: '0', unreadable: 0 };

/** The name of what belongs to no instance. */
const OTHER = 'other';

/**
 * The sums with those transactions more that are from `fromMs` up to, but not at, `toMs` (Unix ms). Each is to be given
 * once. Pure.
 */
export function summed(
  sums: SpendSums,
  transactions: readonly Transaction[],
  { fromMs, toMs }: { fromMs: number; toMs: number },
): SpendSums {
  const used = new Map(sums.used.map(([id, amount]) => [id, amountOf(amount)]));
  let added = amountOf(sums.added);
  let { unreadable } = sums;
  for (const one of transactions) {
    const at = whenOf(one);
    if (at !== undefined && (at < fromMs || at >= toMs)) continue;
    const amount = parseAmount(one.amountCredits);
    if (at === undefined || !amount) unreadable++;
    else if (compare(amount, ZERO) > 0) added = add(added, amount);
    else if (compare(amount, ZERO) < 0) {
      const { instanceId: id = '' } = one;
      used.set(id, subtract(used.get(id) ?? ZERO, amount));
    }
  }
  return {
    used: [...used].map(([id, amount]) => [id, toDecimal(amount)]),
    added: toDecimal(added),
    unreadable,
  };
}

/** What sums come to. `names`: instances' names by id, since a transaction has only the id. Pure. */
export function spendOf(sums: SpendSums, names: ReadonlyMap<string, string>): Spend {
  const uses = sums.used.map(([id, amount]): Use => ({
    id: id === '' ? undefined : id,
    name: id === '' ? OTHER : (names.get(id) ?? ''),
    used: amountOf(amount),
  }));
  return {
    used: sum(uses.map(({ used }) => used)),
    added: amountOf(sums.added),
    uses: uses.toSorted((one, other) => compare(other.used, one.used) || byName(one, other)),
    unreadable: sums.unreadable,
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

/** How far the reading for one digest has come, and what it came to. */
export const progressSchema = walkSchema.extend({ thisWeek: sumsSchema, lastWeek: sumsSchema });
export type Progress = z.infer<typeof progressSchema>;

export const NOTHING_READ: Progress = { ...NOT_BEGUN, thisWeek: NO_SUMS, lastWeek: NO_SUMS };

const WEEK_MS = 7 * DAY_MS;
/** How much of the service's list one digest reads through. */
const MAX_PAGES = 2_000;

/** The progress with the page it is at; of the seven days before `dueAt` (Unix ms), and the seven before those. Pure. */
export function withPage(
  { thisWeek, lastWeek, ...before }: Progress,
  page: TransactionPage,
  dueAt: number,
): Progress {
  const since = dueAt - WEEK_MS;
  const { walk, fresh } = walkedOn(before, page, {
    since: since - WEEK_MS,
    maxPages: MAX_PAGES,
    maxStale: MAX_STALE_PAGES_OF_JOB,
  });
  return {
    ...walk,
    thisWeek: summed(thisWeek, fresh, { fromMs: since, toMs: dueAt }),
    lastWeek: summed(lastWeek, fresh, { fromMs: since - WEEK_MS, toMs: since }),
  };
}
