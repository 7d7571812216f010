import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  nextAt,
  parseSchedule,
  type Schedule,
  scheduleSchema,
} from '../../../src/features/billing/digest/schedule.ts';
import { WEEKDAYS } from '../../../src/platform/time/clock-words.ts';
import { wallAt } from '../../support/wall-clock.ts';
import { Refusal } from '../../../src/core/refusal.ts';
import { toText } from '../../../src/platform/slack/phrase.ts';
import { PURE_RUNS, RULE_RUNS } from '../../support/runs.ts';

const HOUR_MS = 3_600_000;
const WEEK_MS = 7 * 24 * HOUR_MS;
const EXAMPLE = /Example: \/billing digest (.+)\.$/;

function refusalOf(words: readonly string[]): string {
  try {
    parseSchedule(words, 'UTC');
  } catch (error) {
    if (error instanceof Refusal) return error.answer.lines.map(toText).join('\n');
    throw error;
  }
  throw new Error(`${words.join(' ')} was understood`);
}

describe('typed words', () => {
  const monday = { weekday: 1, hour: 9, minute: 0, zone: 'UTC', onlyChanges: false } as const;

  test.each<[string, Partial<Schedule>]>([
    ['weekly mon 09:00', {}],
    ['mon 9', {}],
    ['WEEKLY Monday 9:00', {}],
    ['weekly monday 9am', {}],
    ['weekly mon 9:30 PM europe/madrid', { hour: 21, minute: 30, zone: 'Europe/Madrid' }],
    ['weekly mon 12am', { hour: 0 }],
    ['weekly tues 23:59', { weekday: 2, hour: 23, minute: 59 }],
    ['weekly SUNDAY 0:05 utc', { weekday: 7, hour: 0, minute: 5 }],
    ['weekly thu 09 europe/madrid', { weekday: 4, zone: 'Europe/Madrid' }],
    ['weekly fri 18:30 Asia/Kolkata', { weekday: 5, hour: 18, minute: 30, zone: 'Asia/Kolkata' }],
    ['weekly wed 9 America/Argentina/Buenos_Aires', { weekday: 3, zone: 'America/Argentina/Buenos_Aires' }],
  ])('"%s" is understood', (line, over) => {
    const schedule = parseSchedule(line.split(' '), 'UTC');
    expect(schedule).toMatchObject({ ...monday, ...over });
    expect(scheduleSchema.parse(schedule)).toEqual(schedule);
  });

  test('without a zone are by the clock of who says them', () => {
    const zoneOf = (line: string): string => parseSchedule(line.split(' '), 'Europe/Berlin').zone;
    expect(['mon 09:00', 'mon 9', 'mon 9 utc'].map(zoneOf)).toEqual([
      'Europe/Berlin',
      'Europe/Berlin',
      'UTC',
    ]);
  });

  test.each([
    ['', 'A digest needs a day of the week and a time.'],
    ['weekly mon', 'A digest needs a day of the week and a time.'],
    ['weekly mo 09:00', '"mo" isn\'t a day of the week that I know.'],
    ['daily mon 09:00', '"daily" isn\'t a day of the week that I know.'],
    ['weekly mon 24:00', 'I don\'t understand the time "24:00". Use a time from 00:00 to 23:59.'],
    ['weekly mon 9:60', 'I don\'t understand the time "9:60"'],
    ['weekly mon 13pm', 'I don\'t understand the time "13pm"'],
    ['weekly mon 9xm', 'I don\'t understand the time "9xm"'],
    [
      'weekly mon 09:00 Madrid',
      '"Madrid" isn\'t a time zone that I know. Use a city, like Europe/Berlin, or UTC.',
    ],
    ['weekly mon 09:00 Europe/Nowhere', '"Europe/Nowhere" isn\'t a time zone'],
    ['weekly mon 09:00 EST', '"EST" isn\'t a time zone'],
    ['weekly mon 09:00 +02:00', '"+02:00" isn\'t a time zone'],
    ['weekly mon 09:00 only', '"only" isn\'t a time zone'],
    ['weekly mon 09:00 UTC sometimes', `I can't read "sometimes" after the time zone.`],
    ['weekly mon 09:00 UTC <!channel>', `I can't read "&lt;!channel&gt;" after the time zone.`],
    ['weekly mon 09:00 only changes', 'A digest comes each week, whether or not something changed.'],
    ['mon 9 utc Only Changes', 'A digest comes each week, whether or not something changed.'],
  ])('"%s" is refused in a sentence', (line, sentence) => {
    expect(refusalOf(line === '' ? [] : line.split(' '))).toContain(sentence);
  });

  test('are understood or refused, whatever they are, and the example in a refusal works', () => {
    const lines = [
      ['weekly', 'mon', '9'],
      ['Sunday', '23:59', 'UTC'],
      ['weekly', 'tue', '09:00', 'Europe/Madrid'],
      ['weekly', 'fri', '0:30', 'utc'],
    ];
    const odd = '|mon|9|09:0|UTC|Etc/|only|é|\u0130|\u0663|\u200b|\u0000|😀'.split('|');
    const [line, place, start] = [lines.length, 6, odd.length].map((size) => fc.nat(size - 1));
    const examples = new Set<string>();
    fc.assert(
      fc.property(line!, place!, start!, fc.string({ maxLength: 5 }), (which, where, begins, rest) => {
        const words = lines[which]!;
        try {
          const { weekday, hour, minute } = parseSchedule(
            words.with(where % words.length, `${odd[begins]}${rest}`),
            'UTC',
          );
          expect(weekday >= 1 && weekday <= 7 && hour <= 23 && minute <= 59).toBe(true);
        } catch (error) {
          if (!(error instanceof Refusal)) throw error;
          const [, example] = EXAMPLE.exec(error.answer.lines.map(toText).join('\n')) ?? [];
          // What is offered beside a refusal stands in the place of an example.
          if (example === undefined) expect(error.instead(words)).not.toEqual([]);
          else examples.add(example);
        }
      }),
      { numRuns: PURE_RUNS },
    );
    expect(examples.size).toBe(1);
    for (const example of examples)
      expect(scheduleSchema.safeParse(parseSchedule(example.split(' '), 'UTC')).success).toBe(true);
  });

  test('mean the schedule that they spell out', () => {
    fc.assert(
      fc.property(schedules, fc.integer({ min: 3, max: 9 }), (schedule, letters) => {
        const { weekday, hour, minute, zone } = schedule;
        const clock = `${hour}:${String(minute).padStart(2, '0')}`;
        const line = `weekly ${WEEKDAYS[weekday - 1]!.slice(0, letters)} ${clock} ${zone}`;
        expect(JSON.stringify(parseSchedule(line.split(' '), 'UTC'))).toBe(JSON.stringify(schedule));
      }),
      { numRuns: RULE_RUNS },
    );
  });
});

