import type { Timings } from '../timings.ts';
import { scheduleOf, spreadOf } from './poll-schedule.ts';
import type { TimesStore } from './times.ts';

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
