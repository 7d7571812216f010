import { expect, it } from 'vitest';
import { PERMISSIONS } from '../../src/core/policy/permissions.ts';
import { byTheTable, playCalls, playClicks, prepareAll, reachable } from './front-door-judge.ts';
import { cellsOf, ONE_EACH, openScene, setTheStage } from './front-door-scene.ts';
import { beginsACall, TABLE } from './front-door-table.ts';

/** Many cells are played in one sandbox. */
const LIMIT_MS = 120_000;
const cells = reachable(cellsOf(ONE_EACH));

it(
  'by every way in, a role does what the table lists, and is refused all else by the name of the role that it takes',
  async () => {
    const scene = await openScene(ONE_EACH);
    await setTheStage(scene, cells);
    const held = await prepareAll(scene, cells);
    await scene.demote();
    expect(await playClicks(scene, cells, held, byTheTable())).toEqual([]);
  },
  LIMIT_MS,
);

it(
  'by every way in, a call leaves only if its asker may just then, whatever they could as they asked',
  async () => {
    const begun = cells.filter(beginsACall);
    const scene = await openScene(ONE_EACH, { timings: { cancelWindowMs: 50 } });
    const held = await prepareAll(scene, begun);
    expect(await playCalls(scene, begun, held, byTheTable())).toEqual([]);
  },
  LIMIT_MS,
);

it('every permission has a row, and every row a way in', () => {
  expect(Object.keys(TABLE).toSorted()).toEqual(PERMISSIONS.toSorted());
  const reached = new Set(cells.map(({ permission }) => permission));
  expect([...reached].toSorted()).toEqual(PERMISSIONS.toSorted());
});
