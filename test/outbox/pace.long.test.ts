import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createLanes, type Lane, type Lanes } from '../../src/core/outbox/lanes.ts';
import { TIMINGS } from '../../src/core/timings.ts';
import { type Database, takeDatabase } from '../support/shared-redis.ts';

const END: Lane = { method: 'edit', isProgress: false };
const STEP_MS = 250;
const MINUTE_MS = 60_000;

let database: Database;
let redis: Redis;
let now = 0;
let lanes: Lanes;

beforeAll(async () => {
  database = await takeDatabase();
  redis = new Redis(database.url);
  lanes = createLanes(redis, { now: () => now }, TIMINGS);
});

afterAll(() => {
  redis.disconnect();
  database.release();
});

/** Cards that wait for their edit, by the place that each was given. */
type Stale = (number | undefined)[];

/** Lets cards change and be edited for a while, as Slack bears it. Gives how many edits it refused. */
async function passes(
  stale: Stale,
  forMs: number,
  changeEveryMs: number,
  refuses: () => boolean,
  retryAfterMs = 1_000,
  lane = END,
): Promise<number> {
  let refused = 0;
  for (const until = now + forMs; now < until; now += STEP_MS) {
    if (now % changeEveryMs < STEP_MS) stale.push(undefined);
    for (const [index, place] of stale.entries()) {
      const turn = await lanes.take(lane, place);
      if (turn !== 'now') {
        stale[index] = turn.place;
        continue;
      }
      if (refuses()) {
        refused += 1;
        stale[index] = undefined;
        await lanes.pause(lane, retryAfterMs);
      } else stale.splice(index, 1);
      break;
    }
  }
  return refused;
}

it('after Slack refused eight edits and bears all since, cards that wait become fewer, and none waits in the end', async () => {
  await redis.flushdb();
  now = 1_000_000_000;
  const stale: Stale = Array.from({ length: 10 }, () => undefined);
  let left = 8;
  expect(await passes(stale, MINUTE_MS, 1_700, () => left-- > 0)).toBe(8);
  const atFirst = stale.length;
  await passes(stale, MINUTE_MS, 1_700, () => false);
  expect(stale.length).toBeLessThan(atFirst);
  await passes(stale, 3 * MINUTE_MS, 1_700, () => false);
  expect(stale.length).toBeLessThanOrEqual(1);
});

it.each<[string, Lane, number, number]>([
  ['twenty edits', END, 20, 1_000],
  ['five edits for twenty seconds each', END, 5, 20_000],
  ['eight edits that show how far something is', { method: 'edit', isProgress: true }, 8, 1_000],
])('the pace recovers after Slack refused %s', async (_name, lane, refusals, retryAfterMs) => {
  await redis.flushdb();
  now += 60 * MINUTE_MS;
  const stale: Stale = Array.from({ length: 10 }, () => undefined);
  let left = refusals;
  await passes(stale, 3 * MINUTE_MS, 4_000, () => left-- > 0, retryAfterMs, lane);
  await passes(stale, 5 * MINUTE_MS, 1_700, () => false, retryAfterMs, lane);
  expect(stale.length).toBeLessThanOrEqual(1);
});

it('a Slack that bears less than the usual pace is not asked again and again for more', async () => {
  await redis.flushdb();
  now = 2_000_000_000;
  let lastAt = 0;
  const refuses = (): boolean => {
    const isTooSoon = now - lastAt < 2_500;
    if (!isTooSoon) lastAt = now;
    return isTooSoon;
  };
  const stale: Stale = [];
  await passes(stale, 10 * MINUTE_MS, 3_000, refuses);
  expect(await passes(stale, 10 * MINUTE_MS, 3_000, refuses)).toBeLessThanOrEqual(12);
  expect(stale.length).toBeLessThan(20);
});
