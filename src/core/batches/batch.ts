import { z } from 'zod';
import { isAskerMentioned } from '../operations/message-order.ts';
import { type Operation, ownerOf } from '../operations/operation.ts';
import { actorSchema, placeSchema } from '../../platform/slack/ids.ts';
import { type Phrase, phraseSchema } from '../../platform/slack/phrase.ts';

/**
 * Several instances that one person asked for together, as they are written down. The batch decides when each operation is
 * begun and speaks for all; what is promised of an operation holds for each of them. All times are Redis' clock, Unix ms.
 * See docs/decisions/0030-a-batch-begins-operations.md.
 */

/** An instance as it was shown to the person who confirmed. */
export const shownSchema = z.object({
  id: z.string(),
  name: z.string(),
  createdAt: z.string().optional(),
  status: z.string(),
  health: z.string().optional(),
});
export type Shown = z.infer<typeof shownSchema>;

const itemSchema = z.object({
  operationId: z.string(),
  subject: shownSchema,
  /** The rule that allowed it when it was confirmed, in words. */
  rule: z.string(),
  /** waiting: not begun · begun: its operation is written down, or about to be · ended: it has an outcome · left: never begun. */
  state: z.enum(['waiting', 'begun', 'ended', 'left']),
  result: z.enum(['done', 'asked', 'failed', 'unknown', 'canceled']).optional(),
  /** Set where the service failed it: an end that only nobody saw, as after a crash of the bot, says nothing of the others. */
  isFault: z.literal(true).optional(),
  /** Why it was left, as a sentence. */
  why: phraseSchema.optional(),
  /** Others who want to hear of its end. */
  followers: z.array(z.string()).optional(),
});
export type Item = z.infer<typeof itemSchema>;

const askedLater = z.object({ by: z.string(), at: z.number() }).optional();

export const batchSchema = z.object({
  id: z.string(),
  /** The kind of its operations. */
  kind: z.string(),
  actor: actorSchema,
  /** Who hears of its end in place of who asked for it, since it was handed over. */
  owner: z.string().optional(),
  place: placeSchema,
  because: z.string().optional(),
  /** Why an admin goes on in spite of a freeze. */
  override: z.string().optional(),
  /** What its card says besides. */
  remarks: z.array(phraseSchema).optional(),
  /** When its person said yes; what was done since was not what they were shown. Without it, as it was requested. */
  askedAt: z.number().optional(),
  requestedAt: z.number(),
  /** Nobody looked on when it was begun, as by a schedule. */
  isUnattended: z.literal(true).optional(),
  /** So many run at the same time at most. */
  atOnce: z.number(),
  items: z.array(itemSchema),
  /** Whether its lines stand on its board. */
  isAnnounced: z.boolean(),
  /** Where its card stands. */
  card: z.object({ channelId: z.string(), ts: z.string() }).optional(),
  /** Nothing more is begun. `by`: who pressed the button. */
  stopped: z
    .object({
      why: z.enum(['person', 'failures', 'not-shown', 'stood-still']),
      by: z.string().optional(),
      at: z.number(),
    })
    .optional(),
  endedAt: z.number().optional(),
  /** Who asked for the failed ones again. */
  retried: askedLater,
  /** Who went on with those that were not begun. */
  continued: askedLater,
  /** Who last asked to start again what it stopped. */
  startedAgain: askedLater,
  closedAt: z.number().optional(),
  /** When another process is to go on with it, if this one doesn't. */
  nextAt: z.number(),
});
export type Batch = z.infer<typeof batchSchema>;

/** How many instances one batch takes. */
export const MAX_ITEMS = 500;
/** How many run at the same time, where nothing is said, and at most. */
export const AT_ONCE = 5;
export const MAX_AT_ONCE = 50;
/** After so many failures, no more are started. */
export const MAX_FAILURES = 3;

/** One that nobody has taken up for so long is not gone on with: its person has gone on. */
export const STOOD_STILL_MS = 300_000;

