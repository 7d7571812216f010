import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { endLabel, readEnd, readTypedEnd } from '../../src/core/sentences/end.ts';
import { whyNoEnd } from '../../src/core/sentences/no-end.ts';
import { toPlainText } from '../../src/platform/slack/phrase.ts';
import { runs } from '../support/runs.ts';

/** A Wednesday at 10:41 in Berlin, and the Saturday after it. */
const WEDNESDAY = { at: Date.UTC(2026, 10, 18, 9, 41), zone: 'Europe/Berlin' };
const SATURDAY = { ...WEDNESDAY, at: Date.UTC(2026, 10, 21, 9, 41) };

function ends(typed: string, moment = WEDNESDAY): readonly [string, string] | undefined {
  const words = typed.split(' ');
  const end = readEnd(words, 0, moment);
  return end && end.count === words.length
    ? [new Date(end.until).toISOString().slice(0, 16), endLabel(end.words)]
    : undefined;
}

it.each([
  'tonight at noon',
  'noon tonight',
  'tonight at 9am',
  'this evening at 9 am',
  'tomorrow morning at 22:00',
  'friday morning at 8pm',
  'noon at 3pm',
  '18:00 at 20:00',
])('until %s is no end, since it can not be both, and is said to be none', (typed) => {
  expect(ends(`until ${typed}`)).toBeUndefined();
  expect(readEnd(`until ${typed}`.split(' '), 0, WEDNESDAY)).toBeUndefined();
  expect(toPlainText(whyNoEnd(`until ${typed}`.split(' '), WEDNESDAY))).toBe(
    `I don't understand the time "${typed}"`,
  );
});

describe('an end that somebody types is read by their clock, and said back', () => {
  it.each([
    ['for 2d', '2026-11-20T09:41', 'for 2 days'],
    ['for 2 days', '2026-11-20T09:41', 'for 2 days'],
    ['for the next 3 hours', '2026-11-18T12:41', 'for 3 hours'],
    ['for a week', '2026-11-25T09:41', 'for 1 week'],
    ['for an hour', '2026-11-18T10:41', 'for 1 hour'],
    ['for half an hour', '2026-11-18T10:11', 'for 30 minutes'],
    ['for 4h30m', '2026-11-18T14:11', 'for 4 hours 30 minutes'],
    ['for 4 hours and 30 minutes', '2026-11-18T14:11', 'for 4 hours 30 minutes'],
    ['for 1h30', '2026-11-18T11:11', 'for 1 hour 30 minutes'],
    ['for 1h 30m', '2026-11-18T11:11', 'for 1 hour 30 minutes'],
    ['for 1.5h', '2026-11-18T11:11', 'for 1 hour 30 minutes'],
    ['for 1,5 hours', '2026-11-18T11:11', 'for 1 hour 30 minutes'],
    ['for an hour and a half', '2026-11-18T11:11', 'for 1 hour 30 minutes'],
    ['for one and a half hours', '2026-11-18T11:11', 'for 1 hour 30 minutes'],
    ['for half a day', '2026-11-18T21:41', 'for 12 hours'],
    ['for 1 week and 2 days', '2026-11-27T09:41', 'for 9 days'],
    ['for 90 min', '2026-11-18T11:11', 'for 90 minutes'],
    ['for a month', '2026-12-18T09:41', 'for 30 days'],
    ['for Two Weeks', '2026-12-02T09:41', 'for 2 weeks'],
    ['until friday', '2026-11-20T07:00', 'until Fri 08:00'],
    ['until fri 17:00', '2026-11-20T16:00', 'until Fri 17:00'],
    ['until 5pm on friday', '2026-11-20T16:00', 'until Fri 17:00'],
    ['until tomorrow', '2026-11-19T07:00', 'until Thu 08:00'],
    ['until tomorrow morning', '2026-11-19T07:00', 'until Thu 08:00'],
    ['till 6pm', '2026-11-18T17:00', 'until 18:00'],
    ['until 6 pm', '2026-11-18T17:00', 'until 18:00'],
    ['til 9', '2026-11-19T08:00', 'until 09:00'],
    ['until mon 08:00 UTC', '2026-11-23T08:00', 'until Mon 08:00 UTC'],
    ['until friday morning at 9', '2026-11-20T08:00', 'until Fri 09:00'],
    ['until the morning', '2026-11-19T07:00', 'until 08:00'],
    ['until tonight', '2026-11-18T19:00', 'until 20:00'],
    ['until tonight at 10', '2026-11-18T21:00', 'until 22:00'],
    ['until tonight at 12', '2026-11-18T23:00', 'until 00:00'],
    ['until 12 tonight', '2026-11-18T23:00', 'until 00:00'],
    ['until 3 tonight', '2026-11-19T02:00', 'until 03:00'],
    ['until this evening', '2026-11-18T19:00', 'until 20:00'],
    ['until 2026-12-24', '2026-12-24T07:00', 'until 2026-12-24 08:00'],
    ['until 2026-12-24 18:00', '2026-12-24T17:00', 'until 2026-12-24 18:00'],
    ['until 18:00 on 2026-12-24 UTC', '2026-12-24T18:00', 'until 2026-12-24 18:00 UTC'],
  ])('%s', (typed, until, label) => {
    expect(ends(typed)).toEqual([until, label]);
  });

  it('"for the weekend" ends on Monday morning, and from Monday to Thursday is no end: it would begin at once', () => {
    expect(ends('for the weekend', SATURDAY)).toEqual(['2026-11-23T07:00', 'until Mon 08:00']);
    expect(ends('for the weekend')).toBeUndefined();
  });

  it('"for the night" ends in the morning, and in the morning is no end: it would begin at once', () => {
    const evening = { ...WEDNESDAY, at: Date.UTC(2026, 10, 18, 20) };
    for (const typed of ['for the night', 'for tonight'])
      expect(ends(typed, evening)).toEqual(['2026-11-19T07:00', 'until 08:00']);
    expect(ends('for the night', { ...evening, at: Date.UTC(2026, 10, 19, 1) })?.[0]).toBe(
      '2026-11-19T07:00',
    );
    expect(ends('for the night')).toBeUndefined();
    expect(ends('until tonight', evening)).toBeUndefined();
  });

  it('"tonight" in a field is until then, and from then on until the morning', () => {
    const tonight = (hour: number): string =>
      new Date(
        readTypedEnd('tonight', { ...WEDNESDAY, at: Date.UTC(2026, 10, 18, hour) })?.until ?? 0,
      ).toISOString();
    expect(tonight(11)).toBe('2026-11-18T19:00:00.000Z');
    expect(tonight(20)).toBe('2026-11-19T07:00:00.000Z');
  });

  it('"until tonight" has passed in the night, and is no beginning that is missed', () => {
    const evening = { ...WEDNESDAY, at: Date.UTC(2026, 10, 18, 20) };
    expect(toPlainText(whyNoEnd(['until', 'tonight'], evening))).toContain('has passed');
  });

  it.each([
    'until 13pm',
    'until 2026-02-30',
    'until 2020-01-01',
    'until tonight friday',
    'for soon',
    'for 0d',
    'for',
    'until',
    'until banana',
    'until 25:00',
    'for 2 cats',
    'for -1h',
    'for a minute',
    'for hours',
    'for 30m 2h',
    'for 4h and',
    'for 1.h',
    'until next friday',
  ])('%s is none', (typed) => {
    expect(ends(typed)).toBeUndefined();
  });
});

