import { median } from './stats.ts';
import type { Measured } from './rounds.ts';

/** What a benchmark found. */
export interface Outcome {
  /** By the ids of targets in goals.ts. */
  readonly figures: Readonly<Record<string, number>>;
  /** Whether one of its rounds never became quiet, and counts all the same. */
  readonly isNoisy: boolean;
}

/** How a benchmark is to run. */
export interface RunOptions {
  readonly rounds: number;
  /** Prints a line of progress. */
  readonly say: (line: string) => void;
}

/** The declaration of one benchmark. */
export interface Benchmark {
  readonly name: string;
  /** What it measures, in one sentence. */
  readonly what: string;
  /** How many rounds of each variant. */
  readonly rounds: number;
  /** Measures. Rejects where the bot or a peer does not work, for its figures would mean nothing then. */
  readonly run: (options: RunOptions) => Promise<Outcome>;
}

/** The outcome of rounds. */
export function outcomeOf(measured: Measured, figures: Outcome['figures']): Outcome {
  return { figures, isNoisy: [...measured.values()].flat().some((one) => one.isNoisy) };
}

/** The outcomes of several parts as one. */
export function joined(parts: readonly Outcome[]): Outcome {
  return {
    figures: Object.assign({}, ...parts.map(({ figures }) => figures)) as Outcome['figures'],
    isNoisy: parts.some(({ isNoisy }) => isNoisy),
  };
}

/** The median of a metric of a variant; NaN for a variant that wasn't measured. */
export function medianOf(measured: Measured, variant: string, key: string): number {
  return median(valuesOf(measured, variant, key));
}

/** The median of one variant's metric divided by another's, round by round. */
export function ratioOf(measured: Measured, key: string, over: string, under: string): number {
  const below = valuesOf(measured, under, key);
  return median(valuesOf(measured, over, key).map((value, index) => value / (below[index] ?? Number.NaN)));
}

function valuesOf(measured: Measured, variant: string, key: string): readonly number[] {
  return (measured.get(variant) ?? []).map(({ value }) => value[key] ?? Number.NaN);
}
