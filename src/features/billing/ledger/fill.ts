import { type Commit, together } from '../../../core/records/commit.ts';
import { Refusal } from '../../../core/refusal.ts';
import { type Job, jobByCalendar } from '../../../core/records/job.ts';
import { HostingError } from '../../../platform/hosting/hosting-error.ts';
import type { Transaction } from '../../../platform/hosting/service.ts';
import { newId } from '../../../platform/id.ts';
import { MINUTE_MS } from '../../../platform/time/duration.ts';
import { afterFault, isRateLimited, type Billing } from '../billing.ts';
import { TRANSACTIONS_NOT_OFFERED } from '../balance/offered.ts';
import { isPlaceGone, readOn } from '../transactions/walk.ts';
import { closed, nothingBooked, withLate, withTransactions } from './booked.ts';
import type { Day } from './day.ts';
import { type AtEnd, partsAtEnd } from './at-end.ts';
import {
  begun,
  type ByDay,
  ended,
  type Filling,
  isAnew,
  isAt,
  LEDGER,
  nextDayAt,
  type Reading,
  toClose,
  withNextPage,
} from './filling.ts';

/** So many days are closed together. */
const MAX_CLOSED = 25;
/** Names of instances may be so old. */
const NAMES_FRESH_MS = 5 * MINUTE_MS;

type Step = (record: Filling, now: number) => Promise<void>;

/** What fills the ledger, by `step`. Without looks at the account there is none. */
export function ledgerJob({ filling, calendar, timings: { billingCheckEveryMs } }: Billing, step: Step): Job {
  const dueAt = Number.isFinite(billingCheckEveryMs) ? LEDGER.dueAt : () => Number.POSITIVE_INFINITY;
  return jobByCalendar({ ...LEDGER, dueAt }, filling, calendar, step);
}

/**
 * Once a day it reads what the service has charged: the days that are over since, and the last few once more. The first time it reads
 * all that the ledger keeps. What was read is written down with how far it has come, so that nothing is lost or counted twice.
 * `atEnd`: each is asked again where its part was moved meanwhile.
 */
export function createFill(deps: Billing, atEnd: readonly AtEnd[]): Step {
  const { filling, hosting, log } = deps;
  const [move, fail] = [createMove(deps), createFail(deps)];

  const close = async (reading: Reading, these: readonly string[], now: number): Promise<void> => {
    const { instances } = await hosting.listInstances({ freshMs: NAMES_FRESH_MS, priority: 'bulk' });
    const names = new Map(instances.map(({ id, name }) => [id, name]));
    const { run } = reading;
    await move(
      reading,
      (record) => ({ ...record, reading: { ...reading, closed: these.at(-1) ?? reading.closed } }),
      these.map((day) => ({
        day,
        step: (record) => closed(record, { run, isAnew: isAnew(reading, day), names, asOf: now }),
      })),
      now,
    );
  };

  const read = async (reading: Reading, now: number): Promise<void> => {
    const taken: ByDay = new Map();
    const { progress, fault } = await readOn(hosting, reading, (so, page) => withNextPage(so, page, taken));
    if (progress.page > reading.page) {
      const isMoved = await move(
        reading,
        (before) => {
          const { isNotOffered: _, ...record } = before;
          return { ...record, failures: 0, reading: progress };
        },
        [...taken].map(([day, these]) => ({
          day,
          step: (record) => withThese(record, reading, day, these, now),
        })),
        now,
      );
      if (!isMoved) return;
    }
    if (fault !== undefined) await fail(progress, fault, now);
  };

  const end = async (reading: Reading, now: number): Promise<void> => {
    await filling.change(
      (record) => (isAt(record, reading) ? ended(record, reading, now) : undefined),
      async () => together<'moved'>(...(await partsAtEnd(atEnd, now, log))),
    );
  };

  return async ({ reading }, now) => {
    if (!reading) {
      const run = newId();
      await filling.change((is) => (is.reading ? undefined : { ...is, reading: begun(is, run, now) }));
      return;
    }
    const these = toClose(reading, MAX_CLOSED);
    try {
      if (these.length > 0) await close(reading, these, now);
      else if (reading.end === undefined) await read(reading, now);
      else await end(reading, now);
    } catch (fault) {
      if (!(fault instanceof HostingError)) throw fault;
      await fail(reading, fault, now);
    }
  };
}

interface DayStep {
  readonly day: string;
  readonly step: (record: Day) => Day | undefined;
}

/** Moves the reading on together with days; false where another process has meanwhile. */
function createMove({ days, filling }: Billing) {
  return async (
    from: Reading,
    to: (record: Filling) => Filling,
    beside: readonly DayStep[],
    now: number,
  ): Promise<boolean> => {
    const moved = await filling.change(
      (record) => (isAt(record, from) ? to(record) : undefined),
      async (): Promise<Commit<'moved'>> => {
        const parts = await Promise.all(beside.map(({ day, step }) => days.moving(day, now, step)));
        return together<'moved'>(...parts.filter((part) => part !== undefined));
      },
    );
    return moved !== undefined;
  };
}

/** It is tried again after a growing pause; from the start where the service doesn't know the place any more. */
function createFail({ filling, timings, log }: Billing) {
  return async (reading: Reading, fault: unknown, now: number): Promise<void> => {
    const isNotOffered = fault instanceof Refusal && fault.code === TRANSACTIONS_NOT_OFFERED;
    if (!isNotOffered && !isRateLimited(fault)) log.warn({ error: fault }, 'filling the ledger');
    await filling.change(({ reading: before, ...record }) => {
      if (isNotOffered) return { ...record, isNotOffered, failures: 0, dueAt: nextDayAt(now) };
      return {
        ...record,
        ...afterFault(record.failures, fault, now, timings),
        ...(before && !isPlaceGone(reading, fault) ? { reading: before } : {}),
      };
    });
  };
}

/** A day with these transactions more: in its draft, or where it is closed as late ones. */
function withThese(
  record: Day,
  reading: Reading,
  day: string,
  these: readonly Transaction[],
  now: number,
): Day | undefined {
  const { booked, draft } = record;
  const { run } = reading;
  if (booked && (booked.run === run || !isAnew(reading, day))) {
    const next = withLate(booked, these, now);
    return next && { ...record, booked: next };
  }
  const before = draft?.run === run ? draft : nothingBooked(run, now);
  return { ...record, draft: withTransactions(before, these, now) };
}