export type NewBatch = Pick<
  Batch,
  | 'id'
  | 'kind'
  | 'actor'
  | 'place'
  | 'because'
  | 'override'
  | 'remarks'
  | 'isUnattended'
  | 'askedAt'
  | 'atOnce'
> & {
  readonly items: readonly Pick<Item, 'operationId' | 'subject' | 'rule'>[];
};

export function newBatch({ items, ...begin }: NewBatch, now: number): Batch {
  return {
    ...begin,
    requestedAt: now,
    items: items.map((item) => ({ ...item, state: 'waiting' })),
    isAnnounced: false,
    nextAt: now,
  };
}

/** Those of a batch in this state. */
export function itemsIn({ items }: Batch, state: Item['state']): readonly Item[] {
  return items.filter((item) => item.state === state);
}

/** Those whose operation ended like this. */
export function endedAs({ items }: Batch, result: NonNullable<Item['result']>): readonly Item[] {
  return items.filter((item) => item.result === result);
}

/** Whether enough has failed that nothing more should be begun. */
export function isFailing(batch: Batch): boolean {
  const isMore = itemsIn(batch, 'waiting').length > 0;
  return (
    batch.stopped === undefined &&
    isMore &&
    batch.items.filter(({ isFault }) => isFault).length >= MAX_FAILURES
  );
}

/** Its lines stand on its board. */
export function announced(batch: Batch): Batch | undefined {
  return batch.isAnnounced ? undefined : { ...batch, isAnnounced: true };
}

/** Its card stands in Slack, so that its operations may begin. */
export function shown(batch: Batch, card: NonNullable<Batch['card']>): Batch | undefined {
  return batch.card ? undefined : { ...batch, card };
}

/** The next ones are about to be begun, as many as may run besides those that do. */
export function nextBegun(batch: Batch): Batch | undefined {
  if (batch.stopped || !batch.card) return undefined;
  const room = batch.atOnce - itemsIn(batch, 'begun').length;
  const next = new Set(itemsIn(batch, 'waiting').slice(0, Math.max(0, room)));
  if (next.size === 0) return undefined;
  return {
    ...batch,
    items: batch.items.map((item) => (next.has(item) ? { ...item, state: 'begun' } : item)),
  };
}

/** These operations have ended. */
export function withEnds(batch: Batch, operations: readonly Operation[]): Batch | undefined {
  const byId = new Map(operations.filter(({ outcome }) => outcome).map((one) => [one.id, one]));
  const isNew = ({ operationId, state }: Item): boolean => state === 'begun' && byId.has(operationId);
  if (!batch.items.some(isNew)) return undefined;
  const items = batch.items.map((item): Item => {
    const operation = isNew(item) ? byId.get(item.operationId) : undefined;
    if (!operation?.outcome) return item;
    const { followers, execution } = operation;
    const { result } = operation.outcome;
    const isFault = result === 'failed' || (result === 'unknown' && execution.answerStatus !== undefined);
    return {
      ...item,
      state: 'ended',
      result,
      ...(isFault ? { isFault } : {}),
      ...(followers.length > 0 ? { followers } : {}),
    };
  });
  return { ...batch, items };
}

/** One that could not be begun. */
export function leftOut(batch: Batch, operationId: string, why: Phrase | undefined): Batch | undefined {
  const isIt = (item: Item): boolean => item.operationId === operationId && item.state === 'begun';
  if (!batch.items.some(isIt)) return undefined;
  const left = { state: 'left' as const, ...(why ? { why: [...why] } : {}) };
  return { ...batch, items: batch.items.map((item) => (isIt(item) ? { ...item, ...left } : item)) };
}

/** Nothing more is begun from now on. */
export function stopped(batch: Batch, how: NonNullable<Batch['stopped']>): Batch | undefined {
  if (batch.stopped || itemsIn(batch, 'waiting').length + itemsIn(batch, 'begun').length === 0)
    return undefined;
  const items = batch.items.map((item): Item =>
    item.state === 'waiting' ? { ...item, state: 'left' } : item,
  );
  return { ...batch, items, stopped: how };
}