describe('the next time', () => {
  const at = (over: Partial<Schedule>, after: string): string => {
    const schedule = {
      weekday: 7,
      hour: 2,
      minute: 30,
      zone: 'Europe/Madrid',
      ...over,
      onlyChanges: false as const,
    };
    return new Date(nextAt(schedule, Date.parse(after))).toISOString().replace(':00.000Z', 'Z');
  };

  test('is later the same day, or in a week when it is just now', () => {
    const noon = { weekday: 5, hour: 12, minute: 0, zone: 'UTC' };
    expect(at(noon, '2026-11-20T11:59:59.999Z')).toBe('2026-11-20T12:00Z');
    expect(at(noon, '2026-11-20T12:00:00Z')).toBe('2026-11-27T12:00Z');
  });

  test('goes by the day in its zone, not by the day in UTC', () => {
    const early = { weekday: 1, hour: 1, minute: 0, zone: 'Asia/Tokyo' };
    expect(at(early, '2026-11-15T15:30:00Z')).toBe('2026-11-15T16:00Z');
    expect(at({ weekday: 7, hour: 23, minute: 0, zone: 'America/New_York' }, '2026-11-16T03:00:00Z')).toBe(
      '2026-11-16T04:00Z',
    );
  });

  test('is the first moment after the gap where the clock skips it', () => {
    expect(at({}, '2026-03-28T12:00:00Z')).toBe('2026-03-29T01:00Z');
    expect(at({}, '2026-03-29T01:00:00Z')).toBe('2026-04-05T00:30Z');
  });

  test('is the first of two where the clock shows it twice', () => {
    expect(at({}, '2026-10-24T12:00:00Z')).toBe('2026-10-25T00:30Z');
    expect(at({}, '2026-10-25T00:30:00Z')).toBe('2026-11-01T01:30Z');
    expect(at({}, '2026-10-25T01:00:00Z')).toBe('2026-11-01T01:30Z');
  });

  test('is right where midnight is skipped, and where the clock moves by half an hour or by two', () => {
    expect(at({ weekday: 5, hour: 0, minute: 0, zone: 'Africa/Cairo' }, '2026-04-23T12:00:00Z')).toBe(
      '2026-04-23T22:00Z',
    );
    expect(at({ hour: 2, minute: 10, zone: 'Australia/Lord_Howe' }, '2026-10-03T00:00:00Z')).toBe(
      '2026-10-03T15:30Z',
    );
    expect(at({ hour: 2, minute: 0, zone: 'Antarctica/Troll' }, '2026-03-28T12:00:00Z')).toBe(
      '2026-03-29T01:00Z',
    );
  });

  test('is right where a whole day was skipped', () => {
    const friday = { weekday: 5, hour: 9, minute: 0, zone: 'Pacific/Apia' };
    expect(at(friday, '2011-12-29T00:00:00Z')).toBe('2011-12-30T10:00Z');
    expect(at(friday, '2011-12-30T10:00:00Z')).toBe('2012-01-05T19:00Z');
  });

  test('is after the moment asked, within a week, shows that time first, and never goes back', () => {
    fc.assert(
      fc.property(schedules, moments, fc.nat({ max: WEEK_MS }), (schedule, afterMs, more) => {
        const next = nextAt(schedule, afterMs);
        expect(next).toBeGreaterThan(afterMs);
        expect(next - afterMs).toBeLessThanOrEqual(WEEK_MS + HOUR_MS);
        expect(nextAt(schedule, afterMs + more)).toBeGreaterThanOrEqual(next);
        const wanted = ((schedule.weekday + 3) * 24 + schedule.hour) * 60 + schedule.minute;
        // Minutes since the wanted moment of this week or of the last, by the clock there.
        const past = (ms: number): number =>
          modulo(Math.floor(wallAt(ms, schedule.zone) / 60_000) - wanted, WEEK_MS / 60_000);
        if (past(next) !== 0) {
          // The clock has just skipped it, by at most an hour.
          expect(past(next)).toBeLessThanOrEqual(60);
          expect(past(next - 1)).toBeGreaterThanOrEqual(WEEK_MS / 60_000 - 60);
        }
        for (const earlier of [HOUR_MS / 2, HOUR_MS]) expect(past(next - earlier)).not.toBe(0);
      }),
      { numRuns: RULE_RUNS },
    );
  });
});

const modulo = (value: number, by: number): number => ((value % by) + by) % by;

const ZONES = [
  'UTC',
  'Europe/Madrid',
  'America/New_York',
  'America/Santiago',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Africa/Cairo',
  'Africa/Casablanca',
  'Pacific/Apia',
  'Pacific/Kiritimati',
];

const schedules = fc.record({
  weekday: fc.integer({ min: 1, max: 7 }),
  hour: fc.oneof(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 23 })),
  minute: fc.integer({ min: 0, max: 59 }),
  zone: fc.constantFrom(...ZONES),
  onlyChanges: fc.constant(false as const),
});

/** Any moment of some years, and often one within days of a change of clocks in Europe or America. */
const moments = fc.oneof(
  fc.integer({ min: Date.UTC(2024, 0), max: Date.UTC(2037, 0) }),
  fc
    .tuple(
      fc.constantFrom('2026-03-08', '2026-03-29', '2026-04-04', '2026-04-24', '2026-10-25', '2026-11-01'),
      fc.integer({ min: -8 * 24 * HOUR_MS, max: 2 * 24 * HOUR_MS }),
    )
    .map(([day, shift]) => Date.parse(day) + shift),
);
