import { expect, it } from 'vitest';
import { FAR_OFF_HOUR } from '../../sandbox/phrases/far-off-hour.ts';
import { letSchedulesBeDue, readSchedules } from '../../sandbox/phrases/due-schedule.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { QUEUE, QUEUE_PREFIX } from '../../src/platform/queue/queue.ts';
import { playFleet } from '../batches/fleet.ts';
import { startProcess } from '../support/process.ts';
import { powerCalls, readAll } from '../support/sandbox.ts';
import { connectTo } from '../support/shared-redis.ts';
import { until } from '../support/until.ts';
import { reads, saves } from './fleet.ts';

const SOON_MS = 400;

/** One card, one call for each of the two instances, one reply that tells the end, and nothing else of the run. */
async function expectOneRun(sandbox: Sandbox): Promise<void> {
  await reads(sandbox, '2 operations: all done.');
  await sandbox.settled();
  expect(powerCalls(sandbox, 'restart')).toBe(2);
  const texts = readAll(sandbox).filter((text) => !text.includes('scheduled:'));
  expect(texts).toHaveLength(2);
  expect(texts[0]).toContain('By the schedule of @ana');
  expect(texts[1]).toBe('@ana Both restarted.');
  const [schedule] = await readSchedules(sandbox);
  expect(schedule?.last?.result).toBe('begun');
}

it('two bots make one run of what is due', async () => {
  const sandbox = await playFleet(2);
  await sandbox.startBot();
  await saves(sandbox, `name:stg-* restart at ${FAR_OFF_HOUR} UTC`);
  await letSchedulesBeDue(sandbox, SOON_MS);
  await expectOneRun(sandbox);
});

it('the bot that saved it is killed, and another makes the one run', async () => {
  const sandbox = await playFleet(2, { bot: false });
  const first = await startProcess(sandbox);
  await saves(sandbox, `name:stg-* restart at ${FAR_OFF_HOUR} UTC`);
  await startProcess(sandbox);
  await first.end('SIGKILL');
  await letSchedulesBeDue(sandbox, SOON_MS);
  await expectOneRun(sandbox);
});

it('a bot is killed while the first call of a run is on its way, and nothing is asked for twice', async () => {
  const sandbox = await playFleet(2, { bot: false });
  const first = await startProcess(sandbox, { timings: { acceptWithinMs: 20_000 } });
  await saves(sandbox, `name:stg-* restart at ${FAR_OFF_HOUR} UTC`);
  const held = sandbox.hosting.hold({ path: /\/1000\/restart$/ }, 'after');
  await letSchedulesBeDue(sandbox, SOON_MS);
  await held.arrived;
  await first.end('SIGKILL');
  held.drop();
  await startProcess(sandbox, { timings: { acceptWithinMs: 20_000 } });
  await reads(sandbox, '2 operations:');
  await sandbox.settled();
  for (const id of [1_000, 1_001])
    expect(sandbox.hosting.countCalls('POST', new RegExp(`/${id}/restart$`))).toBeLessThanOrEqual(1);
  expect(readAll(sandbox).filter((text) => text.includes('By the schedule of @ana'))).toHaveLength(1);
});

it('a queue that was emptied loses no run', async () => {
  const sandbox = await playFleet(2);
  await saves(sandbox, `name:stg-* restart at ${FAR_OFF_HOUR} UTC`);
  await sandbox.settled();
  const redis = connectTo(sandbox);
  // While a job runs, it has a second key: its lock.
  await until(async () => (await redis.keys(`${QUEUE_PREFIX}:${QUEUE}:schedule-*`)).length === 1);
  await redis.del(...(await redis.keys(`${QUEUE_PREFIX}:${QUEUE}:*`)));
  await letSchedulesBeDue(sandbox, SOON_MS);
  await expectOneRun(sandbox);
});
