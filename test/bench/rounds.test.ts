import { describe, expect, it } from 'vitest';
import { ratioOf } from '../../bench/harness/benchmark.ts';
import { interleave } from '../../bench/harness/rounds.ts';

/** A machine on which others have so much in one try after another. */
function machine(percentages: readonly number[]): () => () => number {
  const left = [...percentages];
  return () => () => left.shift() ?? 0;
}

/** One round on a machine; each try counts itself. */
async function roundOn(percentages: readonly number[]): Promise<unknown> {
  let tries = 0;
  const measure = async (): Promise<{ nth: number }> => ({ nth: (tries += 1) });
  const measured = await interleave([{ name: 'bot', measure }], 1, machine(percentages));
  return measured.get('bot')?.[0];
}

describe('rounds of a benchmark', () => {
  it('are repeated while others use the machine, and the quiet one counts', async () => {
    expect(await roundOn([40, 3])).toEqual({ value: { nth: 2 }, foreignPct: 3, isNoisy: false });
  });

  it('end with the quieter one where it never becomes quiet, and say so', async () => {
    expect(await roundOn([12, 40])).toEqual({ value: { nth: 1 }, foreignPct: 12, isNoisy: true });
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
    const measured = await interleave(variants, 3, machine([]));
    expect(order).toEqual(['bot', 'peer', 'bot', 'peer', 'bot', 'peer']);
    expect(ratioOf(measured, 'cpu', 'bot', 'peer')).toBe(3);
  });
});
