import type { Timings } from '../timings.ts';
import { scheduleOf, spreadOf } from './look-schedule.ts';
import type { Times, TimesStore } from './times.ts';

/** The pause after a look at an operation of a kind that was accepted `ageMs` ago, both in ms. */
export type GapOf = (kind: string, ageMs: number) => number;

/** When operations of each kind are looked at, learned from how long earlier ones took. */
export interface LookTimes {
  readonly gapOf: GapOf;
  /** Reads again, once in a while, what is known of these kinds. Never throws: a broad guess serves as well. */
  learn(kinds: Iterable<string>): Promise<void>;
  /** When an operation ended that was seen to have so long after it was accepted: at some time since the look before; ms. */
  endedAfter(kind: string, seenAfterMs: number): number;
}

/** So many have to be known of a kind before its pauses are taken from them … */
const FEWEST = 3;
/**
 * … and until then an end is seen late by so much of its time at most, since it may be any short time, and those who come
 * after learn from it.
 */
const EAGER_SHARE = 0.25;
/** An end that the first look saw may have come long before: it is taken for so much of its time earlier at most. */
const MAX_EARLIER_SHARE = 0.125;
/** How often few are read again. */
const LEARN_FEW_EVERY_MS = 3_000;

/** The pause after a look by the age of an operation, from how long earlier ones of its kind took; all in ms. Pure. */
export function pauseAfter(
  samples: readonly number[],
  { lookEveryMs: shortestMs, slowLookEveryMs: longestMs }: Pick<Timings, 'lookEveryMs' | 'slowLookEveryMs'>,
): (ageMs: number) => number {
  const cheapest = scheduleOf(spreadOf(samples), { shortestMs, longestMs });
  if (samples.length >= FEWEST) return cheapest;
  return (ageMs) => Math.min(cheapest(ageMs), Math.max(shortestMs, ageMs * EAGER_SHARE));
}

export function createLookTimes(
  store: TimesStore,
  timings: Pick<Timings, 'lookEveryMs' | 'slowLookEveryMs'>,
): LookTimes {
  const schedule = (samples: readonly number[]): ((ageMs: number) => number) => pauseAfter(samples, timings);
  const byKind = new Map<
    string,
    { readonly gapOf: (ageMs: number) => number; readonly times: readonly Times[] }
  >();
  let unknown: ((ageMs: number) => number) | undefined;
  const gapOf: GapOf = (kind, ageMs) => (byKind.get(kind)?.gapOf ?? (unknown ??= schedule([])))(ageMs);

  const learnOne = async (kind: string): Promise<void> => {
    const times = await store.read(kind, LEARN_FEW_EVERY_MS);
    if (times === byKind.get(kind)?.times) return;
    const samples = times.flatMap(({ endedAfterMs }) => endedAfterMs ?? []);
    byKind.set(kind, { gapOf: schedule(samples), times });
  };
  return {
    gapOf,
    learn: async (kinds) => {
      await Promise.all([...new Set(kinds)].map(learnOne));
    },
    endedAfter: (kind, seenAfterMs) => {
      let before = 0;
      for (let next = gapOf(kind, 0); next < seenAfterMs; next += gapOf(kind, next)) before = next;
      return seenAfterMs - Math.min((seenAfterMs - before) / 2, seenAfterMs * MAX_EARLIER_SHARE);
    },
  };
}
