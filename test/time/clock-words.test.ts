import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nextMoment, type TimeOfDay } from '../../src/platform/time/clock-words.ts';
import { RULE_RUNS } from '../support/runs.ts';
import { wallAt } from '../support/wall-clock.ts';

const HOUR_MS = 3_600_000;
const WEEK_MS = 7 * 24 * HOUR_MS;

type Moment = TimeOfDay & { readonly weekday: number; readonly zone: string };

describe('the next moment of a weekday and a time', () => {
  const at = (over: Partial<Moment>, after: string): string => {
    const wanted = { weekday: 7, hour: 2, minute: 30, zone: 'Europe/Madrid', ...over };
    return new Date(nextMoment(wanted, wanted.zone, Date.parse(after)))
      .toISOString()
      .replace(':00.000Z', 'Z');
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
      fc.property(wantedMoments, moments, fc.nat({ max: WEEK_MS }), (wanted, afterMs, more) => {
        const { weekday, hour, minute, zone } = wanted;
        const next = nextMoment(wanted, zone, afterMs);
        expect(next).toBeGreaterThan(afterMs);
        expect(next - afterMs).toBeLessThanOrEqual(WEEK_MS + HOUR_MS);
        expect(nextMoment(wanted, zone, afterMs + more)).toBeGreaterThanOrEqual(next);
        const minutes = ((weekday + 3) * 24 + hour) * 60 + minute;
        // Minutes since the wanted moment of this week or of the last, by the clock there.
        const past = (ms: number): number =>
          modulo(Math.floor(wallAt(ms, zone) / 60_000) - minutes, WEEK_MS / 60_000);
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

const wantedMoments = fc.record({
  weekday: fc.integer({ min: 1, max: 7 }),
  hour: fc.oneof(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 23 })),
  minute: fc.integer({ min: 0, max: 59 }),
  zone: fc.constantFrom(...ZONES),
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
