import { z } from 'zod';
import type { OneKind, OneRecord } from '../../../core/records/one-record.ts';
import { type Amount, parseAmount, toDecimal } from '../../../core/money/amount.ts';
import { DAY_MS } from '../../../platform/time/duration.ts';
import { key } from '../../../platform/redis/key.ts';
import type { Proposal } from './find.ts';

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
export function savedOnOf({ savedOn }: Proposed): readonly Amount[] {
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
