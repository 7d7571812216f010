import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { POWERS, type Power } from '../../src/hosting/service.ts';
import type { Operation } from '../../src/operations/operation.ts';
import { WATCH_ID } from '../../src/operations/operations.ts';
import { createShelf, recordOf, type Shelf } from './in-memory.ts';
import { operation, timings } from './operation.ts';
import { createSmallWorld, type Luck, type SmallWorld } from './small-world.ts';
import { mortal, startWorker, type WorkerProcess } from './workers.ts';

const SCHEDULES = 1_000;
const TURNS = 3;
const MOST_CALM_TURNS = 100;

/** Some workers at once, over in which nobody is in the middle of anything any more: done, or dead. */
interface Round {
  /** After so many waits each worker dies. */
  readonly lives: readonly number[];
  /** Time passes in such steps, somewhere between their waits. */
  readonly steps: readonly number[];
  /** How long until the next round. */
  readonly rest: number;
}
interface Trouble {
  readonly rounds: readonly Round[];
  readonly luck: readonly Luck[];
}

interface Ended {
  readonly world: SmallWorld;
  readonly shelf: Shelf;
  /** Whether the record was closed, or due for something, once everything that could move had moved. */
  readonly isStuck: boolean;
  /** The record once a calm worker had brought it to its end, and the card that it should show. */
  readonly last: Operation;
  readonly card: unknown;
}

/** The lanes ask this clock whether a call leaves in time, so it is the world's. */
let clockOf: SmallWorld | undefined;
beforeEach(() => {
  const real = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => clockOf?.now ?? real());
});
afterEach(() => vi.restoreAllMocks());

const first = (power: Power): Operation =>
  operation({ power, status: power === 'start' ? 'stopped' : 'running' });

async function play(scheduler: fc.Scheduler, power: Power, trouble: Trouble): Promise<Ended> {
  const begun = first(power);
  const world = createSmallWorld(power === 'start' ? 'stopped' : 'running', trouble.luck);
  world.travel = async (what) => scheduler.schedule(Promise.resolve(), what);
  const shelf = createShelf(begun);
  clockOf = world;
  try {
    for (const [index, round] of trouble.rounds.entries()) {
      await playRound(scheduler, shelf, world, begun.id, index, round);
      world.now += round.rest;
    }
    const isDue = Number.isFinite(shelf.due.get(begun.id)) || shelf.watched.has(begun.id);
    const isStuck = recordOf(shelf, begun.id).closedAt === undefined && !isDue;
    const calm = await goWell(shelf, world, begun.id);
    const last = recordOf(shelf, begun.id);
    return { world, shelf, isStuck, last, card: calm.operations.kindOf(last).card(last) };
  } finally {
    clockOf = undefined;
  }
}

async function playRound(
  scheduler: fc.Scheduler,
  shelf: Shelf,
  world: SmallWorld,
  id: string,
  index: number,
  round: Round,
): Promise<void> {
  const { signal } = new AbortController();
  const again = async (worker: WorkerProcess, turn: () => Promise<unknown>): Promise<void> => {
    for (let turns = 0; turns < TURNS; turns++) {
      await turn();
      await worker.pause('the next turn');
    }
  };
  const faults: unknown[] = [];
  const run = (work: Promise<void>): unknown => work.catch((error: unknown) => faults.push(error));
  for (const [number, livesFor] of round.lives.entries()) {
    const worker = startWorker(shelf, world, mortal(scheduler, `worker ${index}.${number}`, livesFor));
    run(again(worker, async () => worker.drive(id, signal)));
  }
  const watcher = startWorker(shelf, world, mortal(scheduler, `watcher ${index}`, Infinity));
  run(again(watcher, async () => watcher.watch(WATCH_ID, signal)));
  run(passTime(scheduler, world, round.steps));
  // Whoever is dead never comes to an end, so this waits for what can still move.
  await scheduler.waitIdle();
  expect(faults).toEqual([]);
}

async function passTime(scheduler: fc.Scheduler, world: SmallWorld, steps: readonly number[]): Promise<void> {
  for (const step of steps) {
    await scheduler.schedule(Promise.resolve(), `${step} ms pass`);
    world.now += step;
  }
}

/** One worker that lives, in a world where everything goes well. */
async function goWell(shelf: Shelf, world: SmallWorld, id: string): Promise<WorkerProcess> {
  const { signal } = new AbortController();
  world.luck.length = 0;
  world.travel = () => Promise.resolve();
  const worker = startWorker(shelf, world, () => Promise.resolve());
  for (let turns = 0; recordOf(shelf, id).closedAt === undefined; turns++) {
    expect(turns, 'turns to the end').toBeLessThan(MOST_CALM_TURNS);
    const wait = await worker.drive(id, signal);
    const looksIn = await worker.watch(WATCH_ID, signal);
    world.now += Math.min(wait ?? Infinity, looksIn ?? Infinity, 60_000);
  }
  return worker;
}

