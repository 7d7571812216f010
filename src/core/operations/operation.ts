import { z } from 'zod';
import { argsSchema } from '../ask/ask.ts';
import { outboxMessageSchema, newOutboxMessage } from '../outbox/outbox-message.ts';
import { actorSchema, placeSchema } from '../../platform/slack/ids.ts';
import { OUTCOME_CODES } from '../outcome-words.ts';
import { PAUSED_FOR, STATUSES } from '../../platform/hosting/instance.ts';
import { wayBackSchema } from './way-back.ts';

/**
 * One piece of work asked for in Slack, as it is written down. The record is the truth; jobs are only its
 * alarm clock, see docs/decisions/0001-the-record-is-the-truth.md. All times are Redis' clock, Unix ms.
 */

/** The state of the subject as a poll found it. */
const observedStateSchema = z.object({
  /** A status of an instance; an add-on is there or gone. */
  status: z.enum([...STATUSES, 'unknown', 'gone', 'present']),
  word: z.string(),
  health: z.string().optional(),
  /** Why it is paused, where it is and the service says so. */
  pausedFor: z.enum(PAUSED_FOR).optional(),
  /** Until when it runs, where it is canceled; as its service writes it. */
  endsAt: z.string().optional(),
  /** What became of the action that the service named when it accepted the call. */
  action: z.object({ state: z.enum(['running', 'done', 'failed']), said: z.string().optional() }).optional(),
  /** What the service's list of actions shows of a call whose answer was lost: its action, or certainly none. */
  begun: z.union([z.literal('none'), z.object({ actionId: z.string() })]).optional(),
  at: z.number(),
});
export type ObservedState = z.infer<typeof observedStateSchema>;

const effectSchema = z.object({
  /**
   * requested: not sent · sending: written down, the call may be leaving · unknown: the answer is lost ·
   * accepted: by the service · ended: there is an outcome.
   */
  state: z.enum(['requested', 'sending', 'unknown', 'accepted', 'ended']),
  sends: z.number(),
  sendId: z.string().optional(),
  sentAt: z.number().optional(),
  acceptedAt: z.number().optional(),
  /** What the service calls what it does now. */
  actionId: z.string().optional(),
  /** How the last call was answered that brought no success, where there was an HTTP answer: its status … */
  answerStatus: z.number().optional(),
  /** … and what it said; foreign text. */
  answerSaid: z.string().optional(),
  /** How often the call was put off or refused undone, so that each next pause is longer. */
  putOffs: z.number().optional(),
  nextAt: z.number(),
  polls: z.number(),
  failedPolls: z.number(),
  /** The service was down when it was asked last, and hasn't answered since. */
  isDown: z.literal(true).optional(),
  lastState: observedStateSchema.optional(),
  /** A poll found a status or health on the way between two settled ones: the action did something. */
  hasProgressed: z.boolean(),
  /** That status or health, in the service's word or ours. */
  progressWord: z.string().optional(),
  /** It takes longer than usual, and the card says so. */
  slow: z.boolean(),
});

/** A call of an operation that may have left, for who wants to see later what was asked and when. */
const callSchema = z.object({
  /** That of the execution when it left. */
  sendId: z.string(),
  method: z.string(),
  /** Its path without what was filled in. */
  route: z.string().optional(),
  at: z.number(),
  /** An HTTP status, or why there was none. */
  answer: z.string().optional(),
  answeredAt: z.number().optional(),
});

const outcomeSchema = z.object({
  /** asked: the service took it, and nothing shows whether it was done. */
  result: z.enum(['done', 'asked', 'failed', 'unknown', 'canceled']),
  /** Why; its words are made from it. */
  code: z.enum(OUTCOME_CODES),
  /** What the service itself said; foreign text. */
  said: z.string().optional(),
  at: z.number(),
});
export type Outcome = z.infer<typeof outcomeSchema>;

/** Whether an operation has ended without having done anything. */
export function isNotDone({ outcome }: Pick<Operation, 'outcome'>): boolean {
  return outcome?.result === 'failed' || outcome?.result === 'canceled';
}

/** Whether an end leaves something to do for whoever asked: it failed, or nobody knows whether it was done. */
export function isLeftOpen({ result }: Pick<Outcome, 'result'>): boolean {
  return result === 'failed' || result === 'unknown' || result === 'asked';
}

/** Private notices of one operation. `…At`: when Slack took it. */
const noticeSchema = z.object({
  begunAt: z.number().optional(),
  endedAt: z.number().optional(),
  tries: z.number(),
  nextAt: z.number(),
  /** Slack takes nothing more at that address. */
  isOver: z.boolean(),
});
export type Notice = z.infer<typeof noticeSchema>;

