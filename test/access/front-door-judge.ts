import type { FaultPoints } from '../../src/core/base.ts';
import { HostingError } from '../../src/platform/hosting/hosting-error.ts';
import type { HostingService } from '../../src/platform/hosting/service.ts';
import type { Held } from './front-door-ways.ts';
import { act, entranceOf, forge, isBegun, prepare, readBy } from './front-door-ways.ts';
import type { Cell, Scene } from './front-door-scene.ts';
import { TABLE } from './front-door-table.ts';
import { until } from '../support/until.ts';

/** What is read where something is refused for lack of a role; `undefined`: it is allowed. */
export type Refuses = (cell: Cell) => RegExp | undefined;

const ANSWER_WITHIN_MS = 30_000;
const CALLED_WITHIN_MS = 60_000;

/**
 * By the table: a person who has none of the row's roles reads which is the least of them. `narrowed`: what those read who have
 * one, where it doesn't count.
 */
export function byTheTable(narrowed: Refuses = () => undefined): Refuses {
  return (cell) => {
    const { permission, player } = cell;
    const { after } = TABLE[permission];
    for (const one of after ? [after, permission] : [permission]) {
      const { roles } = TABLE[one];
      if (player.role === 'none' || !roles.includes(player.role))
        return new RegExp(`You need the ${roles[0]} role to `);
      const no = narrowed({ ...cell, permission: one });
      if (no) return no;
    }
    return undefined;
  };
}

/** All cells that the table has a way in for. */
export const reachable = (cells: readonly Cell[]): readonly Cell[] =>
  cells.filter((cell) => entranceOf(cell) !== undefined);

/** Gets everybody, while they are admins, all that they will act on. One person opens one thing at a time. */
export async function prepareAll(scene: Scene, cells: readonly Cell[]): Promise<ReadonlyMap<Cell, Held>> {
  const held = new Map<Cell, Held>();
  await eachPerson(cells, async (cell) => void held.set(cell, await prepare(scene, cell)));
  return held;
}

/** Runs `step` for each cell, one after the other for one person, and for all people side by side. */
async function eachPerson(cells: readonly Cell[], step: (cell: Cell) => Promise<void>): Promise<void> {
  const handles = [...new Set(cells.map(({ player }) => player.handle))];
  await Promise.all(
    handles.map(async (handle) => {
      for (const cell of cells) if (cell.player.handle === handle) await step(cell);
    }),
  );
}

/** What is wrong with one cell, once its person has acted. `before`: what they could read until then. */
async function wrongWith(
  scene: Scene,
  cell: Cell,
  before: ReadonlyMap<string, unknown>,
  refusal: RegExp | undefined,
  offered?: number,
): Promise<string[]> {
  const wanted = refusal ?? entranceOf(cell)?.done ?? /^$/;
  const news = (): readonly string[] => newsSince(scene, cell, before);
  const isThrough = (): boolean => news().some((text) => wanted.test(text) || refusal !== undefined);
  await scene.sandbox.slack.until(isThrough, { timeoutMs: ANSWER_WITHIN_MS }).catch(() => undefined);
  const said = news();
  const isRight = refusal
    ? said.length > 0 && said.every((text) => refusal.test(text))
    : said.some((text) => wanted.test(text));
  return [
    ...(isRight ? [] : [`${nameOf(cell)} should read ${String(wanted)}, and reads ${JSON.stringify(said)}`]),
    ...(offered === undefined || offered > 0 === (refusal === undefined)
      ? []
      : [`${nameOf(cell)} was offered ${offered} to pick`]),
  ];
}

/** What a person can read that they could not before. */
function newsSince(scene: Scene, cell: Cell, before: ReadonlyMap<string, unknown>): readonly string[] {
  return [...readBy(scene, cell)].filter(([version]) => !before.has(version)).map(([, read]) => read());
}

