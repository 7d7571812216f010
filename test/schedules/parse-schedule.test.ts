import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Refusal } from '../../src/core/refusal.ts';
import { whenSchema } from '../../src/core/schedules/when.ts';
import { parsePause } from '../../src/features/instances/schedules/parse-end.ts';
import { parseSchedule } from '../../src/features/instances/schedules/parse-schedule.ts';
import { refusedBy } from '../support/refused-by.ts';
import { PURE_RUNS, RULE_RUNS } from '../support/runs.ts';

const DAILY = [1, 2, 3, 4, 5, 6, 7];
const WORKDAYS = [1, 2, 3, 4, 5];
const OWN = 'America/New_York';
/** A Wednesday at 10:41. */
const MOMENT = { at: Date.UTC(2026, 10, 18, 15, 41), zone: OWN };

const refusalOf = (line: string): string =>
  refusedBy(() => parseSchedule(line.split(' ').filter(Boolean), MOMENT));

const once = (verb: string, date: string, hour: number, minute = 0, zone = OWN): unknown => ({
  kind: 'once',
  zone,
  verb,
  date,
  hour,
  minute,
});

/** From a start on some days to a stop. */
const hours = (from: [number[], number], to: [number[], number]): unknown => ({
  kind: 'weekly',
  zone: OWN,
  rules: [
    { verb: 'start', days: from[0], hour: from[1], minute: 0 },
    { verb: 'stop', days: to[0], hour: to[1], minute: 0 },
  ],
});

const stopAt = (days: number[], zone: string, hour = 20): unknown => ({
  kind: 'weekly',
  zone,
  rules: [{ verb: 'stop', days, hour, minute: 0 }],
});

