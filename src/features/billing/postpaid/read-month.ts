import { together } from '../../../core/records/commit.ts';
import { Refusal } from '../../../core/refusal.ts';
import { asUnread, HostingError } from '../../../platform/hosting/hosting-error.ts';
import { isNotOffered } from '../../../platform/hosting/offered.ts';
import type { HostingService, ReadOptions } from '../../../platform/hosting/service.ts';
import { HOUR_MS, MINUTE_MS } from '../../../platform/time/duration.ts';
import { afterFault, type Billing } from '../billing.ts';
import { chargesOf } from '../ledger/charges.ts';
import { type Charges, type Day, dayAt, startOf } from '../ledger/day.ts';
import { type AtEnd, partsAtEnd } from '../ledger/at-end.ts';
import type { Filling } from '../ledger/filling.ts';
import { withMonth } from '../ledger/note-look.ts';
import { readSpending } from './watched-month.ts';

/** The last reading of a day counts for it, so that one comes shortly before each day ends. */
const BEFORE_HOUR_MS = 5 * MINUTE_MS;
/** What is known of instances may be so old. */
const INSTANCES_FRESH_MS = 5 * MINUTE_MS;

/** What this month has cost so far, by what the service lists. Throws like readSpending. `now`: Unix ms. */
export async function readCharges(
  hosting: HostingService,
  now: number,
  options?: ReadOptions,
): Promise<Charges | undefined> {
  const [{ monthSoFar }, charges, list] = await Promise.all([
    readSpending(hosting, options),
    hosting.listCharges(options).then(
      (read) => read.charges,
      (error: unknown) => {
        if (isNotOffered(error)) return [];
        throw error;
      },
    ),
    // Without it, labels and tiers are missing.
    hosting.listInstances({ freshMs: INSTANCES_FRESH_MS, ...options }).catch(asUnread),
  ]);
  return chargesOf(monthSoFar, charges, now, list?.instances);
}

/**
 * Once an hour it reads what the month has cost so far, and by what, and writes that to the day: what is paid afterwards has no list of
 * what each day has cost.
 */
export function createReadMonth(
  deps: Billing,
  atEnd: readonly AtEnd[],
): (record: Filling, now: number) => Promise<void> {
  const { filling, hosting, timings, log } = deps;
  return async (_record, now) => {
    try {
      const charges = await readCharges(hosting, now, { priority: 'bulk' });
      if (charges) await write(deps, atEnd, charges, now);
    } catch (error) {
      if (!(error instanceof HostingError || error instanceof Refusal)) throw error;
      log.warn({ error }, 'reading what the month has cost');
      await filling.change((record) => ({
        ...record,
        ...afterFault(record.failures, error, now, timings),
      }));
    }
  };
}

async function write(
  { filling, days, log }: Billing,
  atEnd: readonly AtEnd[],
  charges: Charges,
  now: number,
): Promise<void> {
  const day = dayAt(now);
  const yesterday = dayAt(startOf(day) - 1);
  const [before] = await days.list(yesterday, yesterday);
  await filling.change(
    (record) => ({ ...record, failures: 0, dueAt: nextAt(now) }),
    async () => {
      const [own, parts] = await Promise.all([
        days.moving(day, now, (record) => withCharges({ day, record }, charges, before?.record, now)),
        partsAtEnd(atEnd, now, log),
      ]);
      return together<'moved'>(...(own ? [own] : []), ...parts);
    },
  );
}

/**
 * The day with this reading; undefined where it may still be last month's. `before`: the day before it. Pure.
 */
function withCharges(
  { day, record }: { readonly day: string; readonly record: Day },
  charges: Charges,
  before: Day | undefined,
  now: number,
): Day | undefined {
  const next = withMonth({ day, record }, charges.total, before, now) ?? record;
  return next.month ? { ...next, charges } : undefined;
}

/** When it is read again, Unix ms. */
function nextAt(now: number): number {
  return (Math.floor((now + BEFORE_HOUR_MS) / HOUR_MS) + 1) * HOUR_MS - BEFORE_HOUR_MS;
}
