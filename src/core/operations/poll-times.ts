import type { Timings } from '../timings.ts';
import type { TimesStore } from './past.ts';

/**
 * When to poll what takes an unknown time, so that few polls are made and an end is noticed soon. Pure. The times are
 * taken to be log-normal, and few that are known are mixed with a broad guess. For that distribution the pauses are the
 * cheapest there are, where a poll costs as much as a second of delay. Times are in ms.
 */

/** How long something takes: mean and standard deviation of the logarithm of its seconds. */
export interface Spread {
  readonly mean: number;
  readonly deviation: number;
}

/** The bounds of a pause between two polls. */
export interface GapBounds {
  readonly shortestMs: number;
  readonly longestMs: number;
}

/** Nine of ten take from 5 to 90 s, where nothing is known of them. */
const ANY: Spread = { mean: Math.log(21.2), deviation: 0.88 };
/** How many times that are known the guess weighs: for the mean, and for the deviation. */
const MEAN_WEIGHT = 1;
const DEVIATION_WEIGHT = 3;
/** Kinds of action differ from one another by more than each does from itself. */
const USUAL_DEVIATION = 0.35;
const LEAST_DEVIATION = 0.15;

const STEP_S = 0.5;
/** Past this age the pause stays the longest. */
const UP_TO_S = 300;
/** So many times the longest pause may pass until the first poll. */
export const FIRST_LONGER = 2;
/** What has not ended by then as good as never does. */
const HARDLY = 1e-9;

/** What the times known of a kind say, in ms; few say little. */
export function spreadOf(tookMs: readonly number[]): Spread {
  const logs = tookMs.filter((ms) => ms > 0 && Number.isFinite(ms)).map((ms) => Math.log(ms / 1_000));
  const count = logs.length;
  if (count === 0) return ANY;
  const average = logs.reduce((sum, one) => sum + one, 0) / count;
  const squares = logs.reduce((sum, one) => sum + (one - average) ** 2, 0);
  const mean = (MEAN_WEIGHT * ANY.mean + count * average) / (MEAN_WEIGHT + count);
  // The average itself is uncertain where few are known.
  const within = (DEVIATION_WEIGHT * USUAL_DEVIATION ** 2 + squares) / (DEVIATION_WEIGHT + count);
  const ofMean = (ANY.deviation ** 2 + (average - ANY.mean) ** 2) / (count + MEAN_WEIGHT) ** 2;
  return { mean, deviation: Math.max(LEAST_DEVIATION, Math.sqrt(within + ofMean + within / count)) };
}

/** Gives the pause after a poll at an age, both in ms, within the bounds; the first may be twice as long. */
export function scheduleOf(spread: Spread, { shortestMs, longestMs }: GapBounds): (ageMs: number) => number {
  const gapsMs = cheapestGaps(spread, stepsOf(shortestMs), stepsOf(longestMs)).map(
    (steps) => steps * STEP_S * 1_000,
  );
  return (ageMs) => {
    const gapMs = gapsMs[Math.round(Math.max(0, ageMs) / 1_000 / STEP_S)] ?? longestMs;
    return Math.min(FIRST_LONGER * longestMs, Math.max(shortestMs, gapMs));
  };
}

function stepsOf(ms: number): number {
  return Math.max(1, Math.round(ms / 1_000 / STEP_S));
}

/**
 * The gap after a poll at each age, both in steps. From the oldest age to the youngest it takes the gap for which the next
 * poll, the delay to be expected until it and all that comes after it cost the least.
 */
function cheapestGaps(spread: Spread, shortest: number, longest: number): readonly number[] {
  const count = Math.round(UP_TO_S / STEP_S);
  const ended = Array.from({ length: count + FIRST_LONGER * longest + 1 }, (_, at) =>
    chanceOfEnd(at * STEP_S, spread),
  );
  // How long what has ended by an age has waited in all, had nothing been polled before.
  const waited = [0];
  for (let at = 1; at < ended.length; at += 1)
    waited.push((waited[at - 1] ?? 0) + (((ended[at] ?? 1) + (ended[at - 1] ?? 1)) / 2) * STEP_S);
  const costs: number[] = [];
  const gaps: number[] = [];
  for (let at = count; at >= 0; at -= 1) {
    const endedHere = ended[at] ?? 1;
    const left = Math.max(HARDLY, 1 - endedHere);
    costs[at] = Number.POSITIVE_INFINITY;
    // What takes long needs no poll at first.
    const most = at === 0 ? FIRST_LONGER * longest : longest;
    for (let gap = shortest; gap <= most; gap += 1) {
      const delay = (waited[at + gap] ?? 0) - (waited[at] ?? 0) - endedHere * gap * STEP_S;
      const goesOn = Math.max(0, 1 - (ended[at + gap] ?? 1)) * (costs[at + gap] ?? 1);
      const cost = 1 + (Math.max(0, delay) + goesOn) / left;
      if (cost >= (costs[at] ?? 0)) continue;
      costs[at] = cost;
      gaps[at] = gap;
    }
  }
  return gaps;
}

