import { expect, it } from 'vitest';
import { connectDatabase } from '../support/shared-redis.ts';
import { isChaos, runs } from '../support/runs.ts';
import { createTeam } from './model.ts';

const STEPS_EACH = isChaos ? 100 : 30;

/** In `test:chaos` ten thousand steps, else some hundreds. */
it.each(Array.from({ length: runs(100) }, (_, seed) => seed))(
  'in walk %d each open thing has one owner at each moment, and everybody hears once',
  async (seed) => {
    const redis = await connectDatabase();
    const team = createTeam(redis, seed);
    await team.begin();
    for (let step = 0; step < STEPS_EACH; step += 1) await team.step();
    await team.checkHeard();
    if (isChaos) expect(team.offered.length).toBeGreaterThan(0);
  },
);
