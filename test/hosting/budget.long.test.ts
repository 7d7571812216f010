import fc from 'fast-check';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type PrivateRedis, startRedis } from '../../sandbox/redis.ts';
import { instance, worldOf } from '../../sandbox/world.ts';
import { HostingError } from '../../src/platform/hosting/hosting-error.ts';
import { adapter as instanceHosting } from '../../src/platform/hosting/adapters/instance-hosting.ts';
import {
  accountOf,
  type Budget,
  createBudget,
  pieceOf,
  type Priority,
} from '../../src/platform/hosting/budget.ts';
import {
  connectFailFast,
  connectBlocking,
  disconnect,
  type RedisConnection,
} from '../../src/platform/redis/connection.ts';
import { BUDGET } from '../../src/platform/hosting/budget.ts';
import { PURE_RUNS } from '../support/runs.ts';
import { clientOf, faultOf, openBudget, openCompany } from './calling.ts';

let redis: PrivateRedis;

beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.stop());

/** What one process has: its own connection and its own budget. */
async function openProcess(
  key: string,
  limit: { requests: number; seconds: number },
): Promise<{ budget: Budget; connection: RedisConnection }> {
  const connection = connectFailFast({ url: redis.url }, () => undefined);
  onTestFinished(() => disconnect(connection));
  if (connection.status !== 'ready') {
    await new Promise((resolve) => {
      connection.once('ready', resolve);
    });
  }
  return { budget: createBudget(connection, key, limit, Date.now), connection };
}

const MINUTE = { requests: 20, seconds: 60 };

/** How many turns of a kind there are before somebody would have to wait. */
async function countCalls(budget: Budget, kind: 'read' | 'write'): Promise<number> {
  for (let calls = 0; calls < 1_000; calls++) {
    const refused = await budget.take(kind, 'testing', 0).then(
      () => false,
      () => true,
    );
    if (refused) return calls;
  }
  throw new Error('everything is let through');
}

test('gives as many turns as the service allows, and says how long the next one takes', async () => {
  const { budget } = await openProcess('counts', MINUTE);
  expect(await countCalls(budget, 'write')).toBe(14);
  const fault = await faultOf(budget.take('write', 'restarting web-1', 0));
  expect(fault).toMatchObject({
    fault: 'rate-limited',
    outcome: 'not-done',
    retryable: true,
    answered: false,
  });
  expect(fault.retryAfterMs).toBeGreaterThan(0);
  expect(fault.retryAfterMs).toBeLessThanOrEqual(61_000);
});

test('gives no more turns than the limit in any window, wherever a service begins to count', async () => {
  const { budget, connection } = await openProcess('any window', { requests: 4, seconds: 1 });
  const times: number[] = [];
  for (const kind of ['write', 'poll', 'write', 'read', 'poll', 'write', 'poll', 'write', 'poll'] as const) {
    await budget.take(kind, 'testing', 5_000);
    // The last call stands in it by its own time, as Redis counted it.
    const calls = (await connection.get(`${BUDGET}:${accountOf('any window')}:all`)) ?? '';
    times.push(Number(/(\d+):\d+$/.exec(calls)?.[1]));
  }
  for (const from of times)
    expect(times.filter((at) => at >= from && at <= from + 1_000).length).toBeLessThanOrEqual(4);
});

test('a ticket keeps its place, whichever process asks with it and how often', async () => {
  const one = await openProcess('line', MINUTE);
  const other = await openProcess('line', MINUTE);
  expect(await countCalls(one.budget, 'write')).toBe(14);
  const places: (number | undefined)[] = [];
  for (const [id, since] of [
    ['second', 2],
    ['third', 3],
    ['first', 1],
  ] as const)
    places.push((await one.budget.takeOrWait({ id, since }))?.place);
  expect(places).toEqual([1, 2, 1]);
  expect((await other.budget.takeOrWait({ id: 'third', since: 3 }))?.place).toBe(3);
  expect((await other.budget.takeOrWait({ id: 'third', since: 3 }))?.waitMs).toBeGreaterThan(0);
  await other.budget.leave('second');
  expect((await one.budget.takeOrWait({ id: 'third', since: 3 }))?.place).toBe(2);
});

