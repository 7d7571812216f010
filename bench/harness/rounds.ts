import { foreignPctOf, takeSample } from './cpu.ts';

/** One measurement, and how much of the machine's time others had meanwhile. */
export interface Round<T> {
  readonly value: T;
  readonly foreignPct: number;
  /** It never became quiet: this is the quietest of its tries. */
  readonly isNoisy: boolean;
}

export interface Quiet {
  /** More of the machine's time than this went to others: the round is repeated. */
  readonly foreignPct: number;
  /** How often a round is repeated at most. */
  readonly repeats: number;
}

/** Begins to watch the machine; the function it gives tells the percentage that others had since. */
type Watch = () => () => number;

const watchMachine: Watch = () => {
  const before = takeSample();
  return () => foreignPctOf(before, takeSample());
};

/** Measures until the machine was quiet meanwhile, a bounded number of times; gives the quietest. Rejects as `measure` does. */
export async function measureQuietly<T>(
  measure: () => Promise<T>,
  { foreignPct: limitPct, repeats }: Quiet,
  watch: Watch = watchMachine,
): Promise<Round<T>> {
  let best: Round<T> | undefined;
  for (let tries = 0; ; tries++) {
    const foreignSince = watch();
    const value = await measure();
    const foreignPct = foreignSince();
    const isNoisy = foreignPct > limitPct;
    if (best === undefined || foreignPct < best.foreignPct) best = { value, foreignPct, isNoisy };
    if (!best.isNoisy || tries >= repeats) return best;
  }
}

export interface Variant<T> {
  readonly name: string;
  readonly measure: () => Promise<T>;
}

/** Measures A, B, C, A, B, C and so on, so that a machine that changes changes for all. Gives each variant's rounds by name. */
export async function interleave<T>(
  variants: readonly Variant<T>[],
  rounds: number,
  quiet: Quiet,
  watch?: Watch,
): Promise<Map<string, Round<T>[]>> {
  const results = new Map<string, Round<T>[]>(variants.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const { name, measure } of variants) {
      results.get(name)?.push(await measureQuietly(measure, quiet, watch));
    }
  }
  return results;
}
