import { describe, expect, it } from 'vitest';
import { INJECTIONS } from '../support/failpoints.ts';
import { type Road, walk } from '../support/road.ts';
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

/** A start for four hours. `tell`: is given what is scheduled in the end. */
const start = (tell: (schedules: string) => void): Road => ({
  opened: {
    env: { LAMPLIGHTER_ALLOW: '', LAMPLIGHTER_EVERYONE: 'admin' },
    hosting: { rateLimit: 100_000, powerMs: 60 },
  },
  asks: ({ slack }) => slack.person('ana').types('#ops', '/instances start staging for 4h'),
  isReported: (sandbox) => sandbox.settled(60_000),
  end: async (sandbox) => {
    await sandbox.settled(60_000);
    tell(await answerTo(sandbox, 'ana', '/instances schedules'));
  },
});

// In a chaos run at each await, else at the commit that writes both.
describe.each(INJECTIONS)('a start for a while, interrupted by "%s"', (way) => {
  it.concurrent.each(allOr(POINTS, 'operations.begin 1'))(
    'at %s is one start with one stop, or none with none',
    async (point) => {
      let scheduled = '';
      const tell = (schedules: string): void => void (scheduled = schedules);
      const sandbox = await walk(start(tell), point, way);
      const starts = sandbox.hosting.countCalls('POST', /\/start$/);
      const cards = readAll(sandbox).filter(
        (text) => /^\S+ .*staging \(\d+\)/.test(text) && text.includes('Request '),
      );
      const stops = scheduled.split('\n').filter((line) => line.includes('stop once at'));
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