test('who stands in line reads about how long it takes: a whole window later for each one that is full of others', async () => {
  const { budget } = await openProcess('line-wait', MINUTE);
  expect(await countCalls(budget, 'write')).toBe(14);
  const began = performance.now();
  /** The soonest that the last one's turn may be, by what it was told. */
  let turn = 0;
  let last = 0;
  for (let since = 1; since <= 30; since++) {
    const asked = performance.now();
    const { waitMs = 0 } = (await budget.takeOrWait({ id: `ticket ${since}`, since })) ?? {};
    // Redis counts in whole ms.
    expect(performance.now() + waitMs + 2).toBeGreaterThanOrEqual(turn);
    turn = asked + waitMs;
    last = waitMs;
  }
  expect(performance.now() - began + last).toBeGreaterThan(2 * 60_000);
  expect(last).toBeLessThanOrEqual(3 * 61_000);
});

test('is one for all processes that use the same key', async () => {
  const one = await openProcess('shared', MINUTE);
  const other = await openProcess('shared', MINUTE);
  for (let turn = 0; turn < 12; turn++) await one.budget.take('write', 'testing', 0);
  expect(await countCalls(other.budget, 'write')).toBe(2);
  expect(await countCalls(one.budget, 'write')).toBe(0);
});

test('gives each of many who ask at the same moment its own turn', async () => {
  const one = await openProcess('crowded', MINUTE);
  const other = await openProcess('crowded', MINUTE);
  const ended = await Promise.allSettled(
    Array.from({ length: 40 }, (_, index) => (index % 2 ? one : other).budget.take('write', 'testing', 0)),
  );
  expect(ended.filter((turn) => turn.status === 'fulfilled')).toHaveLength(14);
});

test('is another for another key', async () => {
  const { budget } = await openProcess('first-key', MINUTE);
  expect(await countCalls(budget, 'write')).toBe(14);
  const other = await openProcess('second-key', MINUTE);
  expect(await countCalls(other.budget, 'write')).toBe(14);
});

test('keeps a part that reads may not touch, so that a power action comes before them', async () => {
  const { budget } = await openProcess('reserve', MINUTE);
  expect(await countCalls(budget, 'read')).toBe(17);
  expect(await countCalls(budget, 'write')).toBe(3);
});

test('stops reads in another process as well when writes have used the rest', async () => {
  const writer = await openProcess('reserve-shared', MINUTE);
  for (let turn = 0; turn < 14; turn++) await writer.budget.take('write', 'testing', 0);
  for (let turn = 0; turn < 3; turn++) await writer.budget.take('poll', 'testing', 0);
  const reader = await openProcess('reserve-shared', MINUTE);
  expect(await faultOf(reader.budget.take('read', 'listing', 0))).toMatchObject({ fault: 'rate-limited' });
  await writer.budget.take('poll', 'testing', 0);
});

const DOCUMENTED = { requests: 100, seconds: 60 };

test('no matter who asks in which order, background reading takes no more than its part and people get theirs', async () => {
  let account = 0;
  const kinds = fc.array(fc.constantFrom<Priority>('bulk', 'background', 'continued', 'read'), {
    minLength: 80,
    maxLength: 160,
  });
  await fc.assert(
    fc.asyncProperty(kinds, async (order) => {
      const own = await openProcess(`parts ${account++}`, DOCUMENTED);
      const granted = {
        bulk: 0,
        refresh: 0,
        background: 0,
        continued: 0,
        read: 0,
        poll: 0,
        change: 0,
        alert: 0,
        write: 0,
      };
      for (const kind of order) {
        const isRefused = await own.budget.take(kind, 'testing', 0).then(
          () => false,
          () => true,
        );
        // 85 of 100 are for reads, and what runs in the background had at most 6 of them.
        if (kind === 'read' && granted.read < 79) expect(isRefused).toBe(false);
        if (!isRefused) granted[kind] += 1;
      }
      expect(granted.bulk).toBeLessThanOrEqual(4);
      expect(granted.background + granted.continued).toBeLessThanOrEqual(2);
      for (let write = 0; write < 15; write++) await own.budget.take('write', 'testing', 0);
    }),
    { numRuns: 15 },
  );
});

test('what reads in the background in one process leaves less of its part for another', async () => {
  const one = await openProcess('part-shared', DOCUMENTED);
  const other = await openProcess('part-shared', DOCUMENTED);
  await one.budget.take('background', 'reading', 0);
  await other.budget.take('background', 'reading', 0);
  const fault = await faultOf(one.budget.take('background', 'reading', 0));
  expect(fault).toMatchObject({ fault: 'rate-limited', answered: false });
  expect(fault.retryAfterMs).toBeLessThanOrEqual(15_000);
});

