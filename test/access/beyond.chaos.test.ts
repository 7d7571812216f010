import { expect, it } from 'vitest';
import { CUTS, getsBeyond, waysOf } from './beyond-judge.ts';
import { openStage } from './beyond-stage.ts';

it.each(CUTS)('an admin whose role %s gets beyond it by none of the ways', async (_how, cut) => {
  const stage = await openStage();
  await cut(stage);
  expect(await getsBeyond(stage, waysOf(stage))).toEqual([]);
});

it('who has the role still gets there by them, so that they lead somewhere', async () => {
  const stage = await openStage();
  expect(await getsBeyond(stage, waysOf(stage, 1))).not.toEqual([]);
});
