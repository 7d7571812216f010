import { z } from 'zod';
import type { SlackError } from '../../platform/slack/errors.ts';
import { type Form, FORMS } from '../../platform/slack/forms.ts';
import type { Posted } from '../../platform/slack/messenger.ts';
import type { Timings } from '../timings.ts';
import { isPutOffTooLong, type Lookup, lookupSchema } from './lookup.ts';
import { pauseAfter } from './pause.ts';

/**
 * One message on its way to Slack, as pure functions over its record: written down before it leaves, looked up where the
 * answer was lost, edited until it shows its last face, see
 * docs/decisions/0004-write-down-before-sending.md. Times are Redis' clock, Unix ms.
 */
export const deliverySchema = z.object({
  state: z.enum(['waiting', 'posting', 'sent', 'parked']),
  /** The opaque mark by which it can be found in the history. */
  key: z.string(),
  nextAt: z.number(),
  tries: z.number(),
  postingAt: z.number().optional(),
  channelId: z.string().optional(),
  ts: z.string().optional(),
  /** Digest of what it shows. */
  shown: z.string().optional(),
  /** An edit was written down then and its end is not known: whoever sends it may be gone, or only late. */
  editingAt: z.number().optional(),
  /** An edit whose answer was lost may still land after a later one: the last face is sent once more then. */
  repeatAt: z.number().optional(),
  /**
   * A post went out again then, since a lookup had not found it: whoever slept in the middle of the first may wake and
   * send it after all, so it is looked for once more and taken away.
   */
  strayAt: z.number().optional(),
  /** Set where the channel could not be posted to and somebody's direct messages serve instead. */
  fallback: z.string().optional(),
  /** Slack's code for why the last try failed; gone once it stands. */
  fault: z.string().optional(),
  /** The form in which it goes out, set where Slack has refused a richer one there. */
  form: z.enum(FORMS).optional(),
  /** Its turn among the messages for the same channel, while it waits for that. */
  turnAt: z.number().optional(),
  /** How far the lookup has come that is under way. */
  lookup: lookupSchema.optional(),
  /** How often it went out again because it could not be looked up. */
  blindPosts: z.number().optional(),
});
export type Delivery = z.infer<typeof deliverySchema>;

/** The moment of a move: now, since when the message has been wanted, and the bot's waits. */
export interface Moment {
  readonly now: number;
  readonly since: number;
  readonly timings: Timings;
}

/** What changes a delivery; undefined where it does not apply. */
export type Move = (delivery: Delivery) => Delivery | undefined;

/** When a post or an edit was written down, Unix ms. */
export type At = number | undefined;

export type DeliveryStep = 'post' | 'find' | 'edit' | 'tidy';

/** How long Slack may be in trouble before a message is given up. */
const GIVE_UP_AFTER_MS = 24 * 3_600_000;
/** How often a message goes out again that can't be looked up. */
const MAX_BLIND_POSTS = 2;

/** A message that nobody has sent yet. */
export function newDelivery(key: string, now: number): Delivery {
  return { state: 'waiting', key, nextAt: now, tries: 0 };
}

/** What is to be done so that it stands and shows `face`; undefined for nothing, whenever that is due. */
export function nextStep(delivery: Delivery, face: string): DeliveryStep | undefined {
  if (delivery.state === 'waiting') return 'post';
  if (delivery.state === 'posting') return 'find';
  return delivery.state === 'sent' && delivery.shown !== face ? 'edit' : undefined;
}

/** What is to be done once nothing will change any more: late edits and strays put right. */
export function lastStep(delivery: Delivery): 'edit' | 'tidy' | undefined {
  if (delivery.state !== 'sent') return undefined;
  if ((delivery.repeatAt ?? delivery.editingAt) !== undefined) return 'edit';
  return delivery.strayAt === undefined ? undefined : 'tidy';
}

/** When that step is due. */
export function stepDueAt(delivery: Delivery, step: DeliveryStep, face: string, timings: Timings): number {
  const { nextAt, shown, postingAt = 0, strayAt = 0 } = delivery;
  if (step === 'edit') return shown === face ? Math.max(nextAt, lateAt(delivery, timings) ?? 0) : nextAt;
  if (step === 'find') return Math.max(nextAt, postingAt + timings.findPostAfterMs);
  if (step === 'tidy') return Math.max(nextAt, strayAt + timings.findPostAfterMs);
  return nextAt;
}

/** It waits for its turn among the messages for its channel. */
export function waitsForTurn(delivery: Delivery, step: DeliveryStep, turnAt: number): Delivery | undefined {
  const mayWait = step === 'post' ? delivery.state === 'waiting' : delivery.state === 'sent';
  return mayWait ? { ...delivery, turnAt, nextAt: turnAt } : undefined;
}

/** Written down before a post leaves. */
export function startPosting(delivery: Delivery, face: string, now: number): Delivery | undefined {
  if (delivery.state !== 'waiting') return undefined;
  // Where an earlier post was looked for says nothing of this one.
  return { ...withoutTurn(withoutLookup(delivery)), state: 'posting', postingAt: now, shown: face };
}

/**
 * The delivery if it is still the post written down at `postingAt`: what somebody hears late of an earlier one says
 * nothing about the one under way.
 */
function underWay(delivery: Delivery, postingAt: number | undefined): Delivery | undefined {
  return delivery.state === 'posting' && delivery.postingAt === postingAt ? delivery : undefined;
}

