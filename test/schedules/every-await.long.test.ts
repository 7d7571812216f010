import { describe, expect, it } from 'vitest';
import { FAR_OFF_HOUR } from '../../sandbox/phrases/far-off-hour.ts';
import { letSchedulesBeDue, readSchedules } from '../../sandbox/phrases/due-schedule.ts';
import { instance, worldOf } from '../../sandbox/world.ts';
import { INJECTIONS } from '../support/failpoints.ts';
import { type Road, walk } from '../support/road.ts';
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
  slackTimeoutMs: 2_500,
  findPostAfterMs: 3_000,
  acceptWithinMs: 20_000,
  billingCheckEveryMs: Number.POSITIVE_INFINITY,
};
/** The road of one run that is due at the bot's start. */
const runOf = (line: string, words: string): Road => ({
  opened: {
    timings: TIMINGS,
    hosting: {
      world: worldOf([instance(1_000, 'stg-0'), instance(1_001, 'stg-1')]),
      powerMs: 60,
      rateLimit: 100_000,
    },
  },
  before: async (sandbox) => {
    await saves(sandbox, line);
    await letSchedulesBeDue(sandbox, 300_000);
    if (line.includes('stop'))
      await sandbox.slack.until(() => readAll(sandbox).some((text) => text.includes('[ Not tonight ]')));
    await sandbox.stopBots();
    await letSchedulesBeDue(sandbox, -1_000);
  },
  isReported: (sandbox) =>
    sandbox.slack.until(() => readAll(sandbox).some((text) => text.includes(words)), { timeoutMs: 60_000 }),
  end: async (sandbox) => {
    await until(async () => (await readSchedules(sandbox)).every(({ open }) => !open));
    await sandbox.settled();
  },
});

describe.each(INJECTIONS)('a run of a bot interrupted by "%s"', (way) => {
  it.concurrent.each(allOr(POINTS, 'batches.begin 1'))(
    'at %s is one batch, with one call for each instance and one card',
    async (point) => {
      const stop = runOf(`name:stg-* stop at ${FAR_OFF_HOUR} UTC`, '2 operations: all done.');
      const sandbox = await walk(stop, point, way);
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
      const start = runOf(`name:stg-* start at ${FAR_OFF_HOUR} UTC`, 'Nothing to start');
      const sandbox = await walk(start, point, way);
      expect(powerCalls(sandbox)).toBe(0);
      expect(readAll(sandbox).filter((text) => text.includes('Nothing to start'))).toHaveLength(1);
    },
  );
});
