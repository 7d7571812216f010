import { compare, parseAmount } from '../../../core/money/amount.ts';
import type { Instance } from '../../../platform/hosting/service.ts';
import { asError } from '../../../platform/log/log.ts';
import { HOUR_MS } from '../../../platform/time/duration.ts';
import type { BalanceRead } from '../alerts/balance-read.ts';
import { readIn } from '../alerts/seen.ts';
import { type Day, dayAt, type NamedDay, type Seen, seenIn, startOf } from './day.ts';
import type { Billing } from '../billing.ts';

/** Notes what a look at the account has read in the day's record. */
export function createNoteLook({
  days,
  calendar,
  log,
}: Pick<Billing, 'days' | 'calendar' | 'log'>): Billing['noteLook'] {
  return async (read) => {
    try {
      const now = await calendar.today();
      const day = dayAt(now);
      const balance = readIn(read);
      if (balance) await days.change(day, now, (record) => withBalance(record, balance, now));
      else if ('monthSoFar' in read) {
        const yesterday = dayAt(startOf(day) - 1);
        const [before] = await days.list(yesterday, yesterday);
        const soFar = read.monthSoFar;
        await days.change(day, now, (record) => withMonth({ day, record }, soFar, before?.record, now));
      }
    } catch (error) {
      log.limited('noting a look in the ledger', asError(error));
    }
  };
}

/** The day with a look at balance and list; undefined where it tells nothing that is worth a write. Pure. */
export function withBalance(record: Day, { balance, list }: BalanceRead, now: number): Day | undefined {
  const reading = { amount: balance, at: now };
  const before = record.balance;
  const seen = list ? withList(record.seen, list, hourOf(now)) : record.seen;
  const isNewHour = !before || hourOf(before.last.at) !== hourOf(now);
  if (seen === record.seen && !isNewHour) return undefined;
  return {
    ...record,
    balance: { first: before?.first ?? reading, last: reading },
    ...(seen ? { seen } : {}),
  };
}

/**
 * The day with what the month has cost so far; `before` is the day before it. Undefined where an amount of the same hour is there, or
 * where this may be last month's, which services close some hours late: on the first day it counts once it was seen to fall. Pure.
 */
export function withMonth(
  { day, record }: NamedDay,
  soFar: string,
  before: Day | undefined,
  now: number,
): Day | undefined {
  if (record.month && hourOf(record.month.at) === hourOf(now)) return undefined;
  const [amount, lastMonths] = [parseAmount(soFar), parseAmount(before?.month?.amount)];
  if (!amount) return undefined;
  const isFirst = day.endsWith('-01') && !record.month;
  if (isFirst && (!lastMonths || compare(amount, lastMonths) >= 0)) return undefined;
  return { ...record, month: { amount: soFar, at: now } };
}

/** The same where nothing is new. */
function withList(
  before: Seen | undefined,
  { instances, isWhole }: NonNullable<BalanceRead['list']>,
  hour: number,
): Seen | undefined {
  const known = new Map(seenIn(before).map((one) => [one.id, one]));
  let isNew = false;
  for (const { id, name, tier = '', status } of instances) {
    const was = known.get(id);
    const ran = (was?.ran ?? 0) | (runs(status) ? 1 << hour : 0);
    if (was?.tier === tier && was.name === name && was.ran === ran) continue;
    known.set(id, { id, tier, name, ran });
    isNew = true;
  }
  const hours = (before?.hours ?? 0) | (isWhole ? 1 << hour : 0);
  if (!isNew && hours === before?.hours) return before;
  const grouped = new Map<string, [string, string, number][]>();
  for (const { id, tier, name, ran } of known.values())
    grouped.set(tier, [...(grouped.get(tier) ?? []), [id, name, ran]]);
  return { hours, instances: Object.fromEntries(grouped) };
}

function runs(status: Instance['status']): boolean {
  return status === 'running' || status === 'restarting';
}

/** The UTC hour of a moment. */
function hourOf(at: number): number {
  return Math.floor(at / HOUR_MS) % 24;
}
