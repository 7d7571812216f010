import { describe, expect, it } from 'vitest';
import { endLabel, readEnd } from '../../src/core/sentences/end.ts';

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

describe('an end that somebody types is read by their clock, and said back', () => {
  it.each([
    ['for 2d', '2026-11-20T09:41', 'for 2 days'],
    ['for 2 days', '2026-11-20T09:41', 'for 2 days'],
    ['for a week', '2026-11-25T09:41', 'for 1 week'],
    ['for an hour', '2026-11-18T10:41', 'for 1 hour'],
    ['for half an hour', '2026-11-18T10:11', 'for 30 minutes'],
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
  ])('%s', (typed, until, label) => {
    expect(ends(typed)).toEqual([until, label]);
  });

  it('"for the weekend" ends on Monday morning, and from Monday to Thursday is no end: it would begin at once', () => {
    expect(ends('for the weekend', SATURDAY)).toEqual(['2026-11-23T07:00', 'until Mon 08:00']);
    expect(ends('for the weekend')).toBeUndefined();
  });

  it.each([
    'for soon',
    'for 0d',
    'for',
    'until',
    'until banana',
    'until 25:00',
    'for 2 cats',
    'until next friday',
  ])('%s is none', (typed) => {
    expect(ends(typed)).toBeUndefined();
  });
});
