import { setTimeout as wait } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { expect, it, onTestFinished } from 'vitest';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { instance, worldOf } from '../../sandbox/world.ts';
import { APPROVALS } from '../../src/core/approvals/approvals.ts';
import { BOARDS } from '../../src/core/boards/board-store.ts';
import { operationKeys } from '../../src/core/operations/keys.ts';
import { POSTS } from '../../src/core/outbox/outbox.ts';
import { requestKeys } from '../../src/core/ask/ask.ts';
import type { Timings } from '../../src/core/timings.ts';
import {
  excessesOf,
  faultsOf,
  MAX_BYTES_LEFT,
  type Measured,
  measureKeys,
  type Units,
  USED_UNITS,
} from '../support/redis-keys.ts';
import { play } from '../support/sandbox.ts';

/** More waves than an instance's past has entries. */
const INSTANCES = 90;
const WAVES = 56;
const OPERATIONS = INSTANCES * WAVES;
const CHANNELS = ['#ops', '#billing', '#shared'];
const PEOPLE = ['ana', 'bob', 'fin'];
const INDEXES = [
  operationKeys.open,
  operationKeys.polled,
  BOARDS.index,
  POSTS.index,
  requestKeys.open,
  APPROVALS.index,
];

/** Much at once on a busy machine takes its time. */
const PATIENT: Partial<Timings> = {
  writeDownWithinMs: 20_000,
  acceptWithinMs: 60_000,
  sendWithinMs: 10_000,
  apiTimeoutMs: 15_000,
  slackTimeoutMs: 15_000,
  noticeAfterMs: 20_000,
  findPostAfterMs: 20_000,
  slowAfterMs: 60_000,
  patienceMs: 60_000,
};

/** How many of each unit there are at the end, when nothing is open any more: none of what isn't counted here. */
const UNITS: Units = {
  ...Object.fromEntries([...USED_UNITS].map((unit) => [unit, 0])),
  operation: OPERATIONS,
  request: OPERATIONS,
  attempt: OPERATIONS,
  card: OPERATIONS,
  instance: INSTANCES,
  kind: 2,
  'verb of an instance': 2 * INSTANCES,
  place: CHANNELS.length,
  channel: CHANNELS.length,
  board: CHANNELS.length * WAVES,
  account: 1,
  queue: 3,
  'call a minute': 100_000,
};

/** All stop, and next time all start again: in each channel a few with cards of their own, the others on a board. */
async function wave(sandbox: Sandbox, verb: 'stop' | 'start'): Promise<void> {
  await Promise.all(
    Array.from({ length: INSTANCES }, (_, index) =>
      sandbox.slack
        .person(PEOPLE[index % PEOPLE.length] ?? '')
        .types(CHANNELS[index % CHANNELS.length] ?? '', `/instances ${verb} m-${index}`),
    ),
  );
  await sandbox.settled(600_000);
}

function bytesOf(measured: readonly Measured[]): number {
  return measured.reduce((sum, { bytes }) => sum + bytes, 0);
}

it(
  '5,000 operations that have ended leave nothing open, and of each key no more than docs/redis-keys.md says',
  { timeout: 1_800_000 },
  async () => {
    const instances = Array.from({ length: INSTANCES }, (_, index) => instance(1_000 + index, `m-${index}`));
    const sandbox = await play({
      ownRedis: true,
      env: { LOG_LEVEL: 'warn' },
      hosting: { world: worldOf(instances), powerMs: 40 },
      slack: { deadlineMs: 30_000 },
      timings: { ownCards: 3, asksPerMinute: 100_000, ...PATIENT },
    });
    const redis = new Redis(sandbox.redisUrl);
    onTestFinished(() => redis.disconnect());
    const sizes: number[] = [];
    for (let at = 0; at < WAVES; at++) {
      if (at % (WAVES / 2) === 0) sizes.push(bytesOf(await measureKeys(redis)));
      await wave(sandbox, at % 2 === 0 ? 'stop' : 'start');
    }
    // Boards are joined for a while after all have ended.
    while ((await redis.exists(...INDEXES)) > 0) await wait(50);
    const measured = await measureKeys(redis);
    const ended = measured.filter(({ row }) => row?.key === 'operation:<operation>').length;
    expect(ended).toBeGreaterThanOrEqual(5_000);
    expect(faultsOf(measured)).toEqual([]);
    expect(excessesOf(measured, UNITS)).toEqual([]);

    const [start = 0, half = 0] = sizes;
    const [first, second] = [half - start, bytesOf(measured) - half];
    expect((first + second) / ended).toBeLessThan(MAX_BYTES_LEFT);
    expect(second).toBeLessThan(1.2 * first);
  },
);