/** The chance that what takes a time of `spread` has ended after `seconds`. */
function chanceOfEnd(seconds: number, { mean, deviation }: Spread): number {
  return seconds <= 0 ? 0 : normal((Math.log(seconds) - mean) / deviation);
}

/** The standard normal distribution up to `z`, good to seven digits (Abramowitz and Stegun 26.2.17). */
function normal(z: number): number {
  const t = 1 / (1 + 0.231_641_9 * Math.abs(z));
  const series =
    t *
    (0.319_381_53 + t * (-0.356_563_782 + t * (1.781_477_937 + t * (-1.821_255_978 + t * 1.330_274_429))));
  const tail = (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * series;
  return z > 0 ? 1 - tail : tail;
}

/** The pause after a poll of an operation of a kind that was accepted `ageMs` ago, both in ms. */
export type GapOf = (kind: string, ageMs: number) => number;

/** When operations of each kind are polled, learned from how long earlier ones took. */
export interface PollTimes {
  readonly gapOf: GapOf;
  /** Reads again, once in a while, what is known of these kinds. Never throws: a broad guess serves as well. */
  learn(kinds: Iterable<string>): Promise<void>;
  /** How long after it was accepted an operation ended whose end a poll found after `observedAfterMs`: since the poll before. */
  endedAfter(kind: string, observedAfterMs: number): number;
}

/** So many have to be known of a kind before its pauses are taken from them … */
const FEWEST = 3;
/**
 * … and until then an end is noticed late by so much of its time at most, since it may be any short time, and those who come
 * after learn from it.
 */
const EAGER_SHARE = 0.25;
/** An end that the first poll finds may have come long before: it is taken for so much of its time earlier at most. */
const MAX_EARLIER_SHARE = 0.125;
/** The longest pause is so many times the shortest. */
const LONGEST_PAUSE = 15;
/** How often a kind is learned again. At each poll, it would cost 0.4 ms and a command of Redis each time. */
const LEARN_EVERY_MS = 3_000;

/** The pause after a poll by the age of an operation, from how long earlier ones of its kind took; all in ms. Pure. */
export function pollPauseAfter(
  samples: readonly number[],
  timings: Pick<Timings, 'pollEveryMs'>,
): (ageMs: number) => number {
  const { pollEveryMs: shortestMs } = timings;
  const cheapest = scheduleOf(spreadOf(samples), { shortestMs, longestMs: longestPauseMs(timings) });
  if (samples.length >= FEWEST) return cheapest;
  return (ageMs) => Math.min(cheapest(ageMs), Math.max(shortestMs, ageMs * EAGER_SHARE));
}

/** However long earlier operations took, an operation is polled again after this; ms. Pure. */
export function longestPauseMs({ pollEveryMs }: Pick<Timings, 'pollEveryMs'>): number {
  return LONGEST_PAUSE * pollEveryMs;
}

export function createPollTimes(store: TimesStore, timings: Pick<Timings, 'pollEveryMs'>): PollTimes {
  const schedule = (samples: readonly number[]): ((ageMs: number) => number) =>
    pollPauseAfter(samples, timings);
  const byKind = new Map<string, { readonly gapOf: (ageMs: number) => number; readonly learnedAt: number }>();
  let unknown: ((ageMs: number) => number) | undefined;
  const gapOf: GapOf = (kind, ageMs) => (byKind.get(kind)?.gapOf ?? (unknown ??= schedule([])))(ageMs);

  const learnOne = async (kind: string): Promise<void> => {
    const learnedAt = performance.now();
    if (learnedAt - (byKind.get(kind)?.learnedAt ?? Number.NEGATIVE_INFINITY) < LEARN_EVERY_MS) return;
    const times = await store.read(kind).catch(() => undefined);
    if (!times) return;
    const samples = times.flatMap(({ endedAfterMs }) => endedAfterMs ?? []);
    byKind.set(kind, { gapOf: schedule(samples), learnedAt });
  };
  return {
    gapOf,
    learn: async (kinds) => {
      await Promise.all([...new Set(kinds)].map(learnOne));
    },
    endedAfter: (kind, observedAfterMs) => {
      let before = 0;
      for (let next = gapOf(kind, 0); next < observedAfterMs; next += gapOf(kind, next)) before = next;
      return observedAfterMs - Math.min((observedAfterMs - before) / 2, observedAfterMs * MAX_EARLIER_SHARE);
    },
  };
}
