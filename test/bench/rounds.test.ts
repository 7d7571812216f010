import { describe, expect, it } from 'vitest';
import { interleave, measureQuietly } from '../../bench/harness/rounds.ts';
import { ratioOf } from '../../bench/harness/table.ts';

/** A machine on which others have so much in one try after another. */
function machine(percentages: readonly number[]): () => () => number {
  const left = [...percentages];
  return () => () => left.shift() ?? 0;
}

describe('rounds of a benchmark', () => {
  it('are repeated while others use the machine, and the quiet one counts', async () => {
    let tries = 0;
    const measure = async (): Promise<number> => (tries += 1);
    const quiet = { foreignPct: 5, repeats: 3 };
    expect(await measureQuietly(measure, quiet, machine([40, 12, 3]))).toEqual({
      value: 3,
      foreignPct: 3,
      isNoisy: false,
    });
  });

  it('end with the quietest where it never becomes quiet, and say so', async () => {
    let tries = 0;
    const measure = async (): Promise<number> => (tries += 1);
    const quiet = { foreignPct: 5, repeats: 2 };
    expect(await measureQuietly(measure, quiet, machine([40, 12, 30]))).toEqual({
      value: 2,
      foreignPct: 12,
      isNoisy: true,
    });
  });

  it('take turns, and a ratio divides figures of the same round', async () => {
    const order: string[] = [];
    const variant = (name: string, figures: number[]) => ({
      name,
      measure: async () => {
        order.push(name);
        return { cpu: figures.shift() ?? 0 };
      },
    });
    const variants = [variant('bot', [10, 40, 90]), variant('peer', [5, 10, 30])];
    const measured = await interleave(variants, 3, { foreignPct: 5, repeats: 0 }, machine([]));
    expect(order).toEqual(['bot', 'peer', 'bot', 'peer', 'bot', 'peer']);
    expect(ratioOf(measured, 'cpu', 'bot', 'peer')).toEqual({ median: 3, min: 2, max: 4 });
  });
});