/** Plays cells at the click: those that are refused by rows, then the others. Gives what is wrong. */
export async function playClicks(
  scene: Scene,
  cells: readonly Cell[],
  held: ReadonlyMap<Cell, Held>,
  refuses: Refuses,
): Promise<string[]> {
  const wrong: string[] = [];
  const one = async (cell: Cell): Promise<void> => {
    const has = takeUp(cell, held);
    const before = readBy(scene, cell);
    const { offered } = await act(scene, cell, has);
    wrong.push(...(await wrongWith(scene, cell, before, refuses(cell), offered)));
  };
  for (const row of rowsOf(cells.filter(refuses))) {
    const whatStands = await standing(scene);
    await Promise.all(row.map(one));
    wrong.push(...(await whatChanged(scene, row, whatStands, row.some(mayBeLookedUp))));
  }
  for (const row of rowsOf(cells.filter((cell) => !refuses(cell)))) await Promise.all(row.map(one));
  return wrong;
}

/**
 * Plays cells whose people are admins as they act, and hold no more than their role as it is carried out: a process that
 * works nothing off takes their requests in, and another begins with them. Gives what is wrong.
 */
export async function playWrittenDown(
  scene: Scene,
  cells: readonly Cell[],
  held: ReadonlyMap<Cell, Held>,
  refuses: Refuses,
): Promise<string[]> {
  const wrong: string[] = [];
  for (const row of rowsOf(cells)) {
    // What was said of the row before must not be read as said of this one.
    await scene.sandbox.said();
    await scene.restart({ LAMPLIGHTER_ROLE: 'web' });
    const before = new Map<Cell, ReadonlyMap<string, unknown>>();
    for (const cell of row) {
      const has = takeUp(cell, held);
      before.set(cell, readBy(scene, cell));
      await act(scene, cell, has);
    }
    const { calls, settings } = await standing(scene);
    await scene.demote();
    await Promise.all(
      row.map(async (cell) =>
        wrong.push(...(await wrongWith(scene, cell, before.get(cell) ?? new Map(), refuses(cell)))),
      ),
    );
    // Of a row in which somebody may, what came of them can't be distinguished from the rest.
    const isRefused = row.every(refuses);
    if (isRefused) wrong.push(...(await whatChanged(scene, row, { calls, settings }, true)));
  }
  return wrong;
}

/** What is read of a call that was not made, where its asker lost the role meanwhile. */
const NOT_ANY_MORE = /who asked no longer has the right to\. Nothing was done\./;

/**
 * A bot whose changes are all turned away before they leave it, to be tried again. `turnedAway`: the ids of
 * what they were about.
 */
function turnsChangesAway(turnedAway: Set<unknown>): FaultPoints {
  const changes: readonly (string | symbol)[] = [
    'powerInstance',
    'deleteInstance',
    'addAddon',
    'removeAddon',
  ] satisfies readonly (keyof HostingService)[];
  return (name, part) =>
    name === 'hosting'
      ? new Proxy(part, {
          get: (one, method, receiver): unknown =>
            changes.includes(method)
              ? (id: unknown) => {
                  turnedAway.add(id);
                  const fault = { fault: 'unavailable', outcome: 'not-done', retryable: true } as const;
                  return Promise.reject(new HostingError('asking', fault));
                }
              : Reflect.get(one, method, receiver),
        })
      : part;
}

/**
 * Begins every operation while its person is an admin, with a bot that no call leaves, and has another make the calls once
 * the people hold no more than their roles. Gives what is wrong: a call that left, or one that didn't.
 */
