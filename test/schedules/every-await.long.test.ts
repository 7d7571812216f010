import { describe, expect, it } from 'vitest';
import { FAR_OFF_HOUR } from '../../sandbox/phrases/far-off-hour.ts';
import { letSchedulesBeDue, readSchedules } from '../../sandbox/phrases/due-schedule.ts';
import { openSandbox, type Sandbox } from '../../sandbox/sandbox.ts';
import { instance, worldOf } from '../../sandbox/world.ts';
import { createFailpoints, type Injection, INJECTIONS } from '../support/failpoints.ts';
import { QUICK } from '../support/inject.ts';
import { startRedisProxy } from '../support/redis-proxy.ts';
import { allOr } from '../support/runs.ts';
import { powerCalls, readAll } from '../support/sandbox.ts';
import { saves } from './fleet.ts';
import { until } from '../support/until.ts';

/** The awaits of a run's road, from the step that opens it to the step that says that it has begun. */
const POINTS = [
  'schedule record.find 1',
  'schedule record.change 1',
  'outbox.saying 1',
  'schedule record.find 2',
  'batches.find 1',
  'access.check 1',
  'hosting.listInstances 1',
  'access.decisions 1',
  'batches.begin 1',
  'schedule record.change 2',
];
/** And of a run that finds nothing, with what it says. */
const EMPTY_POINTS = ['schedule record.change 1', 'outbox.saying 2', 'schedule record.change 2'];

/** Slack has more time than elsewhere: a run whose owner it doesn't tell of is put off, in the end for a minute. */
const TIMINGS = {
  ...QUICK,
  slackTimeoutMs: 2_500,
  findPostAfterMs: 3_000,
  acceptWithinMs: 20_000,
  billingCheckEveryMs: Number.POSITIVE_INFINITY,
};
/** So many lines of the bot's log say why a test failed. */
const LOGGED = 30;

/** The road of one run that is due at the bot's start, the bot interrupted at one of its awaits, and another that takes over. */
async function inject(point: string, way: Injection, line: string, words: string): Promise<Sandbox> {
  const sandbox = await openSandbox({
    bot: false,
    timings: TIMINGS,
    hosting: {
      world: worldOf([instance(1_000, 'stg-0'), instance(1_001, 'stg-1')]),
      powerMs: 60,
      rateLimit: 100_000,
    },
    adapter: { limit: { requests: 100_000, seconds: 60 } },
  });
  const proxy = await startRedisProxy(sandbox.redisUrl);
  const failpoints = createFailpoints({ point, inject: way });
  try {
    await sandbox.startBot();
    await saves(sandbox, line);
    await letSchedulesBeDue(sandbox, 300_000);
    if (line.includes('stop'))
      await sandbox.slack.until(() => readAll(sandbox).some((text) => text.includes('[ Not tonight ]')));
    await sandbox.stopBots();
    await letSchedulesBeDue(sandbox, -1_000);
    await sandbox.startBot({ REDIS_URL: proxy.url }, failpoints.faultPoints);
    await failpoints.injected;
    if (way === 'crash') proxy.cut();
    if (way === 'pause') proxy.freeze();
    if (way !== 'answer lost') await sandbox.startBot();
    await sandbox.slack.until(() => readAll(sandbox).some((text) => text.includes(words)), {
      timeoutMs: 60_000,
    });
    if (way === 'pause') {
      proxy.thaw();
      failpoints.resume();
    }
    await until(async () => (await readSchedules(sandbox)).every(({ open }) => !open));
    await sandbox.settled();
    await sandbox.stopBots();
    return sandbox;
  } catch (error) {
    process.stderr.write(`${point}, ${way}:\n${sandbox.logs.slice(-LOGGED).join('')}`);
    throw error;
  } finally {
    proxy.cut();
    await sandbox.close();
    await proxy.stop();
  }
}

describe.each(INJECTIONS)('a run of a bot interrupted by "%s"', (way) => {
  it.concurrent.each(allOr(POINTS, 'batches.begin 1'))(
    'at %s is one batch, with one call for each instance and one card',
    async (point) => {
      const sandbox = await inject(
        point,
        way,
        `name:stg-* stop at ${FAR_OFF_HOUR} UTC`,
        '2 operations: all done.',
      );
      expect(powerCalls(sandbox, 'stop')).toBe(2);
      const texts = readAll(sandbox);
      expect(texts.filter((text) => text.includes('By the schedule of @ana'))).toHaveLength(1);
      expect(texts.filter((text) => text.includes('Nothing to stop'))).toEqual([]);
      expect(texts.filter((text) => text.includes('The stop began'))).toHaveLength(1);
    },
  );

  it.concurrent.each(allOr(EMPTY_POINTS, 'schedule record.change 2'))(
    'at %s that finds nothing says so once',
    async (point) => {
      const sandbox = await inject(point, way, `name:stg-* start at ${FAR_OFF_HOUR} UTC`, 'Nothing to start');
      expect(powerCalls(sandbox)).toBe(0);
      expect(readAll(sandbox).filter((text) => text.includes('Nothing to start'))).toHaveLength(1);
    },
  );
});
