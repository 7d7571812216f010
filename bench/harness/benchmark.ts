import type { Quiet } from './rounds.ts';
import type { Table } from './table.ts';

/** One measured figure of a goal. */
export interface GoalFigure {
  /** The id of a goal in goals.ts. */
  readonly goal: string;
  readonly value: number;
}

/** What a benchmark found. */
export interface Outcome {
  readonly tables: readonly Table[];
  readonly goals: readonly GoalFigure[];
  /** What a reader must know beside the figures: what was left out, what was not right. */
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
  /** The ids of the goals that it gives figures for. */
  readonly goals: readonly string[];
  /** What the bot is compared with. */
  readonly peers: readonly string[];
  /** How many rounds of each variant. */
  readonly rounds: number;
  /** Whether it runs where no name is given. */
  readonly isQuick: boolean;
  /** Measures. Rejects where the bot or a peer does not work, for its figures would mean nothing then. */
  readonly run: (options: RunOptions) => Promise<Outcome>;
}
