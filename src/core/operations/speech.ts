import {
  type Delivery,
  type DeliveryStep,
  lastStep,
  type Move,
  nextStep,
  stepDueAt,
} from '../outbox/delivery.ts';
import type { Timings } from '../timings.ts';
import { graceBegun } from './grace.ts';
import { nextNotice } from './notice.ts';
import type { Operation } from './operation.ts';

/** In which order an operation's two messages are told, as pure functions. */

export type Part = 'card' | 'reply';

/** The next thing to say, or undefined when nothing is to be said before something happens or time passes. */
export type SpeechStep = { readonly do: DeliveryStep; readonly part: Part } | { readonly do: 'close' };

/** Card first, then its edits, then the reply, then the end: `now` decides what is due. */
export function nextSpeech(
  operation: Operation,
  face: string,
  now: number,
  timings: Timings,
): SpeechStep | undefined {
  const step = speechWithoutTime(operation, face);
  return step && speechDueAt(operation, step, face, timings) <= now ? step : undefined;
}

/** When the next thing is to be said; infinity when that hangs on something else. */
export function speechAt(operation: Operation, face: string, timings: Timings): number {
  const step = speechWithoutTime(operation, face);
  return step ? speechDueAt(operation, step, face, timings) : Number.POSITIVE_INFINITY;
}

function speechWithoutTime(operation: Operation, face: string): SpeechStep | undefined {
  const { card, reply } = operation;
  if (operation.closedAt !== undefined) return undefined;
  const ofCard = nextStep(card, face);
  if (ofCard) return { do: ofCard, part: 'card' };
  if (operation.effect.state !== 'ended') return undefined;
  // A card that can't be edited any more must not keep the end from being told. A reply is never edited.
  const ofReply = reply.state === 'sent' ? undefined : nextStep(reply, '');
  if (ofReply) return { do: ofReply, part: 'reply' };
  for (const part of ['card', 'reply'] as const) {
    const last = lastStep(operation[part]);
    if (last) return { do: last, part };
  }
  // Where no card stands, the asker hears of the end alone before it is closed.
  return nextNotice(operation) === undefined ? { do: 'close' } : undefined;
}

function speechDueAt(operation: Operation, step: SpeechStep, face: string, timings: Timings): number {
  return step.do === 'close' ? 0 : stepDueAt(operation[step.part], step.do, face, timings);
}

/** Moves one of the messages of an operation that is not closed. The grace begins when its card stands. */
export function moved(operation: Operation, part: Part, move: Move, now: number): Operation | undefined {
  const delivery = operation.closedAt === undefined ? move(operation[part]) : undefined;
  if (!delivery) return undefined;
  const next = put(operation, part, delivery);
  const stands = part === 'card' && operation.card.state !== 'sent' && delivery.state === 'sent';
  return stands ? graceBegun(next, now) : next;
}

/**
 * The button of its card has begun `next`: a card that stands is edited once more to say so. One that was closed is open
 * again for that, and nothing else: its reply has been told. Undefined where there is no card, or it says so already.
 */
export function buttonUsed(
  operation: Operation,
  next: NonNullable<Operation['next']>,
): Operation | undefined {
  if (operation.next !== undefined || operation.card.state !== 'sent') return undefined;
  const { closedAt: _, ...open } = operation;
  return { ...open, next };
}

/** Nothing is left to do or say. */
export function closed(operation: Operation, now: number): Operation | undefined {
  if (operation.closedAt !== undefined) return undefined;
  // What anybody could answer at is kept no longer than it is needed.
  const { responseUrl: _, ...rest } = operation;
  return { ...rest, closedAt: now };
}

function put(operation: Operation, part: Part, delivery: Delivery): Operation {
  return { ...operation, [part]: delivery };
}
