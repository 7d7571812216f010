import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { FAR_OFF_HOUR } from '../../sandbox/phrases/far-off-hour.ts';
import { readSchedules } from '../../sandbox/phrases/due-schedule.ts';
import { Refusal } from '../../src/core/refusal.ts';
import { type When, whenSchema } from '../../src/core/schedules/when.ts';
import { takeExceptions, withoutDays } from '../../src/features/instances/schedules/parse-exceptions.ts';
import { parseSchedule } from '../../src/features/instances/schedules/parse-schedule.ts';
import { playFleet } from '../batches/fleet.ts';
import { answerTo } from '../support/sandbox.ts';
import { refusedBy } from '../support/refused-by.ts';
import { PURE_RUNS } from '../support/runs.ts';
import { reads, saves } from './fleet.ts';

const NOW = Date.parse('2026-11-27T21:00:00Z');
const OWN = 'Europe/Berlin';

/** The lists of holidays that there are; none where a test says nothing of them. */
type Lists = Parameters<typeof withoutDays>[3];
const LISTS: Lists = {
  berlin: [
    { from: '2026-12-25', to: '2026-12-26' },
    { from: '2027-01-01', to: '2027-01-01' },
  ],
  old: [{ from: '2025-12-25', to: '2025-12-26' }],
};

function read(line: string, now = NOW, lists: Lists = {}): When {
  const parts = takeExceptions(line.split(' ').filter(Boolean));
  return withoutDays(parseSchedule(parts.words, { at: now, zone: OWN }).when, parts, now, lists);
}

function daysOf(line: string, now = NOW, lists: Lists = {}): string {
  const when = read(line, now, lists);
  const all = when.kind === 'weekly' ? (when.except ?? []) : [];
  return all.map((one) => ('list' in one ? one.list : `${one.from}..${one.to}`)).join(' ');
}

const refusalOf = (line: string, lists: Lists = {}): string => refusedBy(() => read(line, NOW, lists));

const CHRISTMAS = '2026-12-24..2027-01-01';

