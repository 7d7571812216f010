import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Schedule, scheduleSchema, parseSchedule } from '../../../src/features/billing/digest/record.ts';
import { WEEKDAYS } from '../../../src/platform/time/clock-words.ts';
import { Refusal } from '../../../src/core/refusal.ts';
import { toText } from '../../../src/platform/slack/phrase.ts';
import { refusedBy } from '../../support/refused-by.ts';
import { PURE_RUNS, RULE_RUNS } from '../../support/runs.ts';

const EXAMPLE = /Example: \/billing digest (.+)\.$/;

const refusalOf = (words: readonly string[]): string => refusedBy(() => parseSchedule(words, 'UTC'));

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

const schedules = fc.record({
  weekday: fc.integer({ min: 1, max: 7 }),
  hour: fc.integer({ min: 0, max: 23 }),
  minute: fc.integer({ min: 0, max: 59 }),
  zone: fc.constantFrom('UTC', 'Europe/Madrid', 'America/New_York', 'Asia/Kathmandu'),
  onlyChanges: fc.constant(false as const),
});
