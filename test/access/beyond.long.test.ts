import { expect, it } from 'vitest';
import { CUTS, getsBeyond, waysOf } from './beyond-judge.ts';
import { openStage } from './beyond-stage.ts';

const [[name, cut]] = CUTS;

/** Others, and each way in more words, in `beyond.chaos.test.ts`: hundreds of ways take seconds in each. */
it(`an admin whose role ${name} gets beyond it by none of the ways`, async () => {
  const stage = await openStage();
  await cut(stage);
  const ways = waysOf(stage, 2);
  expect(ways.all.length).toBeGreaterThan(200);
  expect(await getsBeyond(stage, ways)).toEqual([]);
});
