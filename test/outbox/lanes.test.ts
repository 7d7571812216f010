import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { laneKey, createLanes, type Lane, type Lanes, type Turn } from '../../src/core/outbox/lanes.ts';
import { type Database, takeDatabase } from '../support/shared-redis.ts';

const EVERY_MS = 60_000;
const END: Lane = { method: 'edit', isProgress: false };
const POST: Lane = { method: 'post', channelId: 'C1' };
const PROGRESS = { method: 'edit', isProgress: true } as const;

let database: Database;
let redis: Redis;
let lanes: Lanes;

beforeAll(async () => {
  database = await takeDatabase();
  redis = new Redis(database.url);
  lanes = createLanes(redis, Date, { postEveryMs: EVERY_MS, editEveryMs: EVERY_MS });
});

afterAll(() => {
  redis.disconnect();
  database.release();
});

/** When the message of a lane may go out, and its place in it. */
async function waits(lane: Lane, place?: number): Promise<Turn> {
  const turn = await lanes.take(lane, place);
  if (turn === 'now') throw new Error('it may go out now');
  return turn;
}

it('progress takes no place in a lane from an end, and leaves the last of a burst to ends', async () => {
  const turns = [];
  for (let count = 0; count < 20; count += 1) turns.push(await lanes.take(PROGRESS, undefined));
  expect(turns.filter((turn) => turn === 'now')).toHaveLength(2);
  // Each end has the next place, as if no progress had asked.
  expect(await lanes.take(END, undefined)).toBe('now');
  expect(await lanes.take(END, undefined)).toBe('now');
  const first = await waits(END);
  const second = await waits(END);
  expect(second.at - first.at).toBe(EVERY_MS);
  const late = await waits(PROGRESS);
  expect(late.place).toBeUndefined();
  expect(late.at).toBeGreaterThan(second.at);
});

it('progress that finds no room asks the less often the longer it has waited', async () => {
  for (let count = 0; count < 5; count += 1) await lanes.take(PROGRESS, undefined);
  const soonest = (await waits(PROGRESS)).at;
  const asks = async (yieldsSince?: number): Promise<number> => {
    const turns = await Promise.all(
      Array.from({ length: 50 }, () =>
        waits({ ...PROGRESS, ...(yieldsSince === undefined ? {} : { yieldsSince }) }),
      ),
    );
    return Math.max(...turns.map(({ at }) => at)) - soonest;
  };
  expect(await asks()).toBeLessThan(5 * EVERY_MS);
  expect(await asks(Date.now() - 3_600_000)).toBeGreaterThan(10 * EVERY_MS);
});

it('who waits in a lane keeps the place through pauses and however often they ask, and who comes later stays behind', async () => {
  // What goes out at once.
  await lanes.take(POST, undefined);
  await lanes.take(POST, undefined);
  const first = await waits(POST);
  const second = await waits(POST);
  for (let count = 0; count < 5; count += 1) {
    await lanes.pause(POST, 2 * EVERY_MS);
    const [one, other] = [await waits(POST, first.place), await waits(POST, second.place)];
    expect([one.place, other.place]).toEqual([first.place, second.place]);
    expect(other.at - one.at).toBe(EVERY_MS);
  }
  // Five pauses at the same moment are one.
  const [one, other, third] = [
    await waits(POST, first.place),
    await waits(POST, second.place),
    await waits(POST),
  ];
  expect(one.at - first.at).toBeLessThan(3 * EVERY_MS);
  expect(third.at - other.at).toBeGreaterThanOrEqual(EVERY_MS);
  expect(third.at - other.at).toBeLessThanOrEqual(2 * EVERY_MS);
});

it('a lane that was forgotten while somebody waited in it is forgotten once more after their turn', async () => {
  const lane: Lane = { method: 'post', channelId: 'C2' };
  await lanes.take(lane, undefined);
  await lanes.take(lane, undefined);
  const { place } = await waits(lane);
  await redis.del(laneKey('post', 'C2'));
  expect(await lanes.take(lane, Number(place) - EVERY_MS)).toBe('now');
  expect(await redis.pttl(laneKey('post', 'C2'))).toBeGreaterThan(0);
});

it('a lane of which something else is left in Redis begins again', async () => {
  const lane: Lane = { method: 'post', channelId: 'C9' };
  await redis.hset(laneKey('post', 'C9'), 'nextAt', 1);
  expect(await lanes.take(lane, undefined)).toBe('now');
});
