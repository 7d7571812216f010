import { z } from 'zod';
import { compare, parseAmount, ZERO } from '../../../core/money/amount.ts';
import type { BalanceRead } from './balance-read.ts';

const namedSchema = z.array(z.object({ id: z.string(), name: z.string() }));
const groupSchema = z.object({ named: namedSchema, count: z.number() });

/**
 * What is paused because the credit ran out, and in the reading in which none is any more what came of it. It is there from the first
 * list that could be read on, so that what is paused later is known from what was paused before.
 */
export const outageSchema = z.object({
  /** Those that are paused for it now. */
  ids: z.array(z.string()),
  named: namedSchema,
  count: z.number(),
  /** What was paused when there was money, and so for another reason. */
  otherIds: z.array(z.string()),
  /** There was little money since the list was read last. */
  wasShort: z.literal(true).optional(),
  /** The least that was left meanwhile, a decimal. */
  lowest: z.string(),
  /** What of it runs again, what is gone, and what is neither paused nor runs. */
  running: groupSchema.optional(),
  gone: groupSchema.optional(),
  other: groupSchema.optional(),
});
export type Outage = z.infer<typeof outageSchema>;
type Group = z.infer<typeof groupSchema>;
type Named = Group['named'][number];

/** What was known before a reading. */
interface Before {
  readonly outage?: Outage;
  readonly paused?: readonly Named[];
  readonly running?: readonly Named[];
}

const MAX_NAMED = 5;
/** What is on its way from paused to running, and not there yet. */
const ON_ITS_WAY: ReadonlySet<string> = new Set(['starting', 'restarting', 'provisioning', 'deploying']);
const LEAVING: ReadonlySet<string> = new Set(['deleting', 'deleted']);

/**
 * What is paused because the credit ran out after a reading. What was is so until it was seen to be otherwise, whatever the balance
 * says. What is paused for another reason is not, and what is paused without one is where there is little money: `isShort`, and `wasShort` where there was before. At the first
 * reading of all, what is paused beside others that run is not where a day of it could be paid. Pure.
 */
export function outageAfter(
  { balance, list }: BalanceRead,
  last: Before | undefined,
  { isShort, wasShort }: { readonly isShort: boolean; readonly wasShort: boolean },
): Outage | undefined {
  const before = last?.outage;
  if (!list) {
    if (!before) return undefined;
    return { ...before, lowest: lower(before.lowest, balance), ...(isShort ? { wasShort: true } : {}) };
  }
  const isFirst = !before && !wasShort && list.instances.some(({ status }) => status === 'running');
  const [ids, otherIds] = [new Set(before?.ids), new Set(before?.otherIds)];
  const byId = new Map(list.instances.map((one) => [one.id, one]));
  const isStill = (id: string): boolean => {
    const status = byId.get(id)?.status;
    return status === undefined ? !list.isWhole : status === 'paused' || ON_ITS_WAY.has(status);
  };
  const paused = list.instances.filter(
    ({ status, pausedFor = 'no-credit' }) => status === 'paused' && pausedFor === 'no-credit',
  );
  const isFor = ({ id, dailyCostCredits, pausedFor }: (typeof paused)[number]): boolean =>
    pausedFor === 'no-credit' ||
    (!otherIds.has(id) &&
      (isShort || before?.wasShort === true) &&
      !(isFirst && pays(balance, dailyCostCredits)));
  const now = [
    ...[...ids].filter(isStill),
    ...paused.filter((one) => !ids.has(one.id) && isFor(one)).map(({ id }) => id),
  ];
  const isNow = new Set(now);
  const unseen = list.isWhole ? [] : [...otherIds].filter((id) => !byId.has(id));
  const others = [...paused.map(({ id }) => id).filter((id) => !isNow.has(id)), ...unseen];
  const open = ids.size > 0 ? before : undefined;
  const ended = [...ids].filter((id) => !isNow.has(id)).map((id) => ({ id, status: byId.get(id)?.status }));
  const nameOf = (id: string): Named => ({ id, name: byId.get(id)?.name ?? nameBefore(last, id) });
  const grown = (group: Group | undefined, those: typeof ended): Group | undefined =>
    those.length === 0 && !group
      ? undefined
      : {
          named: [...(group?.named ?? []), ...those.map(({ id }) => nameOf(id))].slice(0, MAX_NAMED),
          count: (group?.count ?? 0) + those.length,
        };
  const isGone = ({ status }: (typeof ended)[number]): boolean => status === undefined || LEAVING.has(status);
  const groups = {
    running: grown(
      open?.running,
      ended.filter(({ status }) => status === 'running'),
    ),
    gone: grown(open?.gone, ended.filter(isGone)),
    other: grown(
      open?.other,
      ended.filter((one) => one.status !== 'running' && !isGone(one)),
    ),
  };
  return {
    ids: now,
    named: now.slice(0, MAX_NAMED).map(nameOf),
    count: now.length,
    otherIds: others,
    lowest: open ? lower(open.lowest, balance) : balance,
    running: groups.running,
    gone: groups.gone,
    other: groups.other,
  };
}

/** Whether there is enough for a day of it. */
function pays(balance: string, perDay: string | undefined): boolean {
  const [amount, cost] = [parseAmount(balance) ?? ZERO, parseAmount(perDay) ?? ZERO];
  return compare(amount, ZERO) > 0 && compare(amount, cost) >= 0;
}

/** As it was called when it was last seen, where that is known; else empty. */
function nameBefore(last: Before | undefined, id: string): string {
  const known = [...(last?.outage?.named ?? []), ...(last?.paused ?? []), ...(last?.running ?? [])];
  return known.find((one) => one.id === id)?.name ?? '';
}

function lower(one: string, other: string): string {
  return isMore(one, other) ? other : one;
}

/** Whether a decimal is more than another; of what is none, nothing is. */
export function isMore(one: string, than: string): boolean {
  const [mine, theirs] = [parseAmount(one), parseAmount(than)];
  return mine !== undefined && theirs !== undefined && compare(mine, theirs) > 0;
}
