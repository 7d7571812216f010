import { figure } from './figure.ts';
import type { Round } from './rounds.ts';
import { ratios, type Spread, spreadOf } from './stats.ts';

/** Figures of one round by their key. */
export type Metrics = Readonly<Record<string, number>>;

/** The rounds of each variant by its name. */
export type Measured = ReadonlyMap<string, readonly Round<Metrics>[]>;

/** A figure of each round, and its name with its unit. */
export interface Metric {
  readonly key: string;
  readonly what: string;
}

/** The rounds of several variants side by side. */
export interface Table {
  readonly title: string;
  /** Cells of text; the first row is the head. */
  readonly rows: readonly (readonly string[])[];
  /** The rounds that the cells are made of. */
  readonly measured: Readonly<Record<string, readonly Round<Metrics>[]>>;
  /** How much of the machine others had, in percent, over all rounds that count. */
  readonly foreignPct: Spread;
  readonly rounds: number;
  /** So many rounds never became quiet and count all the same. */
  readonly noisyRounds: number;
}

/** The median of a metric of a variant; NaN for a variant that wasn't measured. */
export function medianOf(measured: Measured, variant: string, key: string): number {
  return spreadOf(valuesOf(measured, variant, key)).median;
}

/** One variant's metric divided by another's, round by round. */
export function ratioOf(measured: Measured, key: string, over: string, under: string): Spread {
  return ratios(valuesOf(measured, over, key), valuesOf(measured, under, key));
}

/**
 * A column for each variant and a row for each metric. `subject`: the variant that is divided by each other one in further
 * columns.
 */
export function compare(
  title: string,
  measured: Measured,
  metrics: readonly Metric[],
  subject?: string,
): Table {
  const variants = [...measured.keys()];
  const peers = subject === undefined ? [] : variants.filter((variant) => variant !== subject);
  const rows = metrics.map(({ key, what }) => [
    what,
    ...variants.map((variant) => spreadWords(spreadOf(valuesOf(measured, variant, key)))),
    ...peers.map((peer) => spreadWords(ratioOf(measured, key, subject ?? '', peer))),
  ]);
  return {
    title,
    rows: [['', ...variants, ...peers.map((peer) => `/ ${peer}`)], ...rows],
    ...roundsOf(measured),
  };
}

/** A median with its range, where the rounds differ. */
export function spreadWords({ median, min, max }: Spread): string {
  if (!Number.isFinite(median)) return '–';
  const [low, high] = [figure(min), figure(max)];
  return low === high ? figure(median) : `${figure(median)} [${low}..${high}]`;
}

function valuesOf(measured: Measured, variant: string, key: string): readonly number[] {
  return (measured.get(variant) ?? []).map(({ value }) => value[key] ?? Number.NaN);
}

function roundsOf(measured: Measured): Omit<Table, 'title' | 'rows'> {
  const all = [...measured.values()].flat();
  return {
    measured: Object.fromEntries(measured),
    foreignPct: spreadOf(all.map(({ foreignPct }) => foreignPct)),
    rounds: all.length,
    noisyRounds: all.filter(({ isNoisy }) => isNoisy).length,
  };
}
