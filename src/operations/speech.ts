import { createHash } from 'node:crypto';
import type { SlackError } from '../slack/errors.ts';
import { type Message, render } from '../slack/message.ts';
import type { Posted } from '../slack/messenger.ts';
import type { Timings } from '../timings.ts';
import { graceBegun } from './grace.ts';
import type { Delivery, Operation } from './operation.ts';

/** How an operation's two messages move, as pure functions. */

export type Part = 'card' | 'reply';

/** The next thing to say, or undefined when nothing is to be said before something happens or time passes. */
export type SpeechStep =
  | { readonly do: 'post' | 'find' | 'tidy'; readonly part: Part }
  | { readonly do: 'edit' }
  | { readonly do: 'close' };

/** How long Slack may be in trouble before a message is given up. */
const GIVE_UP_AFTER_MS = 24 * 3_600_000;
/** How often a card goes out again that can't be looked up. */
const MOST_BLIND_POSTS = 2;

/** What a message shows, as a short digest: equal digests need no edit. */
export function digest(message: Message): string {
  return createHash('sha256')
    .update(JSON.stringify(render(message)))
    .digest('base64url')
    .slice(0, 22);
}

/** Card first, then its edits, then the reply, then the end: `now` decides what is due. */
export function nextSpeech(
  operation: Operation,
  face: string,
  now: number,
  timings: Timings,
): SpeechStep | undefined {
  if (operation.closedAt !== undefined) return undefined;
  const step = speechWithoutTime(operation, face);
  return step && speechDueAt(operation, step, face, timings) <= now ? step : undefined;
}

/** When the next thing is to be said; infinity when that hangs on something else. */
export function speechAt(operation: Operation, face: string, timings: Timings): number {
  const step = operation.closedAt === undefined ? speechWithoutTime(operation, face) : undefined;
  return step ? speechDueAt(operation, step, face, timings) : Number.POSITIVE_INFINITY;
}

function speechWithoutTime(operation: Operation, face: string): SpeechStep | undefined {
  const { card, reply } = operation;
  if (card.state === 'waiting') return { do: 'post', part: 'card' };
  if (card.state === 'posting') return { do: 'find', part: 'card' };
  if (card.state === 'sent' && card.shown !== face) return { do: 'edit' };
  if (operation.effect.state !== 'ended') return undefined;
  // A card that can't be edited any more must not keep the end from being told.
  if (reply.state === 'waiting') return { do: 'post', part: 'reply' };
  if (reply.state === 'posting') return { do: 'find', part: 'reply' };
  if (card.state === 'sent' && (card.repeatAt ?? card.editingAt) !== undefined) return { do: 'edit' };
  for (const part of ['card', 'reply'] as const) {
    if (operation[part].state === 'sent' && operation[part].strayAt !== undefined)
      return { do: 'tidy', part };
  }
  return { do: 'close' };
}

function speechDueAt(operation: Operation, step: SpeechStep, face: string, timings: Timings): number {
  if (step.do === 'close') return 0;
  if (step.do === 'edit') {
    const { card } = operation;
    return card.shown === face ? Math.max(card.nextAt, lateAt(card, timings) ?? 0) : card.nextAt;
  }
  const delivery = operation[step.part];
  if (step.do === 'find')
    return Math.max(delivery.nextAt, (delivery.postingAt ?? 0) + timings.findPostAfterMs);
  if (step.do === 'tidy') return Math.max(delivery.nextAt, (delivery.strayAt ?? 0) + timings.findPostAfterMs);
  return delivery.nextAt;
}

/** Written down before a post leaves. */
export function startPosting(
  operation: Operation,
  part: Part,
  face: string,
  now: number,
): Operation | undefined {
  const delivery = operation[part];
  if (delivery.state !== 'waiting') return undefined;
  return put(operation, part, { ...delivery, state: 'posting', postingAt: now, shown: face });
}

/**
 * The delivery if it is still the post written down at `postingAt`: what somebody hears late of an earlier one says
 * nothing about the one under way.
 */
function underWay(operation: Operation, part: Part, postingAt: number | undefined): Delivery | undefined {
  const delivery = operation[part];
  return delivery.state === 'posting' && delivery.postingAt === postingAt ? delivery : undefined;
}

/** The post written down at `postingAt` stands in Slack. */
export function posted(
  operation: Operation,
  part: Part,
  postingAt: number | undefined,
  at: Posted,
  now: number,
): Operation | undefined {
  const delivery = underWay(operation, part, postingAt);
  if (!delivery) return undefined;
  const { channelId, ts } = at;
  const next = put(operation, part, { ...delivery, state: 'sent', channelId, ts, tries: 0, nextAt: now });
  return part === 'card' ? graceBegun(next, now) : next;
}

/**
 * What a lookup of the post written down at `postingAt` has shown: it stands, looking nobody knows how, or it goes out
 * again.
 */
export function lookedUp(
  operation: Operation,
  part: Part,
  postingAt: number | undefined,
  found: readonly Posted[],
  now: number,
): Operation | undefined {
  const [at, another] = found;
  const next = at
    ? posted(operation, part, postingAt, at, now)
    : notPosted(operation, part, postingAt, undefined, now);
  if (!next) return undefined;
  const { shown: _, ...delivery } = next[part];
  return put(next, part, { ...delivery, ...(!at || another ? { strayAt: now } : {}) });
}

