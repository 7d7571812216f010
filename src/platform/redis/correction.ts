import { z } from 'zod';
import { timesWritten } from './stored.ts';

/**
 * How the bot's time stays one that only goes on, where the clock of Redis is set: pure functions. All times are in ms; those of
 * Redis are Unix ms.
 */

/** How far the bot's time was ahead of Redis' clock when that showed `at`. */
export const correctionSchema = z.object({ aheadMs: z.number(), at: z.number() });
export type Correction = z.infer<typeof correctionSchema>;

export const NO_CORRECTION: Correction = { aheadMs: 0, at: 0 };

/** Redis' clock as it was read once, at some moment between two of a clock that only goes forward. */
export interface Reading {
  readonly redisMs: number;
  readonly after: number;
  readonly before: number;
}

/** What a process knows: its last reading, and the correction of `version`, or one that it could not write down yet. */
export interface Known {
  readonly reading: Reading;
  readonly correction: Correction;
  readonly version: string;
  readonly isWritten: boolean;
}

/** What stands in Redis for all processes: the correction, and the latest time at which any of them has looked. */
export interface Kept {
  readonly correction: Correction;
  readonly version: string;
  readonly seenAt: number;
}

/** Two readings may be so far apart, and the clocks drift by so much of the time between them. */
const JUMP_MS = 500;
const DRIFT = 1e-3;
/** The times of two processes may be so far apart; the word of the one that has written it down last counts. */
const APART_MS = 5_000;
/** So much slower or faster the bot's time goes until it is that of Redis again. */
const CATCH_UP = 0.1;
/** Who is set by more was never right before, and nobody is served by staying with it. */
const MOST_AHEAD_MS = 2 * 24 * 3_600_000;

/** How far the bot's time is ahead when Redis' clock shows `redisMs`. */
export function aheadAt(redisMs: number, { aheadMs, at }: Correction): number {
  return Math.sign(aheadMs) * Math.max(0, Math.abs(aheadMs) - CATCH_UP * Math.max(0, redisMs - at));
}

/** By how much Redis' clock was set between two readings; 0 for what their own duration and some drift explain. */
function jumpBetween(one: Reading, next: Reading): number {
  const movedMs = next.redisMs - one.redisMs;
  const [leastMs, mostMs] = [next.after - one.before, next.before - one.after];
  const toleratedMs = JUMP_MS + DRIFT * mostMs;
  if (movedMs >= leastMs - toleratedMs && movedMs <= mostMs + toleratedMs) return 0;
  return movedMs - (leastMs + mostMs) / 2;
}

/**
 * What a process knows after a reading, and by how much Redis' clock was set before it as far as nobody else has noticed. A
 * process that stood still learns from the others that it was not the clock.
 */
export function learn(
  known: Known | undefined,
  kept: Kept,
  reading: Reading,
): { readonly known: Known; readonly jumpMs: number } {
  const { redisMs } = reading;
  const isNewer = !known || timesWritten(kept.version) > timesWritten(known.version);
  const { correction, version } = isNewer ? kept : known;
  const now = redisMs + aheadAt(redisMs, correction);
  // What Redis has lost is written again.
  const isWritten =
    isNewer || (known.isWritten && kept.version === version) || aheadAt(redisMs, correction) === 0;
  const expectedNow = known ? expect(known, reading) : Math.max(now, kept.seenAt);
  const jumpMs = now - expectedNow;
  // Others have looked at times that this process did not live through.
  const hasSlept = jumpMs > 0 && kept.seenAt > expectedNow + jumpMs / 2;
  if (Math.abs(jumpMs) <= (isNewer ? APART_MS : JUMP_MS) || hasSlept)
    return { known: { reading, correction, version, isWritten }, jumpMs: 0 };
  const aheadMs = expectedNow - redisMs;
  const next = { aheadMs: Math.abs(aheadMs) > MOST_AHEAD_MS ? 0 : aheadMs, at: redisMs };
  return { known: { reading, correction: next, version, isWritten: false }, jumpMs };
}

/** What the time is by what a process knew before a reading. */
function expect({ reading: before, correction }: Known, reading: Reading): number {
  const expectedMs = reading.redisMs - jumpBetween(before, reading);
  return expectedMs + aheadAt(expectedMs, correction);
}
