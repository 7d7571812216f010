import type { Round } from './rounds.ts';
import { ratios, type Spread, spreadOf } from './stats.ts';

/** Figures of one round by their key. */
export type Metrics = Readonly<Record<string, number>>;

/** The rounds of each variant by its name. */
export type Measured = ReadonlyMap<string, readonly Round<Metrics>[]>;

/** One row of a table: which metric, and its name with its unit. */
export interface Metric {
  readonly key: string;
  readonly what: string;
}

/** A figure of one variant; NaN where it has none. */
interface Cell {
  readonly variant: string;
  readonly spread: Spread;
}

/** The bot divided by a peer, round by round. */
interface RatioCell {
  readonly peer: string;
  readonly spread: Spread;
}

interface Row {
  readonly what: string;
  readonly cells: readonly Cell[];
  readonly ratios: readonly RatioCell[];
}

/** The rounds of several variants side by side. */
export interface Table {
  readonly title: string;
  readonly variants: readonly string[];
  readonly rows: readonly Row[];
  /** How much of the machine others had, in percent, over all rounds that count. */
  readonly foreignPct: Spread;
  readonly rounds: number;
  /** So many rounds never became quiet and count all the same. */
  readonly noisyRounds: number;
}

/** The values of a metric in each round of a variant. Empty for a variant that wasn't measured. */
export function valuesOf(measured: Measured, variant: string, key: string): readonly number[] {
  return (measured.get(variant) ?? []).map(({ value }) => value[key] ?? Number.NaN);
}

/** The median of a metric of a variant. */
export function medianOf(measured: Measured, variant: string, key: string): number {
  return spreadOf(valuesOf(measured, variant, key)).median;
}

/** The median of one variant's metric divided by another's, round by round. */
export function ratioOf(measured: Measured, key: string, over: string, under: string): number {
  return ratios(valuesOf(measured, over, key), valuesOf(measured, under, key)).median;
}

/** Puts rounds into a table. `subject`: the variant that is divided by each other one; without it, there are no ratios. */
export function tableOf(
  title: string,
  measured: Measured,
  metrics: readonly Metric[],
  subject?: string,
): Table {
  const variants = [...measured.keys()];
  const all = [...measured.values()].flat();
  const peers = subject === undefined ? [] : variants.filter((variant) => variant !== subject);
  return {
    title,
    variants,
    rows: metrics.map(({ key, what }) => ({
      what,
      cells: variants.map((variant) => ({ variant, spread: spreadOf(valuesOf(measured, variant, key)) })),
      ratios: peers.map((peer) => ({
        peer,
        spread: ratios(valuesOf(measured, subject ?? '', key), valuesOf(measured, peer, key)),
      })),
    })),
    foreignPct: spreadOf(all.map(({ foreignPct }) => foreignPct)),
    rounds: all.length,
    noisyRounds: all.filter(({ isNoisy }) => isNoisy).length,
  };
}
