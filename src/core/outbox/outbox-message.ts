import { z } from 'zod';
import type { SlackError } from '../../platform/slack/errors.ts';
import { type Form, FORMS } from '../../platform/slack/forms.ts';
import type { Posted } from '../../platform/slack/messenger.ts';
import type { Timings } from '../timings.ts';
import type { Turn } from './lanes.ts';
import { isPutOffTooLong, type Lookup, lookupSchema } from './history-lookup.ts';
import { type Fault, pauseAfterTries } from './pause.ts';

/**
 * One message on its way to Slack, as pure functions over its record: written down before it leaves, looked up where the
 * answer was lost, edited until it shows its last content, see
 * docs/decisions/0004-write-down-before-sending.md. Times are Redis' clock, Unix ms.
 */
export const outboxMessageSchema = z.object({
  state: z.enum(['waiting', 'posting', 'sent', 'dead-lettered']),
  /** The opaque mark by which it can be found in the history. */
  key: z.string(),
  nextAt: z.number(),
  tries: z.number(),
  postingAt: z.number().optional(),
  channelId: z.string().optional(),
  ts: z.string().optional(),
  /** Hash of what it shows. */
  shown: z.string().optional(),
  /** An edit was written down then and its end is not known: the process that sends it may be gone, or only late. */
  editingAt: z.number().optional(),
  /** An edit whose answer was lost may still land after a later one: the last content is sent once more then. */
  repeatAt: z.number().optional(),
  /**
   * A post went out again then, since a lookup had not found it: the process that slept in the middle of the first may wake and
   * send it after all, so it is looked for once more and taken away.
   */
  repostedAt: z.number().optional(),
  /** Set where it could not be posted to where it was to go: the channel, mostly direct messages, that serves instead … */
  fallback: z.string().optional(),
  /** … and how many of those who get it in its place were passed over or tried. */
  passedOver: z.number().optional(),
  /** Slack's code for why the last try failed; gone once it stands, or is given up although it may stand. */
  fault: z.string().optional(),
  /** The form in which it goes out, set where Slack has refused a richer one there. */
  form: z.enum(FORMS).optional(),
  /** Its place among the messages that go the same way, while it waits for its turn. */
  lanePlace: z.number().optional(),
  /** An edit that shows progress gives way to others until then, and has done so since. */
  yieldsUntil: z.number().optional(),
  yieldsSince: z.number().optional(),
  /** How far the lookup has come that is under way. */
  lookup: lookupSchema.optional(),
  /** How often it went out again because it could not be looked up. */
  uncheckedPosts: z.number().optional(),
});
export type OutboxMessage = z.infer<typeof outboxMessageSchema>;

/** The moment of a move: now, since when the message has been wanted, and the bot's waits. */
export interface Moment {
  readonly now: number;
  readonly since: number;
  readonly timings: Timings;
}

/** What changes an outbox message; undefined where it does not apply. */
export type Move = (message: OutboxMessage) => OutboxMessage | undefined;

/** When a post or an edit was written down, Unix ms. */
export type At = number | undefined;

export type OutboxStep = 'post' | 'find' | 'edit' | 'dedupe';

/** How long Slack may be in trouble before a message is given up. */
const DEAD_LETTER_AFTER_MS = 24 * 3_600_000;
/** How often a message goes out again that can't be looked up. */
const MAX_UNCHECKED_POSTS = 2;

/** A message that nobody has sent yet. */
export function newOutboxMessage(key: string, now: number): OutboxMessage {
  return { state: 'waiting', key, nextAt: now, tries: 0 };
}

/** What is to be done so that it stands and shows `contentKey`; undefined for nothing, whenever that is due. */
export function nextStep(message: OutboxMessage, contentKey: string): OutboxStep | undefined {
  if (message.state === 'waiting') return 'post';
  if (message.state === 'posting') return 'find';
  return message.state === 'sent' && message.shown !== contentKey ? 'edit' : undefined;
}

