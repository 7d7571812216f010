import { describe, expect, it } from 'vitest';
import { FAR_OFF_HOUR } from '../../sandbox/phrases/far-off-hour.ts';
import { powerCalls, readAll, runToEnd } from '../support/sandbox.ts';
import { letSchedulesBeDue, readSchedules } from '../../sandbox/phrases/due-schedule.ts';
import { playFleet } from '../batches/fleet.ts';
import { reads, saves } from './fleet.ts';

describe('a schedule that is due', () => {
  it('stops what its filter finds then, on one card that says whose schedule it is', async () => {
    const sandbox = await playFleet(3, { env: { LAMPLIGHTER_PROTECTED: 'stg-2' } });
    await saves(sandbox, `name:stg-* stop at ${FAR_OFF_HOUR} daily UTC`);
    await letSchedulesBeDue(sandbox, -1_000);
    const card = await reads(sandbox, '2 operations: all done.');
    await sandbox.settled();
    expect(card).toContain(`By the schedule of @ana: stop at ${FAR_OFF_HOUR}, every day (UTC).`);
    expect(card).toContain('Skipped stg-2: it is protected; run it separately');
    expect(powerCalls(sandbox, 'stop')).toBe(2);
    expect(readAll(sandbox).at(-1)).toBe('@ana Both stopped.');
    const [schedule] = await readSchedules(sandbox);
    expect(schedule?.last?.result).toBe('begun');
    expect(schedule?.next?.at).toBeGreaterThan(Date.now());
  });

  it('leaves alone what somebody starts after it, until the next stop, whose announcement names them', async () => {
    const sandbox = await playFleet(2);
    await saves(sandbox, `name:stg-* stop at ${FAR_OFF_HOUR} daily UTC`);
    await letSchedulesBeDue(sandbox, -1_000);
    await reads(sandbox, '2 operations: all done.');
    await runToEnd(sandbox, 'bob', '/instances start stg-0');
    await runToEnd(sandbox, 'ana', '/instances start stg-1');
    await sandbox.settled();
    expect(powerCalls(sandbox, 'stop')).toBe(2);
    const [schedule] = await readSchedules(sandbox);
    expect(schedule?.open).toBeUndefined();
    expect(schedule?.next?.at).toBeGreaterThan(Date.now() + 3_600_000);
    await letSchedulesBeDue(sandbox, 300_000);
    const warning = await reads(sandbox, 'will be stopped');
    expect(warning).toContain('Started since the last stop: stg-0 by @bob.');
    expect(powerCalls(sandbox, 'stop')).toBe(2);
  });

  it('says what it found where there is nothing to do, and asks the service for nothing', async () => {
    const sandbox = await playFleet(2);
    await saves(sandbox, `name:stg-* start at ${FAR_OFF_HOUR} UTC`);
    await letSchedulesBeDue(sandbox, -1_000);
    const text = await reads(sandbox, 'Nothing to start');
    expect(text).toContain('2 match');
    expect(text).toContain('Skipped 2, each is running already: stg-0, stg-1');
    expect(powerCalls(sandbox)).toBe(0);
  });

  it('is not run when it was missed by more than 30 minutes, and says so', async () => {
    const sandbox = await playFleet(2);
    await saves(sandbox, `name:stg-* stop at ${FAR_OFF_HOUR} UTC`);
    await letSchedulesBeDue(sandbox, -31 * 60_000);
    expect(await reads(sandbox, 'was not run')).toContain("It won't be run late.");
    expect(powerCalls(sandbox)).toBe(0);
  });
});
