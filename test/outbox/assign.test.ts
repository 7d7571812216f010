import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type BoardStore, createBoardStore } from '../../src/core/boards/board-store.ts';
import { type Database, takeDatabase } from '../support/shared-redis.ts';

const NOW = 1_700_000_000_000;
const HALF_AN_HOUR_MS = 30 * 60_000;

let database: Database;
let redis: Redis;
let store: BoardStore;

beforeAll(async () => {
  database = await takeDatabase();
  redis = new Redis(database.url);
  store = createBoardStore(redis, { ownCards: 2 }, { now: () => NOW });
});

afterAll(() => {
  redis.disconnect();
  database.release();
});

const assign = (operationId: string, channelId: string, now = NOW): Promise<string | undefined> =>
  store.assign(operationId, { channelId }, now);

it('the first few of a channel have a card of their own, the others share a board, however often each asks', async () => {
  for (const _ of ['once', 'twice']) {
    expect(await assign('one', 'C1')).toBeUndefined();
    expect(await assign('two', 'C1')).toBeUndefined();
    // The first to join it gives it its id.
    expect(await assign('three', 'C1')).toBe('three');
    expect(await assign('four', 'C1')).toBe('three');
  }
});

it('what began longer ago than any operation takes leaves its place to another', async () => {
  await assign('old', 'C2', NOW - HALF_AN_HOUR_MS - 1);
  await assign('new', 'C2');
  expect(await assign('newer', 'C2')).toBeUndefined();
  expect(await assign('newest', 'C2')).toBe('newest');
});
