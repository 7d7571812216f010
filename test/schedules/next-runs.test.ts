import { describe, expect, it } from 'vitest';
import { nextRuns } from '../../src/core/schedules/next-runs.ts';
import type { When } from '../../src/core/schedules/when.ts';

const DAILY = [1, 2, 3, 4, 5, 6, 7];
const WORKDAYS = [1, 2, 3, 4, 5];

function stopAt(hour: number, minute: number, days: number[], zone: string): When {
  return { kind: 'weekly', zone, rules: [{ verb: 'stop', days, hour, minute }] };
}

function runs(when: When, after: string, count = 5): string[] {
  return nextRuns(when, Date.parse(after), count).map(
    ({ at, verb, odd = '', shown }) =>
      `${verb} ${new Date(at).toISOString().slice(0, 16)} shows ${shown} ${odd}`,
  );
}

describe('the next runs', () => {
  it('leave out the days that are not named', () => {
    expect(runs(stopAt(20, 0, WORKDAYS, 'Europe/Berlin'), '2026-11-26T12:00:00Z')).toEqual([
      'stop 2026-11-26T19:00 shows 2026-11-26T20:00 ',
      'stop 2026-11-27T19:00 shows 2026-11-27T20:00 ',
      'stop 2026-11-30T19:00 shows 2026-11-30T20:00 ',
      'stop 2026-12-01T19:00 shows 2026-12-01T20:00 ',
      'stop 2026-12-02T19:00 shows 2026-12-02T20:00 ',
    ]);
  });

  it('are strictly after the moment asked', () => {
    const noon = stopAt(12, 0, DAILY, 'UTC');
    expect(runs(noon, '2026-11-26T11:59:59.999Z', 1)).toEqual([
      'stop 2026-11-26T12:00 shows 2026-11-26T12:00 ',
    ]);
    expect(runs(noon, '2026-11-26T12:00:00Z', 1)).toEqual(['stop 2026-11-27T12:00 shows 2026-11-27T12:00 ']);
  });

  it('start and stop in turn', () => {
    const hours: When = {
      kind: 'weekly',
      zone: 'UTC',
      rules: [
        { verb: 'start', days: WORKDAYS, hour: 8, minute: 0 },
        { verb: 'stop', days: WORKDAYS, hour: 20, minute: 0 },
      ],
    };
    expect(runs(hours, '2026-11-27T09:00:00Z', 3)).toEqual([
      'stop 2026-11-27T20:00 shows 2026-11-27T20:00 ',
      'start 2026-11-30T08:00 shows 2026-11-30T08:00 ',
      'stop 2026-11-30T20:00 shows 2026-11-30T20:00 ',
    ]);
  });

  it('run at the first moment after a gap', () => {
    expect(runs(stopAt(2, 30, DAILY, 'Europe/Berlin'), '2026-03-28T12:00:00Z', 2)).toEqual([
      'stop 2026-03-29T01:00 shows 2026-03-29T03:00 gap',
      'stop 2026-03-30T00:30 shows 2026-03-30T02:30 ',
    ]);
  });

  it('run at the first of two, and once', () => {
    expect(runs(stopAt(2, 30, DAILY, 'Europe/Berlin'), '2026-10-24T12:00:00Z', 2)).toEqual([
      'stop 2026-10-25T00:30 shows 2026-10-25T02:30 twice',
      'stop 2026-10-26T01:30 shows 2026-10-26T02:30 ',
    ]);
  });

  it('count the later one of two that a gap puts at one moment', () => {
    const both: When = {
      kind: 'weekly',
      zone: 'Europe/Berlin',
      rules: [
        { verb: 'start', days: DAILY, hour: 2, minute: 0 },
        { verb: 'stop', days: DAILY, hour: 2, minute: 30 },
      ],
    };
    expect(runs(both, '2026-03-29T00:59:00Z', 2)).toEqual([
      'stop 2026-03-29T01:00 shows 2026-03-29T03:00 gap',
      'start 2026-03-30T00:00 shows 2026-03-30T02:00 ',
    ]);
  });

  it('are none once the only day is over', () => {
    const once: When = { kind: 'once', zone: 'UTC', verb: 'stop', date: '2026-12-24', hour: 18, minute: 0 };
    expect(runs(once, '2026-11-26T12:00:00Z')).toEqual(['stop 2026-12-24T18:00 shows 2026-12-24T18:00 ']);
    expect(runs(once, '2026-12-24T18:00:00Z')).toEqual([]);
  });

  it('are as many as were asked for where there is one a week', () => {
    expect(runs(stopAt(20, 0, [6], 'America/New_York'), '2026-11-22T12:00:00Z')).toHaveLength(5);
  });
});
