import { type Amount, multiply, subtract, sum, parseAmount, toDecimal } from '../../../core/money/amount.ts';
import type { Schedule } from '../../../core/schedules/schedule-record.ts';
import { DAY_MS } from '../../../platform/time/duration.ts';
import { costsByDay } from '../ledger/daily-costs.ts';
import { dayAt, type NamedDay, startOf } from '../ledger/day.ts';
import { savedOver, TO_HOUR, type Proposal } from './find.ts';
import { z } from 'zod';
import type { OneKind, OneRecord } from '../../../core/records/one-record.ts';
import { key } from '../../../platform/redis/key.ts';

/** One proposal a week at most. */
const WEEK_MS = 7 * DAY_MS;
/** So long nobody is asked again about the same instances. */
const REFUSED_MS = 90 * DAY_MS;

const namedSchema = z.object({ id: z.string(), name: z.string() });

/** A proposal as it was posted. Amounts are exact decimals. */
const proposedSchema = z.object({
  /** That of its message as well. */
  id: z.string(),
  at: z.number(),
  name: z.string(),
  instances: z.array(namedSchema).min(1),
  savedOn: z.array(z.string()).length(7),
  perMonth: z.string(),
  isAtLeast: z.boolean(),
  costPerMonth: z.string(),
  zone: z.string(),
  /** It was tried, and what came of that was told. */
  isTried: z.literal(true).optional(),
});
export type Proposed = z.infer<typeof proposedSchema>;

/** What was proposed, tried and turned down. Times are the calendar's, Unix ms; days as in "2026-10-03". */
const proposalsSchema = z.object({
  /** Nobody wants any until somebody asks for them again. */
  off: z.object({ by: z.string(), at: z.number() }).optional(),
  /** When the last one was posted. */
  lastAt: z.number().optional(),
  /** The last one, until somebody answers it. */
  proposed: proposedSchema.optional(),
  /** The week for which it is tried: whole days, both included. */
  trial: z.object({ scheduleId: z.string(), from: z.string(), to: z.string() }).optional(),
  refused: z.array(z.object({ ids: z.array(z.string()), until: z.number() })),
});
export type Proposals = z.infer<typeof proposalsSchema>;
export type ProposalStore = OneRecord<Proposals>;

/** What was proposed to be stopped at night, tried and turned down. */
export const PROPOSALS: OneKind<Proposals> = {
  key: key('proposals'),
  schema: proposalsSchema,
  none: { refused: [] },
};

/** A proposal as it is written down. Pure. */
export function proposedOf(proposal: Proposal, id: string, zone: string, at: number): Proposed {
  return {
    id,
    at,
    zone,
    name: proposal.name,
    instances: [...proposal.instances],
    savedOn: proposal.savedOn.map(toDecimal),
    perMonth: toDecimal(proposal.perMonth),
    isAtLeast: proposal.isAtLeast,
    costPerMonth: toDecimal(proposal.costPerMonth),
  };
}

/** What it saves on each UTC day of the week. Pure. */
function savedOnOf({ savedOn }: Proposed): readonly Amount[] {
  return savedOn.flatMap((one) => parseAmount(one) ?? []);
}

/**
 * The record with a proposal that was just posted; undefined where one was in the same week, or nobody wants any. The one before it,
 * which nobody answered, is not made again for now. Pure.
 */
export function withProposed(record: Proposals, proposed: Proposed): Proposals | undefined {
  if (!mayPropose(record, proposed.at)) return undefined;
  const before = record.proposed;
  const rest = (before && withRefused(record, before.id, proposed.at)) ?? record;
  return { ...rest, proposed, lastAt: proposed.at };
}

/** Whether one may be posted now. Pure. */
export function mayPropose({ off, trial, lastAt }: Proposals, now: number): boolean {
  return !off && !trial && (lastAt === undefined || now - lastAt >= WEEK_MS);
}

/** The record in which nobody wants these again for now; undefined where it is not the one that stands. Pure. */
export function withRefused(record: Proposals, id: string, now: number): Proposals | undefined {
  const { proposed, trial: _, ...rest } = record;
  if (proposed?.id !== id) return undefined;
  const ids = proposed.instances.map((one) => one.id);
  const still = record.refused.filter(({ until }) => until > now);
  return { ...rest, refused: [...still, { ids, until: now + REFUSED_MS }] };
}

/** The record once it is told what a trial has brought: whatever is done with that, it is not proposed again for now. Pure. */
export function withTold(record: Proposals, id: string, now: number): Proposals | undefined {
  const { proposed } = record;
  const after = record.trial && withRefused(record, id, now);
  return after && proposed && { ...after, proposed: { ...proposed, isTried: true } };
}