const ZONES = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'UTC'];
const anyMoment = fc.record({
  at: fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2030, 0, 1) }),
  zone: fc.constantFrom(...ZONES),
});
const anyEnd = fc.oneof(
  fc
    .tuple(fc.integer({ min: 1, max: 400 }), fc.constantFrom('m', 'h', 'd', 'w'))
    .map(([count, unit]) => `for ${count}${unit}`),
  fc
    .tuple(fc.integer({ min: 1, max: 99 }), fc.integer({ min: 1, max: 99 }))
    .map(([hours, minutes]) => `for ${hours}h${minutes}m`),
  fc.constantFrom(
    'until friday',
    'until tomorrow',
    'until tonight',
    'for the night',
    'for the weekend',
    'until 8pm',
    'until 2:30',
    'until noon',
    'until sun 02:30',
    'until 2027-03-28 02:30',
    'until the morning',
  ),
);

describe('whatever the moment, the zone and what the clock does there', () => {
  it('an end lies ahead, and its words are read as the same end', () => {
    fc.assert(
      fc.property(anyEnd, anyMoment, (typed, moment) => {
        const end = readEnd(typed.split(' '), 0, moment);
        if (!end) return;
        expect(end.until).toBeGreaterThan(moment.at);
        expect(readEnd(end.words, 0, moment)?.until).toBe(end.until);
      }),
      { numRuns: runs(2_000) },
    );
  });

  it('a length is as long as it says, also where the clock is set meanwhile', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 999 }), anyMoment, (hours, moment) => {
        expect(readEnd(['for', `${hours}h`], 0, moment)?.until).toBe(moment.at + hours * 3_600_000);
      }),
      { numRuns: runs(500) },
    );
  });

  it('what is typed into a field means the same with its first word as without', () => {
    fc.assert(
      fc.property(anyEnd, anyMoment, (typed, moment) => {
        const bare = typed.split(' ').slice(1).join(' ');
        const whole = readTypedEnd(typed, moment);
        if (whole && !/night/.test(typed)) expect(readTypedEnd(bare, moment)?.until).toBe(whole.until);
      }),
      { numRuns: runs(1_000) },
    );
  });

  it('no words make it fail', () => {
    const word = fc.oneof(
      fc.constantFrom('for', 'until', 'fri', '8pm', 'tonight', '2026-12-24', 'UTC', 'the'),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 6 }), anyMoment, (words, moment) => {
        const end = readEnd(words, 0, moment);
        expect(end === undefined || (end.until > moment.at && end.count <= words.length)).toBe(true);
      }),
      { numRuns: runs(2_000) },
    );
  });
});
