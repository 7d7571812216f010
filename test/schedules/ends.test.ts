import { describe, expect, it, test } from 'vitest';
import { nextRuns } from '../../src/core/schedules/next-runs.ts';
import { passedOver } from '../../src/core/schedules/schedule.ts';
import { readSchedule } from '../../src/features/instances/schedules/schedule.ts';
import { FAR_OFF_HOUR } from '../../sandbox/phrases/far-off-hour.ts';
import { letSchedulesBeDue, readSchedules } from '../../sandbox/phrases/due-schedule.ts';
import { refusedBy } from '../support/refused-by.ts';
import { answerTo } from '../support/sandbox.ts';
import { playFleet } from '../batches/fleet.ts';
import { reads, saves } from './fleet.ts';

/** A Wednesday at 10:41 in New York. */
const MOMENT = { at: Date.UTC(2026, 10, 18, 15, 41), zone: 'America/New_York' };
const HOLIDAYS = { berlin: [{ from: '2026-11-25', to: '2026-11-25' }] };

/** All runs of what was typed. */
function runsOf(line: string): string[] {
  const { when } = readSchedule(line.split(' '), MOMENT, HOLIDAYS);
  return nextRuns(when, MOMENT.at, 100).map(({ verb, shown }) => `${verb} ${shown}`);
}

const refusalOf = (line: string): string => refusedBy(() => runsOf(line));

describe('the end of a schedule', () => {
  test.each([
    'web-1 hours 08:00-20:00 mon-fri UTC for 7d',
    'web-1 hours 08:00-20:00 mon-fri UTC for a week',
    'web-1 hours 08:00-20:00 mon-fri UTC until 2026-11-25 12:00',
    'web-1 hours 08:00-20:00 mon-fri until 2026-11-25 12:00 UTC',
    'web-1 hours 08:00-20:00 mon-fri UTC until 2026-11-25 and keep it stopped',
  ])('is read in %s, and comes with a start', (line) => {
    const runs = runsOf(line);
    expect(runs).toHaveLength(10);
    expect(runs[0]).toBe('stop 2026-11-18T20:00');
    expect(runs.at(-1)).toBe('start 2026-11-25T08:00');
  });

  test('leaves nothing stopped by a start that is left out', () => {
    const runs = runsOf('web-1 hours 08:00-20:00 mon-fri UTC for 7d except berlin');
    expect(runs.at(-1)).toBe('start 2026-11-24T08:00');
  });

  test('counts its last day whole where it only stops', () => {
    expect(runsOf('web-1 stop at 20:00 mon-fri until friday')).toEqual([
      'stop 2026-11-18T20:00',
      'stop 2026-11-19T20:00',
      'stop 2026-11-20T20:00',
    ]);
  });

  test('is not how long something stays stopped, and not of what runs once', () => {
    expect(refusalOf('web-1 stop at 20:00 for 2h')).toMatch(/^I can't read the days "for"/);
    expect(refusalOf('web-1 stop once at 2026-12-24 18:00 until 2026-12-26')).toBe(
      'It runs once, on 2026-12-24, so it has no other end.',
    );
  });

  test('lies before days that are left out until then, however many they are', () => {
    const line = 'web-1 hours 08:00-20:00 daily until 2027-03-01 except 2026-11-25 to 2027-03-01';
    const { when } = readSchedule(line.split(' '), MOMENT, {});
    if (when.kind !== 'weekly') throw new Error('not weekly');
    expect(new Date(when.until ?? 0).toISOString().slice(0, 10)).toBe('2026-11-24');
  });

  test('is where its last run is passed over', () => {
    const { when } = readSchedule('web-1 stop at 20:00 daily until 2026-11-18'.split(' '), MOMENT, {});
    const next = { verb: 'stop' as const, at: 1, ruleAt: MOMENT.at + 86_400_000 };
    const one = {
      id: 'a',
      owner: { userId: 'U1' },
      channelId: 'C1',
      target: { filters: ['x'] },
      createdAt: 0,
    };
    expect(passedOver({ ...one, when, next }, 7)?.closed).toEqual({ at: 7, why: 'over' });
  });
});

it('a schedule with an end says so before it is saved, and is over after its last run', async () => {
  const sandbox = await playFleet(1);
  const preview = await answerTo(
    sandbox,
    'ana',
    '/instances schedule stg-0 hours 08:00-20:00 daily UTC until 2099-01-01',
  );
  expect(preview).toContain('every day (UTC), until 2099-01-01 08:00, for exactly stg-0 (1000).');
  expect(preview).toContain('It ends with a start.');
  // The far-off hour is half a day away, and so is what stands for the run that is let be due.
  const last = new Date(Date.now() + 12 * 3_600_000).toISOString().slice(0, 10);
  await saves(sandbox, `stg-0 stop at ${FAR_OFF_HOUR} daily UTC until ${last}`);
  await letSchedulesBeDue(sandbox, -1_000);
  await reads(sandbox, '1 operation: done.');
  await sandbox.settled();
  expect(await readSchedules(sandbox)).toEqual([]);
});
