import { foreignPctOf, takeSample } from './cpu.ts';

/** Figures of one round by their key. */
export type Metrics = Readonly<Record<string, number>>;

/** One measurement, and how much of the machine's time others had meanwhile. */
interface Round {
  readonly value: Metrics;
  readonly foreignPct: number;
  /** It never became quiet: this is the quieter of its two tries. */
  readonly isNoisy: boolean;
}

/** The rounds of each variant by its name. */
export type Measured = ReadonlyMap<string, readonly Round[]>;

/** Begins to watch the machine; the function it gives tells the percentage that others had since. */
type Watch = () => () => number;

/** A round is measured once more where more of the machine's time than this, in percent, went to others. */
const QUIET_PCT = 5;

const watchMachine: Watch = () => {
  const before = takeSample();
  return () => foreignPctOf(before, takeSample());
};

async function measureQuietly(measure: () => Promise<Metrics>, watch: Watch): Promise<Round> {
  const once = async (): Promise<Round> => {
    const foreignSince = watch();
    const value = await measure();
    const foreignPct = foreignSince();
    return { value, foreignPct, isNoisy: foreignPct > QUIET_PCT };
  };
  const first = await once();
  if (!first.isNoisy) return first;
  const second = await once();
  return second.foreignPct < first.foreignPct ? second : first;
}

export interface Variant {
  readonly name: string;
  readonly measure: () => Promise<Metrics>;
}

/** Measures A, B, C, A, B, C and so on, so that a machine that changes changes for all. Rejects as `measure` does. */
export async function interleave(
  variants: readonly Variant[],
  rounds: number,
  watch = watchMachine,
): Promise<Measured> {
  const results = new Map<string, Round[]>(variants.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const { name, measure } of variants) results.get(name)?.push(await measureQuietly(measure, watch));
  }
  return results;
}