/** The record without any proposals to come; undefined where they are off. Pure. */
export function switchedOff(record: Proposals, by: string, now: number): Proposals | undefined {
  const { proposed: _, ...rest } = record;
  return record.off
    ? undefined
    : { ...rest, ...(record.trial ? { proposed: record.proposed } : {}), off: { by, at: now } };
}

/** The record with proposals again; undefined where they are on. Pure. */
export function switchedOn(record: Proposals): Proposals | undefined {
  const { off, ...rest } = record;
  return off && rest;
}

/** Ids that nobody is to be asked about now: those that were turned down, and those of the last proposal. Pure. */
export function refusedIds({ refused, proposed }: Proposals, now: number): ReadonlySet<string> {
  const last = proposed?.instances.map(({ id }) => id) ?? [];
  return new Set([...last, ...refused.flatMap(({ ids, until }) => (until > now ? ids : []))]);
}

/** Whole weeks that it is compared with, so that each day has its like. */
const WEEKS_BEFORE = 2;
const WEEK_DAYS = 7;
const HALF: Amount = { units: 5n, scale: 1 };

/** What a trial has brought: what was promised for its days, and what they have cost less. */
export interface Brought {
  readonly promised: Amount;
  readonly measured: Amount;
  /** What the same days cost before. */
  readonly before: Amount;
  readonly days: number;
}

/**
 * The schedule by which a proposal is tried: with an end, over night, of exactly its instances. After its trial,
 * that is one which somebody keeps. Pure.
 */
export function trialOf(
  { instances, isTried }: Proposed,
  schedules: readonly Schedule[],
): Schedule | undefined {
  if (isTried) return undefined;
  const idsOf = (those: readonly { readonly id: string }[]): string =>
    JSON.stringify(those.map(({ id }) => id).toSorted());
  return schedules.find(
    ({ target, when }) =>
      isTrial(when) && 'instances' in target && idsOf(target.instances) === idsOf(instances),
  );
}

/** Whether it stops what it is about in the evening until it is over. */
function isTrial(when: Schedule['when']): boolean {
  if (when.kind !== 'weekly' || when.until === undefined) return false;
  return when.rules.some(({ verb, hour }) => verb === 'stop' && hour === TO_HOUR);
}

/** The record with a trial that runs from today on, whole days; a week where its schedule has no end. Pure. */
export function withTrial(record: Proposals, { id, when }: Schedule, now: number): Proposals | undefined {
  if (!record.proposed || record.trial) return undefined;
  const until = when.kind === 'weekly' ? when.until : undefined;
  const week = now + (WEEK_DAYS - 1) * DAY_MS;
  const lastAt = Math.min(until === undefined ? week : until - DAY_MS, week);
  if (dayAt(lastAt) < dayAt(now)) return undefined;
  return { ...record, trial: { scheduleId: id, from: dayAt(now), to: dayAt(lastAt) } };
}

/** The days that are needed to tell what came of a trial. Pure. */
export function daysNeeded({ from, to }: NonNullable<Proposals['trial']>): {
  readonly first: string;
  readonly last: string;
} {
  return { first: dayAt(startOf(from) - WEEKS_BEFORE * WEEK_DAYS * DAY_MS), last: to };
}

/**
 * What a trial has brought, by the same days of the two weeks before it; undefined where one of those wasn't read. `days`: those that are
 * needed, oldest first. Pure and exact.
 */
export function broughtBy(
  proposed: Proposed,
  { from, to }: NonNullable<Proposals['trial']>,
  days: readonly NamedDay[],
): Brought | undefined {
  const ids = new Set(proposed.instances.map(({ id }) => id));
  const costs = new Map(costsByDay(days, (id) => ids.has(id)).map(({ day, cost }) => [day, cost]));
  const tried = days.map(({ day }) => day).filter((day) => day >= from && day <= to);
  const costOf = (weeksAgo: number): Amount | undefined => {
    const those = tried.map((day) => costs.get(dayAt(startOf(day) - weeksAgo * WEEK_DAYS * DAY_MS)));
    const known = those.filter((cost) => cost !== undefined);
    return known.length === those.length ? sum(known) : undefined;
  };
  const [now, week, other] = [costOf(0), costOf(1), costOf(WEEKS_BEFORE)];
  if (!now || !week || !other || tried.length === 0) return undefined;
  const before = multiply(sum([week, other]), HALF);
  return {
    promised: savedOver(savedOnOf(proposed), tried),
    measured: subtract(before, now),
    before,
    days: tried.length,
  };
}
