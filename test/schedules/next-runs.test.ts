import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { describe, expect, it } from 'vitest';
import { nextRuns } from '../../src/core/schedules/next-runs.ts';
import type { DaysOut } from '../../src/core/sentences/days-out.ts';
import { type When, whenSchema } from '../../src/core/schedules/when.ts';
import { clockAt } from '../../src/platform/time/zoned-time.ts';
import { RULE_RUNS } from '../support/runs.ts';

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

  it('leave out the days that are excepted, both ends of a range included', () => {
    const except = [
      { from: '2026-12-24', to: '2027-01-01' },
      { from: '2027-01-06', to: '2027-01-06' },
    ];
    const when = { ...stopAt(19, 0, WORKDAYS, 'Europe/Berlin'), except };
    expect(runs(when, '2026-12-23T12:00:00Z', 4).map((run) => run.slice(0, 15))).toEqual([
      'stop 2026-12-23',
      'stop 2027-01-04',
      'stop 2027-01-05',
      'stop 2027-01-07',
    ]);
  });

  it('leave out a day as the clock in the zone has it, also where that is set', () => {
    const when = {
      ...stopAt(23, 30, DAILY, 'America/New_York'),
      except: [{ from: '2026-11-01', to: '2026-11-01' }],
    };
    expect(runs(when, '2026-10-31T12:00:00Z', 2)).toEqual([
      'stop 2026-11-01T03:30 shows 2026-10-31T23:30 ',
      'stop 2026-11-03T04:30 shows 2026-11-02T23:30 ',
    ]);
  });

  // From March on, so that each of these zones sets its clock meanwhile.
  it('are those without exceptions but for the ones on a day that is left out', () => {
    const start = Temporal.PlainDate.from('2026-03-01');
    const day = (ahead: number): string => start.add({ days: ahead }).toString();
    const exception = fc
      .tuple(fc.nat(60), fc.nat(20))
      .map(([ahead, long]): DaysOut => ({ from: day(ahead), to: day(ahead + long) }));
    const rule = fc.record({
      verb: fc.constantFrom('start' as const, 'stop' as const),
      days: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
      hour: fc.integer({ min: 0, max: 23 }),
      minute: fc.constantFrom(0, 30),
    });
    const zone = fc.constantFrom(
      'UTC',
      'Europe/Berlin',
      'Africa/Cairo',
      'America/New_York',
      'America/Santiago',
    );
    const given = fc.record({
      kind: fc.constant('weekly' as const),
      zone,
      rules: fc.array(rule, { minLength: 1, maxLength: 2 }),
    });
    const excepted = fc.array(exception, { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(given, excepted, fc.nat(60), (when, except, ahead) => {
        const after = Date.parse(day(ahead));
        expect(whenSchema.safeParse({ ...when, except }).success).toBe(true);
        const found = nextRuns({ ...when, except }, after, 5);
        const last = found[4]?.at ?? 0;
        const isLeftOut = ({ at }: { readonly at: number }): boolean => {
          const local = clockAt(at, when.zone).toPlainDate();
          return except.some(
            ({ from, to }) =>
              Temporal.PlainDate.compare(from, local) <= 0 && Temporal.PlainDate.compare(local, to) <= 0,
          );
        };
        expect(found).toHaveLength(5);
        expect(found.filter(isLeftOut)).toEqual([]);
        // Every other run up to the last of them is there.
        const all = nextRuns(when, after, 400).filter(({ at }) => at <= last);
        expect(found).toEqual(all.filter((run) => !isLeftOut(run)));
      }),
      { numRuns: Math.ceil(RULE_RUNS / 10) },
    );
  });
});