export async function playCalls(
  scene: Scene,
  cells: readonly Cell[],
  held: ReadonlyMap<Cell, Held>,
  refuses: Refuses,
): Promise<string[]> {
  const { sandbox, idOf } = scene;
  const turnedAway = new Set<unknown>();
  await sandbox.stopBots();
  await sandbox.startBot({}, turnsChangesAway(turnedAway));
  await eachPerson(cells, async (cell) => {
    await act(scene, cell, takeUp(cell, held));
  });
  await sandbox.slack.until(() => cells.every((cell) => isBegun(scene, cell)));
  await until(() => turnedAway.size >= cells.length);
  const calls = sandbox.hosting.calls.length;
  await scene.demote();
  const isSent = ({ x }: Cell): boolean =>
    sandbox.hosting.calls
      .slice(calls)
      .some(({ method, instanceId }) => method !== 'GET' && instanceId === idOf(x));
  const isSaid = (cell: Cell): boolean =>
    [...readBy(scene, cell).values()].some((read) => NOT_ANY_MORE.test(read()));
  await sandbox.slack
    .until(() => cells.every((cell) => isSent(cell) || isSaid(cell)), { timeoutMs: CALLED_WITHIN_MS })
    .catch(() => undefined);
  return cells.flatMap((cell) => {
    const isRefused = refuses(cell) !== undefined;
    return [
      ...(isSent(cell) === isRefused ? [`${nameOf(cell)} was ${isRefused ? '' : 'not '}sent`] : []),
      ...(isSaid(cell) === isRefused ? [] : [`${nameOf(cell)} reads ${isRefused ? 'no' : 'a'} refusal`]),
    ];
  });
}

/** What the person has before them as they act. */
function takeUp(cell: Cell, held: ReadonlyMap<Cell, Held>): Held {
  const has = held.get(cell) ?? {};
  // They have it open on a screen of its own, where no other modal takes its place.
  if (has.modal) has.modal.isOpen = true;
  return has;
}

/** Plays what the table has no way in for, forged where nothing leads there: nothing is done, no matter who asks. */
export async function playForged(scene: Scene, cells: readonly Cell[], refuses: Refuses): Promise<string[]> {
  const wrong: string[] = [];
  const tries = await forge(scene);
  for (const row of rowsOf(cells)) {
    const whatStands = await standing(scene);
    await Promise.all(
      row.map(async (cell) => {
        const before = readBy(scene, cell);
        const turn = await tries(cell);
        if (typeof turn === 'string') {
          const { after, isPickedAfter = false } = TABLE[cell.permission];
          const isTheirs =
            cell.way === 'picker' && isPickedAfter && after && !refuses({ ...cell, permission: after });
          if (!isTheirs && !/^\[\]$|I don't know|response_action/.test(turn))
            wrong.push(`${nameOf(cell)} gets ${turn}`);
          return;
        }
        await scene.sandbox.slack.until(() => newsSince(scene, cell, before).length > 0, {
          timeoutMs: ANSWER_WITHIN_MS,
        });
      }),
    );
    wrong.push(...(await whatChanged(scene, row, whatStands, true)));
  }
  return wrong;
}

interface Standing {
  readonly calls: number;
  readonly settings: string;
}

async function standing(scene: Scene): Promise<Standing> {
  return { calls: scene.sandbox.hosting.calls.length, settings: await scene.settings() };
}

/** What came of cells that are refused, of which nothing may. `mayRead`: those with the role may be shown something. */
async function whatChanged(
  scene: Scene,
  row: readonly Cell[],
  { calls, settings }: Standing,
  mayRead = false,
): Promise<string[]> {
  const names = row.map(nameOf).join(', ');
  const sent = scene.sandbox.hosting.calls
    .slice(calls)
    .filter(({ method }) => !mayRead || method !== 'GET')
    .map(({ method, path }) => `${method} ${path}`);
  return [
    ...(sent.length > 0 ? [`${names} sent ${sent.join(', ')}`] : []),
    ...((await scene.settings()) === settings ? [] : [`${names} changed a setting`]),
  ];
}

/** Whether it is one of their instances is known once that was looked up, and what may be picked once all were listed. */
function mayBeLookedUp({ permission, way, player: { role } }: Cell): boolean {
  const { isAboutOne, roles } = TABLE[permission];
  return way === 'picker' || (isAboutOne === true && role !== 'none' && roles.includes(role));
}

/** The cells of one permission and one way, together. */
function rowsOf(cells: readonly Cell[]): readonly (readonly Cell[])[] {
  const rows = new Map<string, Cell[]>();
  for (const cell of cells) {
    const key = `${cell.permission} ${cell.way}`;
    rows.set(key, [...(rows.get(key) ?? []), cell]);
  }
  return [...rows.values()];
}

function nameOf({ permission, way, player }: Cell): string {
  return `${permission} by ${way} for ${player.handle}`;
}