/**
 * It is taken up at `now`, and by another process at `nextAt` if this one is gone by then; undefined where it is closed. One that
 * stood still for too long is stopped. Pure.
 */
export function takenUp(batch: Batch, now: number, nextAt: number): Batch | undefined {
  if (batch.closedAt !== undefined) return undefined;
  const isLate = now - batch.nextAt > STOOD_STILL_MS;
  const left = isLate ? stopped(batch, { why: 'stood-still', at: now }) : undefined;
  return { ...(left ?? batch), nextAt };
}

/** Everything in it has ended or was left. */
export function ended(batch: Batch, now: number): Batch | undefined {
  const isOpen = batch.items.some(({ state }) => state === 'waiting' || state === 'begun');
  return isOpen || batch.endedAt !== undefined ? undefined : { ...batch, endedAt: now };
}

/** Its end was reported. */
export function closed(batch: Batch, now: number): Batch | undefined {
  return batch.endedAt === undefined || batch.closedAt !== undefined
    ? undefined
    : { ...batch, closedAt: now };
}

/**
 * What can be asked for once a batch has ended. retry: its failed ones once more · rest: those that were not begun · again:
 * to start what it stopped. The first two can be asked for once.
 */
export const FOLLOW_UPS = ['retry', 'rest', 'again'] as const;
export type FollowUp = (typeof FOLLOW_UPS)[number];

const ASKED_AS = { retry: 'retried', rest: 'continued', again: 'startedAgain' } as const;

/** Who asked for it after this batch, and when. */
export function askedFor(batch: Batch, what: FollowUp): Batch['retried'] {
  return batch[ASKED_AS[what]];
}

/** It was asked for. */
export function followed(batch: Batch, what: FollowUp, by: string, at: number): Batch | undefined {
  if (what !== 'again' && askedFor(batch, what)) return undefined;
  return { ...batch, [ASKED_AS[what]]: { by, at } };
}

/** The instances that each can be asked for. */
export function leftFor(batch: Batch, what: FollowUp): readonly Shown[] {
  const items = {
    retry: () => endedAs(batch, 'failed'),
    rest: () => [...itemsIn(batch, 'left'), ...endedAs(batch, 'canceled')],
    again: () => endedAs(batch, 'done'),
  }[what]();
  return items.map(({ subject }) => subject);
}

/** The batch that is `to`'s from now on; undefined where it has ended or isn't `from`'s. Pure. */
export function passedOn(batch: Batch, from: string, to: string): Batch | undefined {
  const isOpen = batch.endedAt === undefined && batch.closedAt === undefined;
  return isOpen && ownerOf(batch) === from ? { ...batch, owner: to } : undefined;
}

/** The people whom the end concerns: whose it is, then who follows. */
export function audienceOf(batch: Batch): readonly string[] {
  return [...new Set([ownerOf(batch), ...followersOf(batch)])];
}

function followersOf({ items }: Batch): readonly string[] {
  return [...new Set(items.flatMap(({ followers = [] }) => followers))];
}

/** Who is mentioned at the end of a batch: who asked where that is needed, and who follows. Pure. */
export function mentionedAtEndOf(batch: Batch, mentionAfterMs: number): readonly string[] {
  const { owner, requestedAt, endedAt, isUnattended = owner !== undefined } = batch;
  if (endedAt === undefined) return audienceOf(batch);
  const isStoppedByOwner = batch.stopped?.by === ownerOf(batch);
  const isAsWanted = batch.items.every(
    ({ result }) => result === 'done' || (isStoppedByOwner && (result ?? 'canceled') === 'canceled'),
  );
  const end = { requestedAt, endedAt, isAsWanted, isUnattended };
  return isAskerMentioned(end, mentionAfterMs) ? audienceOf(batch) : followersOf(batch);
}
