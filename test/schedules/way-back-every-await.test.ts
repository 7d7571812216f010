import { describe, expect, it } from 'vitest';
import { openSandbox } from '../../sandbox/sandbox.ts';
import { createFailpoints, type Injection, INJECTIONS } from '../support/failpoints.ts';
import { QUICK } from '../support/inject.ts';
import { startRedisProxy } from '../support/redis-proxy.ts';
import { allOr } from '../support/runs.ts';
import { answerTo, readAll } from '../support/sandbox.ts';

/** The awaits of a beginning for a while, up to where its end stands. */
const POINTS = [
  'requests.accept 1',
  'requests.takeUp 1',
  'access.require 1',
  'hosting.listInstances 1',
  'access.require 2',
  'operations.findHolder 1',
  'access.using 1',
  'operations.begin 1',
  'outbox.saying 1',
  'queue.wake 1',
  'queue.wake 2',
  'schedule record.find 1',
  'lanes.take 1',
  'operations.change 1',
  'messenger.post 1',
  'operations.change 2',
  'write queue.takeOrWait 1',
  'access.check 3',
  'hosting.powerInstance 1',
  'operations.change 3',
  'operations.change 4',
  'messenger.update 1',
  'operations.change 6',
  'operations.change 8',
  'messenger.update 2',
];

/** What came of it in the end. */
interface Begun {
  /** Calls to start that reached the hosting service. */
  readonly starts: number;
  /** The cards of the start in #ops. */
  readonly cards: readonly string[];
  /** What is scheduled for it. */
  readonly stops: readonly string[];
}

/** A start for four hours, the bot interrupted at one of its awaits, and another bot that takes over. */
async function begin(at: { readonly point: string; readonly inject: Injection }): Promise<Begun> {
  const sandbox = await openSandbox({
    bot: false,
    timings: QUICK,
    env: { LAMPLIGHTER_ALLOW: '', LAMPLIGHTER_EVERYONE: 'admin' },
    hosting: { rateLimit: 100_000, powerMs: 60 },
    adapter: { limit: { requests: 100_000, seconds: 60 } },
  });
  const proxy = await startRedisProxy(sandbox.redisUrl);
  const failpoints = createFailpoints(at);
  try {
    await sandbox.startBot({ REDIS_URL: proxy.url }, failpoints.faultPoints);
    const taken = failpoints.injected.then(async () => {
      if (at.inject === 'crash') proxy.cut();
      if (at.inject === 'pause') proxy.freeze();
      if (at.inject !== 'answer lost') await sandbox.startBot();
    });
    taken.catch(() => undefined);
    await sandbox.slack
      .person('ana')
      .types('#ops', '/instances start staging for 4h')
      .catch(() => undefined);
    await taken;
    await sandbox.settled(60_000);
    if (at.inject === 'pause') {
      proxy.thaw();
      failpoints.resume();
    }
    await sandbox.settled(60_000);
    const scheduled = await answerTo(sandbox, 'ana', '/instances schedules');
    return {
      starts: sandbox.hosting.countCalls('POST', /\/start$/),
      cards: readAll(sandbox).filter(
        (text) => /^\S+ .*staging \(\d+\)/.test(text) && text.includes('Request '),
      ),
      stops: scheduled.split('\n').filter((line) => line.includes('stop once at')),
    };
  } finally {
    proxy.cut();
    await sandbox.close();
    await proxy.stop();
  }
}

// In a chaos run at each await, else at the commit that writes both.
describe.each(INJECTIONS)('a start for a while, interrupted by "%s"', (way) => {
  it.concurrent.each(allOr(POINTS, 'operations.begin 1'))(
    'at %s is one start with one stop, or none with none',
    async (point) => {
      const { starts, cards, stops } = await begin({ point, inject: way });
      expect(starts).toBeLessThanOrEqual(1);
      expect(cards.length).toBeLessThanOrEqual(1);
      const isStarted = cards.some((text) => text.includes('✅'));
      if (isStarted) expect([starts, stops.length]).toEqual([1, 1]);
      if (cards.length === 0) expect([starts, stops]).toEqual([0, []]);
      expect(stops.length).toBeLessThanOrEqual(1);
    },
    180_000,
  );
});