/** Nothing of `part` stands in Slack that should not. */
export function tidied(operation: Operation, part: Part, strayAt: number | undefined): Operation | undefined {
  const { strayAt: since, ...delivery } = operation[part];
  return since === undefined || since !== strayAt ? undefined : put(operation, part, delivery);
}

/** Looking for strays failed: later again, or never where it never can succeed. */
export function notTidied(
  operation: Operation,
  part: Part,
  strayAt: number | undefined,
  error: SlackError,
  now: number,
): Operation | undefined {
  const delivery = operation[part];
  if (delivery.strayAt === undefined || delivery.strayAt !== strayAt) return undefined;
  const next = retried(operation, delivery, error, now);
  return next.state === 'parked' ? tidied(operation, part, strayAt) : put(operation, part, next);
}

/** It certainly does not stand in Slack: tried again later, or parked where it never can. */
export function notPosted(
  operation: Operation,
  part: Part,
  postingAt: number | undefined,
  error: SlackError | undefined,
  now: number,
): Operation | undefined {
  const delivery = underWay(operation, part, postingAt);
  if (!delivery) return undefined;
  return put(operation, part, retried(operation, { ...delivery, state: 'waiting' }, error, now));
}

/** The message goes to the asker's direct messages instead. */
export function redirected(
  operation: Operation,
  part: Part,
  postingAt: number | undefined,
  channelId: string,
  now: number,
): Operation | undefined {
  const delivery = underWay(operation, part, postingAt);
  if (!delivery || delivery.fallback !== undefined) return undefined;
  return put(operation, part, { ...delivery, state: 'waiting', fallback: channelId, nextAt: now });
}

/** When an edit that may still be on its way has landed for certain. */
function lateAt(card: Delivery, timings: Timings): number | undefined {
  if (card.editingAt === undefined) return card.repeatAt;
  return Math.max(card.editingAt + timings.findPostAfterMs, card.repeatAt ?? 0);
}

/** Written down before an edit leaves: one that nobody heard the end of may land after this one. */
export function startEditing(operation: Operation, now: number, timings: Timings): Operation | undefined {
  const { card } = operation;
  if (card.state !== 'sent' || operation.closedAt !== undefined) return undefined;
  const repeatAt = lateAt(card, timings);
  return put(operation, 'card', { ...card, editingAt: now, ...(repeatAt === undefined ? {} : { repeatAt }) });
}

/** The card without the edit written down at `editingAt`; another that was written down since stays. */
function without(card: Delivery, editingAt: number | undefined): Delivery {
  if (card.editingAt !== editingAt) return card;
  const { editingAt: _, ...rest } = card;
  return rest;
}

/** The edit written down at `editingAt` did certainly not leave. */
export function notEditing(operation: Operation, editingAt: number | undefined): Operation | undefined {
  const card = without(operation.card, editingAt);
  return card === operation.card ? undefined : put(operation, 'card', card);
}

/** The card shows `face`. */
export function edited(
  operation: Operation,
  editingAt: number | undefined,
  face: string,
  now: number,
): Operation | undefined {
  const { repeatAt, ...card } = without(operation.card, editingAt);
  if (card.state !== 'sent') return undefined;
  const stillLate = repeatAt !== undefined && repeatAt > now ? { repeatAt } : {};
  return put(operation, 'card', { ...card, ...stillLate, shown: face, tries: 0 });
}

/** An edit did not go through, or may have: editing twice is harmless. */
export function notEdited(
  operation: Operation,
  editingAt: number | undefined,
  error: SlackError,
  now: number,
  timings: Timings,
): Operation | undefined {
  const card = without(operation.card, editingAt);
  if (card.state !== 'sent') return undefined;
  const late = error.outcome === 'unknown' ? { repeatAt: now + timings.findPostAfterMs } : {};
  return put(operation, 'card', retried(operation, { ...card, ...late }, error, now));
}

/**
 * The lookup itself failed. Where it never can succeed (no history scope) the card goes out again, so that the
 * end is seen at least once, and the reply does not, so that nobody is called twice.
 */
export function notFound(
  operation: Operation,
  part: Part,
  postingAt: number | undefined,
  error: SlackError,
  now: number,
): Operation | undefined {
  const delivery = underWay(operation, part, postingAt);
  if (!delivery) return undefined;
  if (error.dead && part === 'card') {
    const next = retried(operation, { ...delivery, state: 'waiting' }, undefined, now);
    return put(operation, part, delivery.tries < MOST_BLIND_POSTS ? next : { ...next, state: 'parked' });
  }
  return put(operation, part, retried(operation, delivery, error, now));
}

/** Nothing is left to do or say. */
export function closed(operation: Operation, now: number): Operation | undefined {
  return operation.closedAt === undefined ? { ...operation, closedAt: now } : undefined;
}

function retried(
  operation: Operation,
  delivery: Delivery,
  error: SlackError | undefined,
  now: number,
): Delivery {
  const tries = delivery.tries + 1;
  if (error?.dead || now - operation.requestedAt > GIVE_UP_AFTER_MS) {
    return { ...delivery, state: 'parked', tries };
  }
  const waitMs = error?.retryAfterMs ?? Math.min(500 * 2 ** Math.min(tries - 1, 10), 30_000);
  return { ...delivery, tries, nextAt: now + waitMs };
}

function put(operation: Operation, part: Part, delivery: Delivery): Operation {
  return { ...operation, [part]: delivery };
}