/** What is to be done once nothing will change any more: late edits and duplicates put right. */
export function lastStep(message: OutboxMessage): 'edit' | 'dedupe' | undefined {
  if (message.state !== 'sent') return undefined;
  if ((message.repeatAt ?? message.editingAt) !== undefined) return 'edit';
  return message.repostedAt === undefined ? undefined : 'dedupe';
}

/** When that step is due. */
export function stepDueAt(
  message: OutboxMessage,
  step: OutboxStep,
  contentKey: string,
  timings: Timings,
): number {
  const { nextAt, shown, postingAt = 0, repostedAt = 0 } = message;
  if (step === 'edit') return shown === contentKey ? Math.max(nextAt, lateAt(message, timings) ?? 0) : nextAt;
  if (step === 'find') return Math.max(nextAt, postingAt + timings.findPostAfterMs);
  if (step === 'dedupe') return Math.max(nextAt, repostedAt + timings.findPostAfterMs);
  return nextAt;
}

/** It waits for its turn among the messages for its channel. */
export function waitsForTurn(
  message: OutboxMessage,
  step: OutboxStep,
  { at, place }: Turn,
  now: number,
): OutboxMessage | undefined {
  const mayWait = step === 'post' ? message.state === 'waiting' : message.state === 'sent';
  if (!mayWait) return undefined;
  // Without a place it gives way to all that show an end; should it come to show one itself, it asks at once.
  return place === undefined
    ? { ...message, yieldsUntil: at, yieldsSince: message.yieldsSince ?? now }
    : { ...message, lanePlace: place, nextAt: at };
}

/** Written down before a post leaves. */
export function startPosting(
  message: OutboxMessage,
  contentKey: string,
  now: number,
): OutboxMessage | undefined {
  if (message.state !== 'waiting') return undefined;
  // Where an earlier post was looked for says nothing of this one.
  return { ...withoutTurn(withoutLookup(message)), state: 'posting', postingAt: now, shown: contentKey };
}

/**
 * The message if it is still the post written down at `postingAt`: what somebody hears late of an earlier one says
 * nothing about the one under way.
 */
export function underWay(message: OutboxMessage, postingAt: number | undefined): OutboxMessage | undefined {
  return message.state === 'posting' && message.postingAt === postingAt ? message : undefined;
}

/** The post written down at `postingAt` stands in Slack. */
export function posted(
  message: OutboxMessage,
  postingAt: number | undefined,
  { channelId, ts }: Posted,
  now: number,
): OutboxMessage | undefined {
  const mine = underWay(message, postingAt);
  if (!mine) return undefined;
  const { fault: _, ...rest } = withoutLookup(mine);
  return { ...rest, state: 'sent', channelId, ts, tries: 0, nextAt: now };
}

/** Slack refused the post written down at `at` for what it holds: it goes out again in a plainer form. */
export function postRefused(
  message: OutboxMessage,
  at: At,
  form: Form,
  now: number,
): OutboxMessage | undefined {
  const mine = underWay(message, at);
  return mine && { ...mine, state: 'waiting', form, nextAt: now };
}

export function withoutTurn(message: OutboxMessage): OutboxMessage {
  const { lanePlace: _, yieldsUntil: __, yieldsSince: ___, ...rest } = message;
  return rest;
}

function withoutLookup(message: OutboxMessage): OutboxMessage {
  const { lookup: _, ...rest } = message;
  return rest;
}

/** One more page was read for the post or the duplicates of `at`, without an end yet. */
export function lookingOn(message: OutboxMessage, at: At, lookup: Lookup): OutboxMessage | undefined {
  const isMine = message.state === 'posting' ? message.postingAt === at : message.repostedAt === at;
  return isMine ? { ...message, lookup, tries: 0 } : undefined;
}

/**
 * What a lookup of the post written down at `postingAt` has shown: it stands, showing nobody knows what, or it goes out
 * again.
 */
export function lookedUp(
  message: OutboxMessage,
  postingAt: number | undefined,
  found: readonly Posted[],
  moment: Moment,
): OutboxMessage | undefined {
  const [at, another] = found;
  const next = at
    ? posted(message, postingAt, at, moment.now)
    : notPosted(message, postingAt, undefined, moment);
  if (!next) return undefined;
  const { shown: _, ...rest } = withoutLookup(next);
  return { ...rest, ...(!at || another ? { repostedAt: moment.now } : {}) };
}

