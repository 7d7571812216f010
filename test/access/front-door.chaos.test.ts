import { describe, expect, it } from 'vitest';
import {
  byTheTable,
  playCalls,
  playClicks,
  playForged,
  playWrittenDown,
  prepareAll,
  reachable,
  type Refuses,
} from './front-door-judge.ts';
import {
  type Cell,
  cellsOf,
  ONE_EACH,
  openScene,
  type Player,
  type SceneOptions,
  setTheStage,
} from './front-door-scene.ts';
import { beginsACall, TABLE } from './front-door-table.ts';

const LIMIT_MS = 900_000;

interface World {
  readonly players: readonly Player[];
  readonly options: SceneOptions;
  readonly refuses: Refuses;
  readonly isPlayed?: (cell: Cell) => boolean;
}

/** What a role counts for: whom, where and on which instances. */
const WORLDS: Readonly<Record<string, World>> = {
  'that counts everywhere': { players: ONE_EACH, options: {}, refuses: byTheTable() },
  'that counts in another channel': {
    players: ONE_EACH,
    options: { narrowed: 'in #random' },
    refuses: byTheTable(() => /doesn't count in this channel/),
  },
  'that is for other instances': {
    players: ONE_EACH,
    options: { narrowed: 'on other-*' },
    refuses: byTheTable(({ permission }) => {
      const { isAboutOne, isOfAll, isGiven } = TABLE[permission];
      if (isGiven) return /only on other-\*, so nothing was changed/;
      if (isOfAll) return /is for some instances alone/;
      return isAboutOne ? /covers no instance|doesn't cover/ : undefined;
    }),
    // What is cut to their instances shows nothing here.
    isPlayed: ({ permission }) => !['audit:read', 'operations:read', 'usage:read'].includes(permission),
  },
  'that every full member has, and who acts is none,': {
    players: ['guest', 'single', 'stranger'].map((handle) => ({ handle, role: 'none' })),
    options: { everyone: 'admin' },
    refuses: () => /You need to be a full member of this workspace to /,
  },
};

describe.each(Object.entries(WORLDS))(
  'a role %s',
  (_name, { players, options, refuses, isPlayed = () => true }) => {
    const cells = reachable(cellsOf(players)).filter(isPlayed);

    it(
      'does at the click what the table lists, by every way in, and nothing else',
      async () => {
        const scene = await openScene(players, options);
        await setTheStage(scene, cells);
        const held = await prepareAll(scene, cells);
        await scene.demote();
        expect(await playClicks(scene, cells, held, refuses)).toEqual([]);
      },
      LIMIT_MS,
    );

    it(
      'does it as well where what was asked waited to be carried out',
      async () => {
        const written = cells.filter(({ permission }) => TABLE[permission].isWrittenDown);
        const scene = await openScene(players, options);
        await setTheStage(scene, written);
        const held = await prepareAll(scene, written);
        expect(await playWrittenDown(scene, written, held, refuses)).toEqual([]);
      },
      LIMIT_MS,
    );

    it(
      'lets no other call leave',
      async () => {
        const begun = cells.filter(beginsACall);
        const scene = await openScene(players, { ...options, timings: { cancelWindowMs: 50 } });
        const held = await prepareAll(scene, begun);
        expect(await playCalls(scene, begun, held, refuses)).toEqual([]);
      },
      LIMIT_MS,
    );

    it(
      'does nothing by a way in that the table lacks, forged where nothing leads there',
      async () => {
        const scene = await openScene(players, options);
        await scene.demote();
        const lacking = cellsOf(players).filter((cell) => !TABLE[cell.permission][cell.way]);
        expect(await playForged(scene, lacking, refuses)).toEqual([]);
      },
      LIMIT_MS,
    );
  },
);
