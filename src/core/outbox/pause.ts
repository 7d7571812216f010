import type { SlackError } from '../../platform/slack/errors.ts';
import type { Timings } from '../timings.ts';

/** Why a message was not taken, wherever it was to go. */
export type Fault = Pick<SlackError, 'code' | 'dead' | 'retryAfterMs'>;

const FIRST_PAUSE_MS = 500;
const MAX_DOUBLINGS = 10;

/** How long (ms) to wait after Slack did not take a message for the nth time: longer each time, and never less than it asks. */
export function pauseAfterTries(
  tries: number,
  error: Fault | undefined,
  { longestBackOffMs }: Pick<Timings, 'longestBackOffMs'>,
): number {
  const backOffMs = Math.min(FIRST_PAUSE_MS * 2 ** Math.min(tries - 1, MAX_DOUBLINGS), longestBackOffMs);
  return Math.max(backOffMs, error?.retryAfterMs ?? 0);
}