describe('the days that are left out', () => {
  test.each([
    ['except 2026-12-24', '2026-12-24..2026-12-24'],
    ['except 2026-12-24..2027-01-01', CHRISTMAS],
    ['except 2026-12-24-2027-01-01', CHRISTMAS],
    ['except 2026-12-24 to 2027-01-01', CHRISTMAS],
    ['EXCEPT 24 Dec to 1 Jan', CHRISTMAS],
    ['except from 24 December until 1 January', CHRISTMAS],
    ['except Dec 24 - Jan 1', CHRISTMAS],
    ['except 24dec-1jan', CHRISTMAS],
    ['but not on 24 Dec to 1 Jan', CHRISTMAS],
    ['excluding Dec 24, 2026 to Jan 1, 2027', CHRISTMAS],
    ['not from 24th Dec to 1st Jan', CHRISTMAS],
    ['except 24-26 Dec', '2026-12-24..2026-12-26'],
    ['except Dec 24 to 26', '2026-12-24..2026-12-26'],
    ['except 24 and 26 Dec', '2026-12-24..2026-12-24 2026-12-26..2026-12-26'],
    ['except 24 Dec 26 Dec', '2026-12-24..2026-12-24 2026-12-26..2026-12-26'],
    [
      'except 2026-12-24,2026-12-31, 6 Jan and 1 May 2027',
      '2026-12-24..2026-12-24 2026-12-31..2026-12-31 2027-01-06..2027-01-06 2027-05-01..2027-05-01',
    ],
    ['except 27 Nov', '2026-11-27..2026-11-27'],
    ['except 26 Nov', '2027-11-26..2027-11-26'],
    ['except 20 Nov to 3 Dec', '2026-11-20..2026-12-03'],
  ])('"%s" are %s', (words, days) => {
    expect(daysOf(`web-1 stop at 19:00 mon-fri ${words}`)).toBe(days);
    expect(whenSchema.safeParse(read(`web-1 stop at 19:00 ${words}`)).success).toBe(true);
  });

  test('go on where their range has begun', () => {
    expect(daysOf('web-1 stop at 19:00 except 24 Dec to 1 Jan', Date.parse('2026-12-28T12:00:00Z'))).toBe(
      CHRISTMAS,
    );
  });

  test('may stand before a time zone, and are days there', () => {
    const line = 'web-1 stop at 19:00 except 28 Nov Asia/Tokyo';
    expect(read(line)).toMatchObject({ zone: 'Asia/Tokyo', except: [{ from: '2026-11-28' }] });
    // It is the 29th in Tokyo.
    expect(() => read(line, Date.parse('2026-11-28T20:00:00Z'))).not.toThrow();
    expect(daysOf(line, Date.parse('2026-11-28T20:00:00Z'))).toBe('2027-11-28..2027-11-28');
  });

  test('an instance that is called like the word is a name', () => {
    const parts = takeExceptions('except stop at 19:00'.split(' '));
    expect(parts.except).toEqual([]);
    expect(parseSchedule(parts.words, { at: NOW, zone: OWN }).target).toEqual(['except']);
  });

  test.each([
    ['except', 'Which days should it leave out? Write them like except 2026-12-24, except 24 Dec to 1 Jan'],
    ['except xmas', 'I can\'t read the days "xmas". Write them like except 2026-12-24'],
    ['except 24.12.2026', 'I can\'t read the days "24.12.2026".'],
    ['except 2026-02-30', 'I can\'t read the days "2026-02-30".'],
    ['except 24', 'I can\'t read the days "24".'],
    ['except 24 Dec or so', 'I can\'t read the days "or so".'],
    [
      'except fridays',
      'I leave out dates, not days of the week. Name the days on which it runs, like mon-thu.',
    ],
    ['except 2027-01-01..2026-12-24', '2027-01-01 to 2026-12-24 is the wrong way round'],
    ['except 26 to 24 Dec', 'is the wrong way round: it ends before it begins.'],
    ['except 2026-11-26', '26 Nov 2026 is over, so there is nothing to leave out.'],
    ['except 24 Dec 2025 to 1 Jan 2026', '24 Dec to 1 Jan 2026 is over'],
    ['except 2028-12-24', '24 Dec 2028 is more than 400 days ahead'],
  ])('"%s" are refused in one sentence', (words, sentence) => {
    expect(refusalOf(`web-1 stop at 19:00 mon-fri ${words}`)).toContain(sentence);
  });

  test.each([
    ['except berlin', 'berlin'],
    ['except holidays berlin', 'berlin'],
    ['except the berlin holidays', 'berlin'],
    ['not on berlin holidays', 'berlin'],
    ['except berlin, 24 Dec', 'berlin 2026-12-24..2026-12-24'],
    ['except 31 Dec and berlin holidays', '2026-12-31..2026-12-31 berlin'],
  ])('"%s" are %s by the names of their lists', (words, days) => {
    expect(daysOf(`web-1 stop at 19:00 ${words}`, NOW, LISTS)).toBe(days);
  });

  test.each([
    ['except munich', 'There are no holidays called "munich" in the policy file, which has berlin and old.'],
    ['except old', 'The holidays old are all over. Put the next ones into the policy file.'],
    ['except fridays', 'I leave out dates, not days of the week.'],
    ['except holidays', 'I can\'t read the days "holidays".'],
  ])('"%s" are no list', (words, sentence) => {
    expect(refusalOf(`web-1 stop at 19:00 ${words}`, LISTS)).toContain(sentence);
  });

  test('are none of what runs once', () => {
    expect(refusalOf('web-1 stop once at 2026-12-24 18:00 except 24 Dec')).toContain(
      'It runs once, on 2026-12-24, and that day is left out, so it would never run.',
    );
    expect(refusalOf('web-1 stop once at 2026-12-23 18:00 except 24 Dec')).toContain(
      'It runs once, on 2026-12-23, so there is nothing to leave out.',
    );
  });

  test('are read or refused, whatever they are', () => {
    const words = fc.array(
      fc.oneof(
        fc.constantFrom('24', 'Dec', 'to', ',', 'and', '2026-12-24', '..', '-', '29', 'Feb', '1st', '2028'),
        fc.string({ maxLength: 8 }),
      ),
      { maxLength: 8 },
    );
    fc.assert(
      fc.property(words, (typed) => {
        try {
          expect(whenSchema.safeParse(read(`web-1 stop at 19:00 except ${typed.join(' ')}`)).success).toBe(
            true,
          );
        } catch (error) {
          if (!(error instanceof Refusal)) throw error;
        }
      }),
      { numRuns: PURE_RUNS },
    );
  });
});

/** A range of days that is ahead, whenever this is run: as it is typed, and as it is said. */
function soon(): { readonly typed: string; readonly said: string } {
  const year = new Date().getUTCFullYear() + (new Date().getUTCMonth() === 11 ? 1 : 0);
  return { typed: `${year}-12-24..${year + 1}-01-01`, said: `not from 24 Dec to 1 Jan ${year + 1}` };
}

describe('a schedule that leaves days out', () => {
  it('says them in its preview, in its channel and in the list, and skips their runs', async () => {
    const sandbox = await playFleet(2);
    const { typed, said } = soon();
    const tomorrow = new Date(Date.now() + 24 * 3_600_000).toISOString().slice(0, 10);
    const line = `stg-0 stop at ${FAR_OFF_HOUR} daily UTC except ${tomorrow}, ${typed}`;
    const preview = await answerTo(sandbox, 'ana', `/instances schedule ${line}`);
    expect(preview).toMatch(new RegExp(`The next 5 runs, not on \\d+ \\w+ \\d+ and from 24 Dec`));
    expect(preview).not.toContain(`${tomorrow} ${FAR_OFF_HOUR}`);
    await saves(sandbox, line);
    expect(await reads(sandbox, 'scheduled:')).toContain(said.replace('not ', ''));
    expect(await answerTo(sandbox, 'ana', '/instances schedules')).toContain(said.replace('not ', ''));
    const [schedule] = await readSchedules(sandbox);
    expect(new Date(schedule?.next?.at ?? 0).toISOString().slice(0, 10)).not.toBe(tomorrow);
  });

  it('says what hours over midnight make of them', async () => {
    const sandbox = await playFleet(1);
    const { typed, said } = soon();
    const days = `except ${typed}`;
    const text = await answerTo(sandbox, 'ana', `/instances schedule stg-0 hours 22:00-06:00 UTC ${days}`);
    expect(text).toContain(`(UTC), ${said}`);
    expect(text).toContain('A day that is left out has no stop either');
  });
});