export const operationSchema = z.object({
  id: z.string(),
  kind: z.string(),
  subject: z.object({
    id: z.string(),
    name: z.string(),
    createdAt: z.string().optional(),
    status: z.string(),
    health: z.string().optional(),
  }),
  /** What was asked for besides the instance; the kind's own schema types it. */
  args: argsSchema.default({}),
  /** The part of the instance it is about, by name, where it is not about the whole: an add-on's type. */
  part: z.string().optional(),
  actor: actorSchema,
  /** Who hears of its end in place of who asked for it, since it was handed over. */
  owner: z.string().optional(),
  place: placeSchema,
  /** Where Slack takes a private answer for a while, for as long as no card stands. */
  responseUrl: z.string().optional(),
  because: z.string().optional(),
  /** Why an admin goes on in spite of a freeze. */
  override: z.string().optional(),
  /** Who approved it, where somebody had to. */
  approvedBy: z.string().optional(),
  /** The freezes from which an admin excepted it. */
  exceptFrom: z.array(z.object({ id: z.string(), by: z.string(), why: z.string() })).optional(),
  /** The ended operation whose card's button asked for this one: that card is still to say so. */
  usesButtonOf: z.string().optional(),
  /** What was begun by the button of its own card: of which kind, by whom and when. */
  next: z.object({ kind: z.string(), userId: z.string(), at: z.number() }).optional(),
  /** When it is turned around by itself, and what became of that. */
  wayBack: wayBackSchema.optional(),
  /** How long it can be canceled before anything is asked of the service … */
  cancelWindowMs: z.number().optional(),
  /** … which ends then: known once its card stands. */
  cancelWindowEndsAt: z.number().optional(),
  /** Set once a call was let out: it can't be canceled any more, even if the call comes back undone. */
  isCancelWindowOver: z.literal(true).optional(),
  /** Its place in the queue for the service's budget, and about how long until it has a call, as its card says. */
  queued: z.object({ since: z.number(), place: z.number(), waitMs: z.number() }).optional(),
  canceledBy: z.string().optional(),
  /** Others who want to hear of the end. */
  followers: z.array(z.string()),
  requestedAt: z.number(),
  /** When it was written down in place of its request. */
  begunAt: z.number().optional(),
  /** When its request was dequeued, where that waited for a call before there was an operation. */
  dequeuedAt: z.number().optional(),
  /** Median of past operations of this kind: of this instance, where enough are known, else of any. */
  usuallyMs: z.number().optional(),
  /** 95th percentile of the same. */
  longMs: z.number().optional(),
  execution: effectSchema,
  calls: z.array(callSchema).optional(),
  outcome: outcomeSchema.optional(),
  /** The batch that it belongs to, which begins it and tells its end; its board has the same id. */
  batchId: z.string().optional(),
  /** The board that shows it in place of a card of its own, and tells its end: `card` and `reply` follow what is there. */
  boardId: z.string().optional(),
  card: outboxMessageSchema,
  reply: outboxMessageSchema,
  /** What the asker read over `responseUrl` while no card stood. */
  notice: noticeSchema.optional(),
  /** It could not be brought to its end by its own kind, and is reported in the bot's own words. */
  deadLetteredAt: z.number().optional(),
  closedAt: z.number().optional(),
  /** It was closed before, and its card alone is edited once more. */
  isReopened: z.literal(true).optional(),
});
export type Operation = z.infer<typeof operationSchema>;

export type NewOperation = Pick<
  Operation,
  | 'id'
  | 'kind'
  | 'subject'
  | 'actor'
  | 'place'
  | 'because'
  | 'override'
  | 'requestedAt'
  | 'usuallyMs'
  | 'longMs'
> &
  Partial<
    Pick<
      Operation,
      | 'approvedBy'
      | 'exceptFrom'
      | 'args'
      | 'part'
      | 'cancelWindowMs'
      | 'wayBack'
      | 'responseUrl'
      | 'dequeuedAt'
      | 'usesButtonOf'
    >
  > & {
    /** The batch that begins it, and where that one's card stands. */
    readonly batch?: { readonly id: string; readonly channelId: string; readonly ts: string } | undefined;
  };

/** A new operation, before anything is asked of anybody. */
export function newOperation({ batch, ...begin }: NewOperation, now: number): Operation {
  const card = newOutboxMessage(`${begin.id}-card`, now);
  return {
    args: {},
    ...begin,
    begunAt: now,
    ...(batch ? { batchId: batch.id, boardId: batch.id } : {}),
    followers: [],
    execution: {
      state: 'requested',
      sends: 0,
      nextAt: now,
      polls: 0,
      failedPolls: 0,
      hasProgressed: false,
      slow: false,
    },
    // The card of a batch names each of its instances before any of them begins.
    card: batch ? { ...card, state: 'sent', channelId: batch.channelId, ts: batch.ts } : card,
    reply: newOutboxMessage(`${begin.id}-reply`, now),
  };
}

/** Whose it is: who asked for it, or to whom it was handed over. Pure. */
export function ownerOf({ actor, owner = actor.userId }: Pick<Operation, 'actor' | 'owner'>): string {
  return owner;
}

/** The operation that is `to`'s from now on; undefined where it has ended or isn't `from`'s. Pure. */
export function passedOn(operation: Operation, from: string, to: string): Operation | undefined {
  const isOpen = operation.outcome === undefined && operation.closedAt === undefined;
  return isOpen && ownerOf(operation) === from ? { ...operation, owner: to } : undefined;
}

/** The people whom the end concerns: whose it is, then who follows. */
export function audience(operation: Operation): readonly string[] {
  return [...new Set([ownerOf(operation), ...operation.followers])];
}

/** One reply mentions them all, within what Slack takes. */
const MAX_FOLLOWERS = 50;

/** `userId` is mentioned at the end as well; undefined where it has ended, or too many are mentioned already. */
export function followed(operation: Operation, userId: string): Operation | undefined {
  const followers = [...new Set([...operation.followers, userId])];
  return operation.outcome || followers.length > MAX_FOLLOWERS ? undefined : { ...operation, followers };
}

/** What only one operation at a time may be about: an instance, or a part of it. */
export function lockOf(subjectId: string, part?: string): string {
  const id = encodeURIComponent(subjectId);
  return part === undefined ? id : `${id}/${encodeURIComponent(part)}`;
}
