import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Decision } from '../../src/core/policy/decide.ts';
import { POWERS, type Power } from '../../src/platform/hosting/service.ts';
import type { Operation } from '../../src/core/operations/operation.ts';
import { createShelf, recordOf, type Shelf } from './in-memory.ts';
import { operation } from './operation.ts';
import type { QueuePlace } from '../../src/platform/hosting/budget.ts';
import { createSmallWorld, type Luck, type SmallWorld } from './small-world.ts';
import { mortal, startWorker, type WorkerProcess } from './workers.ts';
import { runs } from '../support/runs.ts';

const SCHEDULES = runs(1_000);
const TURNS = 3;
const MAX_CALM_TURNS = 100;

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
  readonly rights: readonly Decision[];
  readonly places: readonly QueuePlace[];
  /** How many chances to arrive each call lets go by, so that others overtake it. */
  readonly delays: readonly number[];
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
  const world = createSmallWorld(
    power === 'start' ? 'stopped' : 'running',
    trouble.luck,
    trouble.rights,
    trouble.places,
  );
  const delays = [...trouble.delays];
  world.travel = async (what) => {
    for (let left = delays.shift() ?? 0; left >= 0; left--) await scheduler.schedule(Promise.resolve(), what);
  };
  const shelf = createShelf(begun);
  clockOf = world;
  try {
    for (const [index, round] of trouble.rounds.entries()) {
      await playRound(scheduler, shelf, world, begun.id, index, round);
      world.now += round.rest;
    }
    const isDue = Number.isFinite(shelf.due.get(begun.id)?.()) || shelf.watched.has(begun.id);
    const isStuck = recordOf(shelf, begun.id).closedAt === undefined && !isDue;
    const calm = await goWell(shelf, world, begun.id);
    const last = recordOf(shelf, begun.id);
    return { world, shelf, isStuck, last, card: calm.operations.cardOf(last) };
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
  const poller = startWorker(shelf, world, mortal(scheduler, `poller ${index}`, Infinity));
  run(again(poller, async () => poller.poll(signal)));
  run(passTime(scheduler, world, round.steps));
  // A dead process never comes to an end, so this waits for what can still move.
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
  world.rights.length = 0;
  world.travel = () => Promise.resolve();
  const worker = startWorker(shelf, world, () => Promise.resolve());
  for (let turns = 0; recordOf(shelf, id).closedAt === undefined; turns++) {
    expect(turns, 'turns to the end').toBeLessThan(MAX_CALM_TURNS);
    const wait = await worker.drive(id, signal);
    const looksIn = await worker.poll(signal);
    world.now += Math.min(wait ?? Infinity, looksIn ?? Infinity, 60_000);
  }
  return worker;
}

const bad = fc.constantFrom<Luck>('answer lost', 'lost on the way', 'refused');
const luck = fc.oneof({ weight: 3, arbitrary: fc.constant<Luck>('well') }, { weight: 1, arbitrary: bad });
const right = fc.constantFrom<Decision>(
  { allowed: true, rule: { by: 'admins' } },
  { allowed: false, reason: 'not checked' },
  { allowed: false, reason: 'no role' },
);
const life = fc.oneof(fc.integer({ min: 1, max: 40 }), fc.constant(Infinity));
const step = fc.constantFrom(100, 300, 450, 700, 1_500, 5_000, 7_000, 14_000, 61_000);

const place = fc.record({
  place: fc.integer({ min: 1, max: 30 }),
  waitMs: fc.integer({ min: 1, max: 120_000 }),
});

/** Anything: a worker may sleep through minutes at any wait and go on as if nothing had been. */
const anything = fc.record({
  rounds: fc.array(
    fc.record({
      lives: fc.array(life, { minLength: 1, maxLength: 3 }),
      steps: fc.array(step, { maxLength: 12 }),
      rest: fc.constantFrom(0, 600, 2_000, 7_000, 14_000),
    }),
    { minLength: 1, maxLength: 3 },
  ),
  luck: fc.array(luck, { maxLength: 12 }),
  delays: fc.array(fc.constantFrom(0, 0, 0, 10, 40), { maxLength: 8 }),
  rights: fc.oneof(
    { weight: 3, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.array(right, { maxLength: 4 }) },
  ),
  places: fc.oneof(
    { weight: 2, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.array(place, { maxLength: 4 }) },
  ),
});

function itCameToOneEnd({ shelf, isStuck, last }: Ended): void {
  expect(isStuck).toBe(false);
  expect(last.closedAt).toBeDefined();
  const outcomes = shelf.history.flatMap(({ outcome }) => (outcome ? [JSON.stringify(outcome)] : []));
  expect(new Set(outcomes).size).toBe(1);
}

function theEndIsTrue({ world, last }: Ended): void {
  const { result } = last.outcome ?? {};
  if (result === 'done') expect(world.executions).toBeGreaterThan(0);
  if (result === 'canceled' || result === 'failed') expect(world.executions).toBe(0);
}

function aRestartIsAskedForOnce({ world }: Ended): void {
  expect(world.unproven).toBeLessThanOrEqual(1);
  expect(world.executions).toBeLessThanOrEqual(1);
}

function oneCardAndOneReplyTellIt({ world, card }: Ended): void {
  const standing = (part: 'card' | 'reply') => world.messages.filter(({ key }) => key === `op-1-${part}`);
  expect(standing('card').map(({ message }) => message)).toEqual([card]);
  expect(standing('reply')).toHaveLength(1);
}

test.each(POWERS)(
  'no matter which process dies, sleeps or is late, a %s comes to one true end that one card and one reply tell',
  (power) =>
    fc.assert(
      fc.asyncProperty(fc.scheduler(), anything, async (scheduler, trouble) => {
        const ended = await play(scheduler, power, trouble);
        itCameToOneEnd(ended);
        theEndIsTrue(ended);
        oneCardAndOneReplyTellIt(ended);
        if (power === 'restart') aRestartIsAskedForOnce(ended);
      }),
      { numRuns: SCHEDULES },
    ),
);
