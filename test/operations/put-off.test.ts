import { Redis } from 'ioredis';
import { describe, expect, it, onTestFinished } from 'vitest';
import { pauseOf, putOff } from '../../src/core/operations/execution.ts';
import { enqueued } from '../../src/core/operations/write-queue.ts';
import type { Operation } from '../../src/core/operations/operation.ts';
import { TIMINGS } from '../../src/core/timings.ts';
import { BUDGET } from '../../src/platform/hosting/budget.ts';
import { customer, instance } from '../../sandbox/world.ts';
import { deleteCalls, deletes, play, powerCalls, readAll, runToEnd } from '../support/sandbox.ts';
import { NOW, operation } from './operation.ts';

/** The waits of an operation that is put off again and again, each asked to be at least so long. */
function pausesOf(id: string, times: number, askedMs?: number): number[] {
  let one = { ...operation({}), id };
  return Array.from({ length: times }, () => {
    const pauseMs = pauseOf(one, askedMs);
    one = putOff(one, NOW + pauseMs);
    return pauseMs;
  });
}

describe('what the service refuses undone', () => {
  it('waits longer each time, up to a bound', () => {
    const pauses = pausesOf('op-1', 9);
    const isGrowing = pauses.slice(0, 5).every((pause, index) => pause > (pauses[index - 1] ?? 0));
    expect([isGrowing, pauses.every((pause) => pause >= 1_000 && pause <= 45_000)]).toEqual([true, true]);
    expect(pauses.slice(0, 6).reduce((sum, pause) => sum + pause, 0)).toBeGreaterThan(60_000);
  });

  it('waits as long as the service asks, and no shorter than it would have', () => {
    expect(Math.min(...pausesOf('op-1', 3, 20_000))).toBe(20_000);
    expect(pausesOf('op-1', 5, 2_000)[4]).toBeGreaterThan(15_000);
  });

  it('does not come back all at once where many were refused together', () => {
    const first = ['op-1', 'op-2', 'op-3', 'op-4', 'op-5', 'op-6'].map((id) => pausesOf(id, 1)[0]);
    expect(new Set(first).size).toBeGreaterThan(3);
  });

  it('is counted in the record, so that another process goes on with it', () => {
    expect(putOff(putOff(operation({}), NOW), NOW).execution.putOffs).toBe(2);
  });

  it('is given up where it has waited in line too long for its next call', () => {
    const one = operation({ execution: { sends: 1 } });
    const waiting = { ...one, queued: { since: NOW, place: 2, waitMs: 5_000 } };
    const at = (ms: number): Operation | undefined =>
      enqueued(waiting, { place: 1, waitMs: 5_000 }, NOW + ms, TIMINGS);
    expect(at(TIMINGS.maxQueueMs)?.outcome).toBeUndefined();
    // The call before may still be carried out.
    expect(at(TIMINGS.maxQueueMs + 1)?.outcome?.code).toBe('no-answer');
  });
});

it('an id that no call can name is refused at once, and no call is made or taken from the budget', async () => {
  const sandbox = await play({
    hosting: {
      variant: { idPrefix: 'zone/' },
      world: { customers: [customer('harbour', { instances: [instance(77, 'web-1')] })] },
    },
  });
  await runToEnd(sandbox, 'ana', '/instances restart web-1');
  expect(readAll(sandbox)[0]).toContain(
    "❌ Could not restart web-1 (zone/77): I can't use its id with the hosting service. Nothing was done; do it on the service's own site.",
  );
  expect(powerCalls(sandbox)).toBe(0);
  const redis = new Redis(sandbox.redisUrl);
  onTestFinished(() => redis.disconnect());
  expect(await redis.keys(`${BUDGET}:*:write`)).toEqual([]);
});

it('what could leave only after its deadline is given up at once, with the reason, and not kept for so long', async () => {
  const sandbox = await play();
  const held = sandbox.slack.hold('chat.postMessage');
  await deletes(sandbox);
  await held.arrived;
  const tooLong = { answer: 503, done: false, retryAfterSeconds: 600 };
  sandbox.hosting.failNext({ method: 'GET', path: /\/101$/ }, tooLong, 99);
  held.release();
  await sandbox.settled();
  expect(readAll(sandbox)[0]).toContain(
    'Could not delete web-1 (101): the hosting service gave no usable answer before I asked for it, so nothing was done.',
  );
  expect(deleteCalls(sandbox)).toBe(0);
});

it('a read that fails before the call, in whichever way, ends the operation at once, with what was said', async () => {
  const sandbox = await play();
  // What it was confirmed by could be read; the look before the call can't.
  const held = sandbox.slack.hold('chat.postMessage');
  await deletes(sandbox);
  await held.arrived;
  const before = sandbox.hosting.countCalls('GET', /\/101$/);
  sandbox.hosting.failNext(
    { method: 'GET', path: /\/101$/ },
    { answer: 409, done: false, message: 'It is being moved' },
    99,
  );
  held.release();
  await sandbox.settled();
  const [card = ''] = readAll(sandbox);
  expect(card).toContain('Could not delete web-1 (101)');
  expect(card).toContain('The service said: "It is being moved".');
  expect(sandbox.hosting.countCalls('GET', /\/101$/) - before).toBe(1);
  expect(deleteCalls(sandbox)).toBe(0);
});