const bad = fc.constantFrom<Luck>('answer lost', 'lost on the way', 'refused');
const luck = fc.oneof({ weight: 3, arbitrary: fc.constant<Luck>('well') }, { weight: 1, arbitrary: bad });
const life = fc.oneof(fc.integer({ min: 1, max: 40 }), fc.constant(Infinity));
const rest = fc.constantFrom(0, 600, 2_000, 7_000, 14_000);
const anyStep = fc.constantFrom(100, 300, 450, 700, 1_500, 5_000, 7_000, 14_000);

function troubleOf(lives: fc.Arbitrary<number[]>, steps: fc.Arbitrary<number[]>, rounds = 3) {
  const round = fc.record({ lives, steps, rest });
  return fc.record({
    rounds: fc.array(round, { minLength: 1, maxLength: rounds }),
    luck: fc.array(luck, { maxLength: 12 }),
  });
}
const some = fc.array(life, { minLength: 2, maxLength: 3 });

/** Anything: a worker may sleep through minutes at any wait and go on as if nothing had been. */
const anything = troubleOf(some, fc.array(fc.oneof(anyStep, fc.constant(61_000)), { maxLength: 12 }), 2);
/**
 * Nobody finds it too late for a call while another is about to make it: the lane gives up an operation without
 * asking whether it is being sent meanwhile.
 */
const beforeTooLate = troubleOf(some, fc.array(anyStep, { maxLength: 4 }), 2).filter(
  ({ rounds }) => passed(rounds) < timings.acceptWithinMs,
);
/**
 * Nobody sleeps until another has looked up and repeated the post at hand: the record can't tell a late word about
 * the earlier post from one about the later.
 */
const nobodyOvertaken = troubleOf(some, fc.array(fc.constantFrom(50, 100), { maxLength: 4 }));
/** One worker speaks at a time: of two edits on their way at once the older may land last. */
const oneAtATime = troubleOf(
  fc.array(life, { minLength: 1, maxLength: 1 }),
  fc.array(anyStep, { maxLength: 6 }),
  5,
);

function passed(rounds: readonly Round[]): number {
  return rounds.flatMap(({ steps, rest: pause }) => [...steps, pause]).reduce((sum, ms) => sum + ms, 0);
}

/** Plays many schedules and holds every end against `check`. */
async function everySchedule(power: Power, given: fc.Arbitrary<Trouble>, check: (ended: Ended) => void) {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), given, async (scheduler, one) =>
      check(await play(scheduler, power, one)),
    ),
    { numRuns: SCHEDULES },
  );
}

const standing = ({ world }: Ended, part: 'card' | 'reply') =>
  world.messages.filter((message) => message.key === `op-1-${part}`);

test('two or three at once ask for a restart at most once, whoever dies or sleeps', () =>
  everySchedule('restart', anything, ({ world }) => {
    expect(world.unproven).toBeLessThanOrEqual(1);
    expect(world.effects).toBeLessThanOrEqual(1);
  }));

test('nobody is left without an end, and the end that was told stays', () =>
  everySchedule('stop', anything, ({ shelf, isStuck, last }) => {
    expect(isStuck).toBe(false);
    expect(last.closedAt).toBeDefined();
    const outcomes = shelf.history.flatMap(({ outcome }) => (outcome ? [JSON.stringify(outcome)] : []));
    expect(new Set(outcomes).size).toBe(1);
  }));

test.each(POWERS)('whoever asks for a %s is told the truth', (power) =>
  everySchedule(power, beforeTooLate, ({ world, last }) => {
    const { result } = last.outcome ?? {};
    expect(result).toBeDefined();
    if (result === 'done') expect(world.effects).toBeGreaterThan(0);
    if (result === 'cancelled' || result === 'failed') expect(world.effects).toBe(0);
  }),
);

test('two or three at once post one card and one reply', () =>
  everySchedule('restart', nobodyOvertaken, (ended) => {
    expect(standing(ended, 'card')).toHaveLength(1);
    expect(standing(ended, 'reply')).toHaveLength(1);
  }));

test('whoever dies while speaking, the card shows the end in the end', () =>
  everySchedule('restart', oneAtATime, (ended) => {
    expect(standing(ended, 'card').map(({ message }) => message)).toEqual([ended.card]);
    expect(standing(ended, 'reply')).toHaveLength(1);
  }));