describe('typed words', () => {
  test.each<[string, unknown]>([
    ['stop at 20:00 mon-fri Europe/Berlin', stopAt(WORKDAYS, 'Europe/Berlin')],
    ['stop at 20 daily utc', stopAt(DAILY, 'UTC')],
    ['stop 8pm weekdays', stopAt(WORKDAYS, OWN)],
    ['stop every weekday at 8 pm', stopAt(WORKDAYS, OWN)],
    ['stop at 8 pm every day Europe/Berlin', stopAt(DAILY, 'Europe/Berlin')],
    ['stop weekends 20:00 UTC', stopAt([6, 7], 'UTC')],
    ['stop tonight', once('stop', '2026-11-18', 20)],
    ['stop tonight at 22:30', once('stop', '2026-11-18', 22, 30)],
    ['start tomorrow 7am UTC', once('start', '2026-11-19', 7, 0, 'UTC')],
    ['hours 08:00-20:00 every weekday', hours([WORKDAYS, 8], [WORKDAYS, 20])],
    ['STOP AT 20:00 Sat,Sun', stopAt([6, 7], OWN)],
    ['stop at 20:00 Europe/Berlin', stopAt(DAILY, 'Europe/Berlin')],
    ['stop at 20:00', stopAt(DAILY, OWN)],
    ['stop at 20:00 mon–wed,friday', stopAt([1, 2, 3, 5], OWN)],
    ['stop at 20:00 sat-mon', stopAt([1, 6, 7], OWN)],
    ['hours 08:00-20:00 mon-fri', hours([WORKDAYS, 8], [WORKDAYS, 20])],
    ['hours 22:00-06:00 fri-sun', hours([[5, 6, 7], 22], [[1, 6, 7], 6])],
    ['stop once at 2026-12-24 18:00', once('stop', '2026-12-24', 18)],
  ])('"%s" is understood', (line, when) => {
    const parsed = parseSchedule(['web-1', ...line.split(' ')], MOMENT);
    expect(parsed).toEqual({ target: ['web-1'], when });
    expect(whenSchema.parse(parsed.when)).toEqual(parsed.when);
  });

  test('an instance that is called like a verb is a name', () => {
    expect(parseSchedule(['stop', 'at', 'stop', 'at', '20:00'], MOMENT).target).toEqual(['stop', 'at']);
  });

  test.each([
    ['web-1', "I can't tell what to do when."],
    ['stop at 20:00', 'Which instance is that for?'],
    ['web-1 stop at', 'No time follows "stop at".'],
    ['web-1 stop at 13pm', 'I don\'t understand the time "13pm". Use a time from 00:00 to 23:59.'],
    ['web-1 stop at 20:00 mo', 'I can\'t read the days "mo". Write them like mon-fri, sat,sun or daily.'],
    ['web-1 stop at 20:00 mon-fryday', 'I can\'t read the days "mon-fryday"'],
    ['web-1 stop at 20:00 mon-wed-fri', 'I can\'t read the days "mon-wed-fri"'],
    ['web-1 stop at 20:00 daily Berlin', '"Berlin" isn\'t a time zone that I know. Use a city'],
    ['web-1 stop at 20:00 daily UTC soon', 'I can\'t read "soon" after the time zone.'],
    ['web-1 stop at 20:00 UTC daily', 'I can\'t read "daily" after the time zone.'],
    ['web-1 hours 08:00', 'After hours, give a start and an end, like hours 08:00-20:00.'],
    ['web-1 hours 08:00-08:00', 'The two times are the same.'],
    ['web-1 stop once at 24.12.2026 18:00', 'I can\'t read the day "24.12.2026". Write it like 2026-12-24.'],
    ['web-1 stop once at 2026-02-30 18:00', 'I can\'t read the day "2026-02-30"'],
    ['web-1 stop once at 2026-12-24', 'No time follows "2026-12-24".'],
    ['web-1 name:stg-* stop at 20:00', 'I take names or a filter, not both at once.'],
  ])('"%s" is refused in one sentence', (line, sentence) => {
    expect(refusalOf(line)).toContain(sentence);
  });

  test('are understood or refused, whatever they are', () => {
    const line = ['web-1', 'stop', 'at', '20:00', 'mon-fri', 'Europe/Berlin'];
    const odd = fc.constantFrom('mon-', '-', ',', '20:0', 'Etc/', 'hours', 'once', 'at', '\u0663', '😀', '');
    fc.assert(
      fc.property(fc.nat(line.length - 1), odd, fc.string({ maxLength: 6 }), (place, start, rest) => {
        try {
          const { when } = parseSchedule(line.with(place, `${start}${rest}`), MOMENT);
          expect(whenSchema.safeParse(when).success).toBe(true);
        } catch (error) {
          if (!(error instanceof Refusal)) throw error;
        }
      }),
      { numRuns: PURE_RUNS },
    );
  });

  test('mean the schedule that they spell out', () => {
    const names = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
    fc.assert(
      fc.property(
        fc.constantFrom('start', 'stop', 'restart'),
        fc.integer({ min: 0, max: 23 }),
        fc.integer({ min: 0, max: 59 }),
        fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
        fc.constantFrom('UTC', 'Europe/Berlin', 'Asia/Kathmandu'),
        (verb, hour, minute, days, zone) => {
          const clock = `${hour}:${String(minute).padStart(2, '0')}`;
          const typed = days.map((day) => names[day - 1]).join(',');
          expect(parseSchedule(['web-1', verb, 'at', clock, typed, zone], MOMENT).when).toEqual({
            kind: 'weekly',
            zone,
            rules: [{ verb, days: days.toSorted((one, other) => one - other), hour, minute }],
          });
        },
      ),
      { numRuns: RULE_RUNS },
    );
  });
});

describe('the time of a pause', () => {
  const now = Date.parse('2026-11-26T12:00:00Z');
  test.each([
    ['3d', '2026-11-29T12:00:00.000Z'],
    ['18:00', '2026-11-26T17:00:00.000Z'],
    ['mon', '2026-11-29T23:00:00.000Z'],
    ['mon 08:00', '2026-11-30T07:00:00.000Z'],
    ['2026-12-24', '2026-12-23T23:00:00.000Z'],
    [' 2026-12-24  18:00 ', '2026-12-24T17:00:00.000Z'],
  ])('"%s" is %s', (typed, at) => {
    expect(new Date(parsePause(typed, 'Europe/Berlin', now) ?? 0).toISOString()).toBe(at);
  });

  test.each(['', 'soon', '0d', '2026-11-25', '2026-02-30', '2028-01-01', '60w', 'mon 13pm', '1 2 3'])(
    '"%s" is none',
    (typed) => expect(parsePause(typed, 'Europe/Berlin', now)).toBeUndefined(),
  );
});