/** The post written down at `postingAt` stands in Slack. */
export function posted(
  delivery: Delivery,
  postingAt: number | undefined,
  { channelId, ts }: Posted,
  now: number,
): Delivery | undefined {
  const mine = underWay(delivery, postingAt);
  if (!mine) return undefined;
  const { fault: _, ...rest } = withoutLookup(mine);
  return { ...rest, state: 'sent', channelId, ts, tries: 0, nextAt: now };
}

/** Slack refused the post written down at `at` for what it holds: it goes out again in a plainer form. */
export function postRefused(delivery: Delivery, at: At, form: Form, now: number): Delivery | undefined {
  const mine = underWay(delivery, at);
  return mine && { ...mine, state: 'waiting', form, nextAt: now };
}

export function withoutTurn(delivery: Delivery): Delivery {
  const { turnAt: _, ...rest } = delivery;
  return rest;
}

function withoutLookup(delivery: Delivery): Delivery {
  const { lookup: _, ...rest } = delivery;
  return rest;
}

/** One more page was read for the post or the strays of `at`, without an end yet. */
export function lookingOn(delivery: Delivery, at: At, lookup: Lookup): Delivery | undefined {
  const isMine = delivery.state === 'posting' ? delivery.postingAt === at : delivery.strayAt === at;
  return isMine ? { ...delivery, lookup, tries: 0 } : undefined;
}

/**
 * What a lookup of the post written down at `postingAt` has shown: it stands, looking nobody knows how, or it goes out
 * again.
 */
export function lookedUp(
  delivery: Delivery,
  postingAt: number | undefined,
  found: readonly Posted[],
  moment: Moment,
): Delivery | undefined {
  const [at, another] = found;
  const next = at
    ? posted(delivery, postingAt, at, moment.now)
    : notPosted(delivery, postingAt, undefined, moment);
  if (!next) return undefined;
  const { shown: _, ...rest } = withoutLookup(next);
  return { ...rest, ...(!at || another ? { strayAt: moment.now } : {}) };
}

/** Nothing of it stands in Slack that should not. */
export function tidied(delivery: Delivery, strayAt: number | undefined): Delivery | undefined {
  const { strayAt: since, ...rest } = withoutLookup(delivery);
  return since === undefined || since !== strayAt ? undefined : rest;
}

/** Looking for strays failed: later again, or never where it never can succeed. */
export function notTidied(
  delivery: Delivery,
  strayAt: number | undefined,
  error: SlackError,
  moment: Moment,
): Delivery | undefined {
  if (delivery.strayAt === undefined || delivery.strayAt !== strayAt) return undefined;
  const next = retried(delivery, error, moment);
  return next.state === 'parked' ? tidied(delivery, strayAt) : next;
}

/** It certainly does not stand in Slack: tried again later, or parked where it never can. */
export function notPosted(
  delivery: Delivery,
  postingAt: number | undefined,
  error: SlackError | undefined,
  moment: Moment,
): Delivery | undefined {
  const mine = underWay(delivery, postingAt);
  return mine && retried({ ...mine, state: 'waiting' }, error, moment);
}

/** The message goes to somebody's direct messages instead. */
export function redirected(
  delivery: Delivery,
  postingAt: number | undefined,
  channelId: string,
  now: number,
): Delivery | undefined {
  const mine = underWay(delivery, postingAt);
  if (!mine || mine.fallback !== undefined) return undefined;
  // What another place refused may be taken here.
  const { form: _, ...rest } = mine;
  return { ...rest, state: 'waiting', fallback: channelId, nextAt: now };
}

/** When an edit that may still be on its way has landed for certain. */
export function lateAt(delivery: Delivery, timings: Timings): number | undefined {
  if (delivery.editingAt === undefined) return delivery.repeatAt;
  return Math.max(delivery.editingAt + timings.findPostAfterMs, delivery.repeatAt ?? 0);
}

/**
 * The lookup itself failed. Where it never can succeed (no history scope, far too many messages, put off for too long)
 * it goes out again if it is better seen twice than never, as a card is, and else it does not, so that nobody is called
 * twice.
 */
export function notFound(
  delivery: Delivery,
  postingAt: number | undefined,
  error: SlackError,
  isBetterTwice: boolean,
  moment: Moment,
): Delivery | undefined {
  const mine = underWay(delivery, postingAt);
  if (!mine) return undefined;
  const isPutOff = error.retryAfterMs !== undefined && isPutOffTooLong(postingAt ?? 0, moment.now);
  if (!error.dead && !isPutOff) return retried(mine, error, moment);
  const { blindPosts = 0, ...rest } = withoutLookup(mine);
  if (!isBetterTwice || blindPosts >= MAX_BLIND_POSTS)
    return { ...rest, state: 'parked', tries: mine.tries + 1 };
  return retried({ ...rest, state: 'waiting', blindPosts: blindPosts + 1 }, undefined, moment);
}

/** Nobody could be reached to take the next step: later again, or never where it never can succeed. */
export function putOff(delivery: Delivery, error: SlackError, moment: Moment): Delivery {
  return retried(delivery, error, moment);
}

export function retried(
  delivery: Delivery,
  error: SlackError | undefined,
  { now, since, timings }: Moment,
): Delivery {
  const tries = delivery.tries + 1;
  const tried = { ...delivery, tries, ...(error ? { fault: error.code } : {}) };
  if (error?.dead || now - since > GIVE_UP_AFTER_MS) return { ...tried, state: 'parked' };
  return { ...tried, nextAt: now + pauseAfter(tries, error, timings) };
}
