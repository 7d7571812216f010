import { describe, expect, it } from 'vitest';
import { offersOf, read } from './reading.ts';

const HALF_PAST_MIDNIGHT = Date.UTC(2026, 10, 18, 0, 30);

describe('of a time that may be another nothing is offered, and it is named', () => {
  it.each([
    'by 18:00',
    'from 9',
    'between 9',
    'every day from 20:00',
    'tomorrow at midnight',
    'midnight friday',
    'every friday at midnight',
    'until friday midnight',
    // On a Wednesday: of this week, or of the next.
    'next friday at 8',
    'until next friday',
    'wednesday at 20:00',
    'this wednesday at 20:00',
    'until wednesday 20:00',
    // It is 9:41.
    'at 9 today',
  ])('"stop web-1 %s"', (time) => {
    const understood = read(`stop web-1 ${time}`);
    expect(understood).toMatchObject({ what: 'cannot', isOrder: true });
    expect(offersOf(`stop web-1 ${time}`)).toEqual([]);
  });

  it.each(['from 9 to 5', 'from 8 to 6', 'from 9am to 5'])('"keep web-1 on %s"', (hours) => {
    expect(read(`keep web-1 on ${hours}`)).toMatchObject({ what: 'cannot', isOrder: true });
  });

  it('a day of the calendar is no time of day', () => {
    expect(offersOf('stop web-1 on 20.11.')).toEqual([]);
  });

  it.each([
    ['stop web-1 at midnight', ['schedule web-1 stop once at 2026-11-19 00:00']],
    ['stop web-1 every day at midnight', ['schedule web-1 stop at 00:00 daily']],
    ['stop web-1 next monday at 8', ['schedule web-1 stop once at 2026-11-23 08:00']],
    ['stop web-1 next wednesday at 20:00', ['schedule web-1 stop once at 2026-11-25 20:00']],
    ['stop web-1 wednesday at 8', ['schedule web-1 stop once at 2026-11-25 08:00']],
    ['stop web-1 until friday night at 1', ['stop web-1 until sat 01:00']],
    ['keep web-1 on from 8 to 20', ['schedule web-1 hours 08:00-20:00']],
    ['keep web-1 on from 22 to 6', ['schedule web-1 hours 22:00-06:00']],
    ['stop web-1 from monday to friday at 20:00', ['schedule web-1 stop at 20:00 mon-fri']],
  ])('and where it can be no other it is: "%s" is %j', (line, offers) => {
    expect(offersOf(line)).toEqual(offers);
  });

  it('after midnight "tonight" is still that night', () => {
    expect(offersOf('restart web-1 tonight at 3', '', HALF_PAST_MIDNIGHT)).toEqual([
      'schedule web-1 restart once at 2026-11-18 03:00',
    ]);
  });
});
