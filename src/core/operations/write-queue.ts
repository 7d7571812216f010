import { type Phrase, say } from '../../platform/slack/phrase.ts';
import type { QueuePlace } from '../../platform/hosting/budget.ts';
import { MINUTE_MS, duration } from '../../platform/time/duration.ts';
import type { Timings } from '../timings.ts';
import { abandoned } from './execution.ts';
import { isInCancelWindow, isQueued } from './cancel-window.ts';
import type { Operation } from './operation.ts';

/**
 * An operation in the queue for the hosting service's budget: docs/decisions/0026-a-queue-for-the-budget.md. Pure.
 */

/** A shorter wait is not worth an edit of the card. */
const MIN_SHOWN_MS = 1_000;
/** From this on its place is asked for again halfway, so that the card follows it. */
const LONG_WAIT_MS = 20_000;
/** A call that comes a little late is not asked for again and again. */
const MIN_PAUSE_MS = 100;

/** The operation with its place in the queue, which it asks for again by then; abandoned where it has waited too long. */
export function enqueued(
  operation: Operation,
  { place, waitMs }: QueuePlace,
  now: number,
  timings: Timings,
): Operation | undefined {
  if (operation.execution.state !== 'requested') return undefined;
  const since = operation.queued?.since ?? now;
  const until = since + timings.maxQueueMs;
  if (now > until) return abandoned(operation, 'queue-too-long', now);
  const pauseMs = waitMs > LONG_WAIT_MS ? waitMs / 2 : Math.max(waitMs, MIN_PAUSE_MS);
  const nextAt = Math.min(Math.ceil(now + pauseMs), until + 1);
  const execution = { ...operation.execution, nextAt };
  const isShown = operation.queued !== undefined || waitMs >= MIN_SHOWN_MS;
  return isShown
    ? { ...operation, queued: { since, place, waitMs }, execution }
    : { ...operation, execution };
}

/** Whether nothing has been asked of the service, and it can be taken back: in its cancel window, or queued. */
export function canBeTakenBack(operation: Operation): boolean {
  return isInCancelWindow(operation) || isQueued(operation);
}

/** "In line at the hosting service: 12th, about 40 s."; nothing for one that is not. */
export function queuePlace(operation: Operation): Phrase[] {
  const { queued } = operation;
  if (!queued || !isQueued(operation)) return [];
  return [say`In line at the hosting service: ${ordinal(queued.place)}, about ${roughly(queued.waitMs)}.`];
}

const SUFFIXES: Readonly<Record<string, string>> = { one: 'st', two: 'nd', few: 'rd', other: 'th' };
const ordinals = new Intl.PluralRules('en', { type: 'ordinal' });

function ordinal(place: number): string {
  return `${place}${SUFFIXES[ordinals.select(place)] ?? 'th'}`;
}

/** To five seconds, then to minutes: more would be a promise. */
function roughly(ms: number): string {
  const step = ms < MINUTE_MS ? 5_000 : MINUTE_MS;
  return duration(Math.max(step, Math.round(ms / step) * step));
}
