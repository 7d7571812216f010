import type { Quiet } from './rounds.ts';
import type { Table } from './table.ts';

/** What a benchmark found. */
export interface Outcome {
  readonly tables: readonly Table[];
  /** By the ids of targets in goals.ts. */
  readonly figures: Readonly<Record<string, number>>;
  /** What a reader must know beside the figures. */
  readonly notes: readonly string[];
}

/** How a benchmark is to run. */
export interface RunOptions {
  readonly rounds: number;
  readonly quiet: Quiet;
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

/** The outcomes of several parts as one. */
export function joined(parts: readonly Outcome[]): Outcome {
  return {
    tables: parts.flatMap(({ tables }) => tables),
    figures: Object.assign({}, ...parts.map(({ figures }) => figures)) as Outcome['figures'],
    notes: parts.flatMap(({ notes }) => notes),
  };
}
