import { expect, it, onTestFinished } from 'vitest';
import { operationKeys } from '../../src/core/operations/keys.ts';
import { createLatest } from '../../src/core/operations/latest.ts';
import { NO_MEMORY } from '../../src/core/operations/memory.ts';
import type { Step } from '../../src/core/operations/moves.ts';
import { createOperationStore } from '../../src/core/operations/operation-store.ts';
import { TIMINGS } from '../../src/core/timings.ts';
import { createSwap } from '../../src/core/records/swap.ts';
import { createRedisClock } from '../../src/platform/redis/clock.ts';
import { createLog } from '../../src/platform/log/log.ts';
import { connectDatabase } from '../support/shared-redis.ts';
import { operation } from './operation.ts';

const ONE = operation({});
const LONG_MS = 60_000;
const move: Step = (now) => ({ ...now, usuallyMs: (now.usuallyMs ?? 0) + 1 });

/** Two processes over one operation; each has what it knows to itself. */
async function open() {
  const redis = await connectDatabase();
  const clock = createRedisClock(redis, createSwap(redis));
  onTestFinished(clock.stop);
  await redis.hset(operationKeys.operation(ONE.id), { version: 1, record: JSON.stringify(ONE) });
  const process = () => {
    const log = createLog('silent', []);
    const latest = createLatest();
    const store = createOperationStore({
      redis,
      outbox: { saying: async () => ({}) },
      clock,
      timings: TIMINGS,
      log,
      latest,
    });
    return {
      find: () => store.find(ONE.id),
      move: () =>
        store.change(
          ONE.id,
          move,
          () => 0,
          () => NO_MEMORY,
        ),
      isAsSeen: (withinMs: number) => store.isAsSeen(ONE.id, withinMs),
    };
  };
  return { mine: process(), other: process() };
}

it('a record is as a process has seen it for as long as nobody else moves it', async () => {
  const { mine, other } = await open();
  await mine.find();
  expect(await mine.isAsSeen(LONG_MS)).toBe(true);
  await other.move();
  expect(await mine.isAsSeen(LONG_MS)).toBe(false);
  await mine.find();
  expect(await mine.isAsSeen(LONG_MS)).toBe(true);
});

it('a record that a process has not seen, or hears of too late, is none that it knows', async () => {
  const { mine } = await open();
  expect(await mine.isAsSeen(LONG_MS)).toBe(false);
  await mine.find();
  // No answer is so quick.
  expect(await mine.isAsSeen(-1)).toBe(false);
});

it('a process that has moved it a moment ago asks nobody', async () => {
  const { mine, other } = await open();
  await mine.move();
  await other.find();
  await other.move();
  expect(await mine.isAsSeen(LONG_MS)).toBe(true);
});
