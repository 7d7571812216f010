import { z } from 'zod';
import type { SlackError } from '../slack/errors.ts';
import type { Posted } from '../slack/messenger.ts';
import type { Timings } from '../timings.ts';

/**
 * One message on its way to Slack, as pure functions over its record: written down before it leaves, looked up where the
 * answer was lost, edited until it shows its last face (reliability.md 4.3). Times are Redis' clock, Unix ms.
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

export type DeliveryStep = 'post' | 'find' | 'edit' | 'tidy';

/** How long Slack may be in trouble before a message is given up. */
const GIVE_UP_AFTER_MS = 24 * 3_600_000;
/** How often a message goes out again that can't be looked up. */
const MOST_BLIND_POSTS = 2;

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

/** Written down before a post leaves. */
export function startPosting(delivery: Delivery, face: string, now: number): Delivery | undefined {
  if (delivery.state !== 'waiting') return undefined;
  return { ...delivery, state: 'posting', postingAt: now, shown: face };
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
  const { fault: _, ...rest } = mine;
  return { ...rest, state: 'sent', channelId, ts, tries: 0, nextAt: now };
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
  const { shown: _, ...rest } = next;
  return { ...rest, ...(!at || another ? { strayAt: moment.now } : {}) };
}

/** Nothing of it stands in Slack that should not. */
export function tidied(delivery: Delivery, strayAt: number | undefined): Delivery | undefined {
  const { strayAt: since, ...rest } = delivery;
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
  return { ...mine, state: 'waiting', fallback: channelId, nextAt: now };
}

/** When an edit that may still be on its way has landed for certain. */
function lateAt(delivery: Delivery, timings: Timings): number | undefined {
  if (delivery.editingAt === undefined) return delivery.repeatAt;
  return Math.max(delivery.editingAt + timings.findPostAfterMs, delivery.repeatAt ?? 0);
}

/** Written down before an edit leaves: one that nobody heard the end of may land after this one. */
export function startEditing(delivery: Delivery, now: number, timings: Timings): Delivery | undefined {
  if (delivery.state !== 'sent') return undefined;
  const repeatAt = lateAt(delivery, timings);
  return { ...delivery, editingAt: now, ...(repeatAt === undefined ? {} : { repeatAt }) };
}

/** The delivery without the edit written down at `editingAt`; another that was written down since stays. */
function without(delivery: Delivery, editingAt: number | undefined): Delivery {
  if (delivery.editingAt !== editingAt) return delivery;
  const { editingAt: _, ...rest } = delivery;
  return rest;
}

/** The edit written down at `editingAt` did certainly not leave. */
export function notEditing(delivery: Delivery, editingAt: number | undefined): Delivery | undefined {
  const rest = without(delivery, editingAt);
  return rest === delivery ? undefined : rest;
}

/** It shows `face`. */
export function edited(
  delivery: Delivery,
  editingAt: number | undefined,
  face: string,
  now: number,
): Delivery | undefined {
  const { repeatAt, ...rest } = without(delivery, editingAt);
  if (rest.state !== 'sent') return undefined;
  const stillLate = repeatAt !== undefined && repeatAt > now ? { repeatAt } : {};
  return { ...rest, ...stillLate, shown: face, tries: 0 };
}

/** An edit did not go through, or may have: editing twice is harmless. */
export function notEdited(
  delivery: Delivery,
  editingAt: number | undefined,
  error: SlackError,
  moment: Moment,
): Delivery | undefined {
  const rest = without(delivery, editingAt);
  if (rest.state !== 'sent') return undefined;
  const late = error.outcome === 'unknown' ? { repeatAt: moment.now + moment.timings.findPostAfterMs } : {};
  return retried({ ...rest, ...late }, error, moment);
}

/**
 * The lookup itself failed. Where it never can succeed (no history scope) it goes out again if it is better seen twice
 * than never, as a card is, and else it does not, so that nobody is called twice.
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
  if (!error.dead || !isBetterTwice) return retried(mine, error, moment);
  const next = retried({ ...mine, state: 'waiting' }, undefined, moment);
  return mine.tries < MOST_BLIND_POSTS ? next : { ...next, state: 'parked' };
}

/** Nobody could be reached to take the next step: later again, or never where it never can succeed. */
export function putOff(delivery: Delivery, error: SlackError, moment: Moment): Delivery {
  return retried(delivery, error, moment);
}

function retried(
  delivery: Delivery,
  error: SlackError | undefined,
  { now, since, timings }: Moment,
): Delivery {
  const tries = delivery.tries + 1;
  const tried = { ...delivery, tries, ...(error ? { fault: error.code } : {}) };
  if (error?.dead || now - since > GIVE_UP_AFTER_MS) return { ...tried, state: 'parked' };
  const waitMs =
    error?.retryAfterMs ?? Math.min(500 * 2 ** Math.min(tries - 1, 10), timings.longestBackOffMs);
  return { ...tried, nextAt: now + waitMs };
}