test('a part of any limit is spread over its window and never more than that part', () => {
  const limits = fc.record({
    requests: fc.integer({ min: 1, max: 10_000 }),
    seconds: fc.integer({ min: 1, max: 3_600 }),
  });
  fc.assert(
    fc.property(limits, fc.double({ min: 0.01, max: 0.5, noNaN: true }), (limit, share) => {
      const piece = pieceOf(limit, share);
      const inOneWindow = Math.ceil(limit.seconds / piece.seconds) * piece.requests;
      expect(inOneWindow).toBeLessThanOrEqual(Math.max(1, limit.requests * share));
      expect(piece.requests).toBeGreaterThanOrEqual(1);
    }),
    { numRuns: PURE_RUNS },
  );
});

test('counts as many calls as the documented service allows for a key: 100 in 60 seconds', () => {
  expect(instanceHosting.limit).toEqual(DOCUMENTED);
});

test('stops everybody for as long as the service asked', async () => {
  const one = await openProcess('pauses', MINUTE);
  const other = await openProcess('pauses', MINUTE);
  await one.budget.pause(30_000);
  for (const { budget } of [one, other]) {
    const { retryAfterMs } = await faultOf(budget.take('write', 'testing', 0));
    expect(retryAfterMs).toBeGreaterThan(25_000);
    expect(retryAfterMs).toBeLessThanOrEqual(30_000);
  }
});

// A block of no time would be one without an end.
test('a pause of no time at all, as of "Retry-After: 0", stops nobody', async () => {
  const { budget, connection } = await openProcess('no time', MINUTE);
  await budget.pause(0);
  const names = await connection.keys(`${BUDGET}*`);
  for (const name of names) expect(await connection.ttl(name), name).not.toBe(-1);
  await budget.take('write', 'testing', 0);
});

test('a read that gets no turn within its patience is given up, not waited for all the same', async () => {
  let asked = 0;
  const take = async (_kind: string, doing: string): Promise<never> => {
    asked += 1;
    throw new HostingError(doing, {
      fault: 'rate-limited',
      outcome: 'not-done',
      retryable: true,
      retryAfterMs: 5,
    });
  };
  const hosting = clientOf('http://127.0.0.1:1', { budget: { ...openBudget(), take } });
  expect(await faultOf(hosting.listInstances())).toMatchObject({ fault: 'rate-limited' });
  expect(asked).toBe(1);
});

test('goes on after the pause has ended', async () => {
  const { budget } = await openProcess('pauses-shortly', MINUTE);
  await budget.pause(400);
  expect(await faultOf(budget.take('write', 'testing', 0))).toMatchObject({ fault: 'rate-limited' });
  await budget.take('write', 'testing', 3_000);
});

test('is paused by a 429 of the service itself', async () => {
  const { budget } = await openProcess('paused-by-429', MINUTE);
  const { sandbox, url } = await openCompany({ world: worldOf([instance(1, 'web-1')]) });
  const hosting = clientOf(url, { budget });
  sandbox.failNext({ method: 'POST' }, { answer: 429, done: false, retryAfterSeconds: 30 });
  await faultOf(hosting.powerInstance('1', 'restart'));
  // Nothing leaves during the pause, and nothing is written down for it either.
  let written = 0;
  const beforeSend = async (): Promise<void> => {
    written += 1;
  };
  expect(await faultOf(hosting.powerInstance('1', 'restart', { beforeSend }))).toMatchObject({
    fault: 'rate-limited',
    outcome: 'not-done',
    answered: false,
  });
  expect([written, sandbox.calls.length]).toEqual([0, 1]);
});

test('tells Redis a hash and never the key itself', async () => {
  const { budget, connection } = await openProcess('oc_live_canary_key', MINUTE);
  await budget.take('write', 'testing', 0);
  const patient = connectBlocking({ url: redis.url }, () => undefined);
  onTestFinished(() => disconnect(patient));
  const names = await patient.keys(`${BUDGET}*`);
  expect(names.length).toBeGreaterThan(0);
  expect(names.join(' ')).not.toContain('canary');
  expect(connection.status).toBe('ready');
});

test('is counted by each process for itself while Redis is down, and shared again afterwards', async () => {
  const { budget, connection } = await openProcess('redis-down', MINUTE);
  await budget.take('write', 'testing', 0);
  await redis.kill();
  if (connection.status === 'ready') {
    await new Promise((resolve) => {
      connection.once('close', resolve);
    });
  }
  expect(await countCalls(budget, 'read')).toBe(17);
  expect(await countCalls(budget, 'write')).toBe(3);
  await budget.pause(1_000);
  await redis.restart();
  if (connection.status !== 'ready') {
    await new Promise((resolve) => {
      connection.once('ready', resolve);
    });
  }
  // What was counted within a second of the kill may be gone with it.
  expect([13, 14]).toContain(await countCalls(budget, 'write'));
});