/** Nothing of it stands in Slack that should not. */
export function deduped(message: OutboxMessage, repostedAt: number | undefined): OutboxMessage | undefined {
  const { repostedAt: since, ...rest } = withoutLookup(message);
  return since === undefined || since !== repostedAt ? undefined : rest;
}

/** Looking for duplicates failed: later again, or never where it never can succeed. */
export function dedupeFailed(
  message: OutboxMessage,
  repostedAt: number | undefined,
  error: SlackError,
  moment: Moment,
): OutboxMessage | undefined {
  if (message.repostedAt === undefined || message.repostedAt !== repostedAt) return undefined;
  const next = retried(message, error, moment);
  return next.state === 'dead-lettered' ? deduped(message, repostedAt) : next;
}

/** It certainly does not stand in Slack: tried again later, or dead-lettered where it never can. */
export function notPosted(
  message: OutboxMessage,
  postingAt: number | undefined,
  error: Fault | undefined,
  moment: Moment,
): OutboxMessage | undefined {
  const mine = underWay(message, postingAt);
  return mine && retried({ ...mine, state: 'waiting' }, error, moment);
}

/** Where a message goes that can't go where it was to. */
export interface Instead {
  readonly channelId: string;
  /** How many were passed over for it, itself included. */
  readonly passedOver: number;
}

/** The message goes there instead. */
export function redirected(
  message: OutboxMessage,
  postingAt: number | undefined,
  instead: Instead,
  now: number,
): OutboxMessage | undefined {
  const mine = underWay(message, postingAt);
  return mine && { ...sentInstead(mine, instead), state: 'waiting', nextAt: now };
}

/** The same for one that has not left yet. What another place refused may be taken there. */
export function sentInstead(message: OutboxMessage, { channelId, passedOver }: Instead): OutboxMessage {
  const { form: _, ...rest } = message;
  return { ...rest, fallback: channelId, passedOver };
}

/** When an edit that may still be on its way has landed for certain. */
export function lateAt(message: OutboxMessage, timings: Timings): number | undefined {
  if (message.editingAt === undefined) return message.repeatAt;
  return Math.max(message.editingAt + timings.findPostAfterMs, message.repeatAt ?? 0);
}

/**
 * The lookup itself failed. Where it never can succeed (no history scope, far too many messages, put off for too long)
 * it goes out again if it is better seen twice than never, as a card is, and else it does not, so that nobody is called
 * twice.
 */
export function notFound(
  message: OutboxMessage,
  postingAt: number | undefined,
  error: SlackError,
  isBetterTwice: boolean,
  moment: Moment,
): OutboxMessage | undefined {
  const mine = underWay(message, postingAt);
  if (!mine) return undefined;
  const isPutOff = error.retryAfterMs !== undefined && isPutOffTooLong(postingAt ?? 0, moment.now);
  if (!error.dead && !isPutOff) return retried(mine, error, moment);
  const { uncheckedPosts = 0, fault: _, ...rest } = withoutLookup(mine);
  if (!isBetterTwice || uncheckedPosts >= MAX_UNCHECKED_POSTS)
    return { ...rest, state: 'dead-lettered', tries: mine.tries + 1 };
  return retried({ ...rest, state: 'waiting', uncheckedPosts: uncheckedPosts + 1 }, undefined, moment);
}

/** Nobody could be reached to take the next step: later again, or never where it never can succeed. */
export function putOff(message: OutboxMessage, error: SlackError, moment: Moment): OutboxMessage {
  return retried(message, error, moment);
}

export function retried(
  message: OutboxMessage,
  error: Fault | undefined,
  { now, since, timings }: Moment,
): OutboxMessage {
  const tries = message.tries + 1;
  const tried = { ...message, tries, ...(error ? { fault: error.code } : {}) };
  if (error?.dead || now - since > DEAD_LETTER_AFTER_MS) return { ...tried, state: 'dead-lettered' };
  return { ...tried, nextAt: now + pauseAfterTries(tries, error, timings) };
}
