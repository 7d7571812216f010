import { describe, expect, it } from 'vitest';
import { PERMISSIONS } from '../../src/core/policy/permissions.ts';
import { byTheTable, playCalls, playClicks, playWrittenDown, prepareAll, reachable } from './front-door-judge.ts';
import { cellsOf, DEMOTED, ONE_EACH, openScene, setTheStage } from './front-door-scene.ts';
import { beginsACall, TABLE } from './front-door-table.ts';

const LIMIT_MS = 120_000;
const cells = reachable(cellsOf(ONE_EACH));

describe('whoever has a role, by every way in that there is,', () => {
  it(
    'does what the table lists, and is refused everything else by the role that it takes',
    async () => {
      const scene = await openScene(ONE_EACH);
      await setTheStage(scene, cells);
      const held = await prepareAll(scene, cells);
      await scene.restart(DEMOTED);
      expect(await playClicks(scene, cells, held, byTheTable)).toEqual([]);
    },
    LIMIT_MS,
  );

  it(
    'has their call sent only if they still may just before it leaves',
    async () => {
      const begun = cells.filter(beginsACall);
      const scene = await openScene(ONE_EACH, { timings: { deleteGraceMs: 50 } });
      const t0 = performance.now();
      const held = await prepareAll(scene, begun);
      console.log('prep', performance.now() - t0, begun.length);
      expect(await playCalls(scene, begun, held, byTheTable)).toEqual([]);
      console.log('end', performance.now() - t0, begun.length);
    },
    LIMIT_MS,
  );
  it(
    'written',
    async () => {
      const t0 = performance.now();
      const written = cells.filter(({ permission }) => TABLE[permission].isWrittenDown);
      const scene = await openScene(ONE_EACH);
      await setTheStage(scene, written);
      const held = await prepareAll(scene, written);
      console.log('prep', performance.now() - t0, written.length);
      expect(await playWrittenDown(scene, written, held, byTheTable)).toEqual([]);
      console.log('end', performance.now() - t0, written.length);
    },
    LIMIT_MS,
  );
});

it('every permission has its row, and every row a way in', () => {
  expect(Object.keys(TABLE).toSorted()).toEqual([...PERMISSIONS].toSorted());
  for (const permission of PERMISSIONS)
    expect(cells.filter((cell) => cell.permission === permission).length).toBeGreaterThan(0);
});
