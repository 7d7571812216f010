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
    // Of a restart, an hour and a half from now, or in the night.
    'in 1:30',
    'tomorrow, uh, friday at 9',
    'at 9 now',
    'right away, db-1 at 9',
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
    ['stop web-1 in 1h30', ['schedule web-1 stop once at 2026-11-18 11:11']],
    ['stop web-1 in an hour and a half', ['schedule web-1 stop once at 2026-11-18 11:11']],
    ['now stop web-1 at noon', ['schedule web-1 stop once at 2026-11-18 12:00']],
    ['stop web-1 now and db-1 too', []],
    [
      'stop web-1 now and restart staging at noon',
      ['stop web-1', 'schedule staging restart once at 2026-11-18 12:00'],
    ],
    ['from now on stop web-1 every day at 20:00', ['schedule web-1 stop at 20:00 daily']],
    ['stop web-1 now until friday', ['stop web-1 until fri 08:00']],
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

describe('of an order with a time in what is said for a reason', () => {
  it.each([
    'start staging for the demo at 9',
    'start staging for the demo tomorrow',
    'restart web-1 for the release on friday',
    'restart web-1 for the 9am demo',
    'restart web-1 so it is up at 9',
    'stop web-1 for at least 2 hours',
    'stop web-1 for up to 2 hours',
    'stop web-1 for the first 2 hours',
    'stop web-1 for the last 2 hours',
  ])('nothing is offered: "%s"', (line) => {
    expect(offersOf(line)).toEqual([]);
  });
});

describe('an order with another behind it that was not understood', () => {
  it.each(['stop web-1 at 20:00, start at 8', 'stop web-1, restart'])('is not offered: "%s"', (line) => {
    expect(offersOf(line)).toEqual([]);
  });
});

describe('what is said of one is never offered of all', () => {
  it.each([
    'stop the running one',
    'stop the running server',
    'stop a running server',
    'stop any running server',
    'stop one running server',
    'stop something running',
    'restart the unhealthy box',
    'restart the one that is down',
    'stop the server with backup',
    'stop the box that starts with web',
  ])('"%s" asks which', (line) => {
    expect(read(line)).toMatchObject({ what: 'which' });
  });

  it('"any web server" is one of them', () => {
    expect(read('stop any web server')).toMatchObject({ what: 'offers', isWhich: true });
    expect(offersOf('stop any web server')).toEqual(['stop web-1', 'stop web-2']);
  });

  it.each([
    ['stop all running servers', ['stop status:running']],
    ['stop every running server', ['stop status:running']],
    ['stop the running ones', ['stop status:running']],
    ['stop anything that is running', ['stop status:running']],
  ])('"%s" is all of them', (line, offers) => {
    expect(offersOf(line)).toEqual(offers);
  });
});

describe('a word beside a name without "and" is no other name', () => {
  it.each([
    "restart web-1's database",
    'restart web-1 database',
    'restart the database web-1',
    'restart the staging database',
    'restart staging workers',
    'restart web-1 web server',
    'restart web-1 staging',
    'restart slow web-1',
    'restart web-1 twins',
  ])('"%s" offers neither', (line) => {
    expect(offersOf(line)).toEqual([]);
  });

  it.each([
    ['please restart web-1 web-2', ['restart web-1 web-2']],
    ['please restart 101 102', ['restart web-1 web-2']],
    ['restart staging and the database', ['restart staging db-1']],
  ])('"%s" offers both', (line, offers) => {
    expect(offersOf(line)).toEqual(offers);
  });
});

describe('a word that may take back the name before it leaves open which is meant', () => {
  it.each(['web-1, actually db-1', 'web-1 oh db-1', 'web-1 and, uh, db-1'])('"restart %s"', (names) => {
    expect(read(`restart ${names}`)).toMatchObject({
      what: 'offers',
      isWhich: true,
      offers: [{ about: [{ name: 'web-1' }] }, { about: [{ name: 'db-1' }] }],
    });
  });

  it.each(['everything db-1', 'all db-1', 'anything web-1', 'web-1 and maybe db-1', 'everything < db-1'])(
    'so that "restart %s" offers nothing',
    (names) => {
      expect(offersOf(`restart ${names}`)).toEqual([]);
    },
  );
});

describe('a picture beside an order', () => {
  it.each(['❌', '🚫', '👎', '👎🏽', '⛔', '🛑', '🙅‍♂️', '❓', '⏰', ':x:', ':-1::skin-tone-3:', ':our-own-no:'])(
    'may take it back, so that %s offers nothing',
    (picture) => {
      for (const line of [
        `restart web-1 ${picture}`,
        `restart ${picture} web-1`,
        `${picture} restart web-1`,
        `restart web-1 ✅ db-1 ${picture}`,
        `add backup to web-1 ${picture}`,
      ])
        expect(offersOf(line), line).toEqual([]);
    },
  );

  it.each(['🙏', '👍', '👍🏽', '🚨', '😭😭', '🔥', ':pray:', ':+1::skin-tone-3:', ':rotating_light:'])(
    'says no more than a mood where it is %s',
    (picture) => {
      expect(offersOf(`${picture} restart web-1 ${picture}`)).toEqual(['restart web-1']);
    },
  );

  it('says nothing of what is only shown', () => {
    for (const picture of ['❌', '🤔', ':parrot:'])
      expect(read(`show web-1 ${picture}`)).toEqual(read('show web-1'));
  });
});

describe('a name with a mark before it may be what is left out', () => {
  it.each(['-', '–', '—', '−', '~', '!', '^', '/'])('so that "%s" before it offers nothing', (mark) => {
    for (const before of [
      'restart',
      'restart all',
      'restart everything',
      'restart web-1',
      'restart web-1 and',
    ])
      expect(offersOf(`${before} ${mark}db-1`), before).toEqual([]);
  });
});

describe('what is said of another route is offered whole, or not at all', () => {
  it.each([
    'tell me if web-1 goes down and restart it',
    'let me know when web-1 is down, then restart it',
    'add storage to web-1, small or large',
    'send the digest on mondays and fridays at 9',
    'send the digest by 9 on mondays',
    'stop web-1 at 20:00 until tomorrow',
    'keep web-1 on from 8 to 20 until friday',
    'restart web-1 tonight at 9 (CET)',
    'restart web-1 at 9, better 10',
  ])('"%s" offers nothing', (line) => {
    expect(offersOf(line)).toEqual([]);
  });

  // It comes each week, so that it doesn't matter whether today is the first of them.
  it.each([
    ['every monday at 9', 'mon 09:00'],
    ['on wednesday at 9pm', 'wed 21:00'],
  ])('a digest "%s" is one', (time, words) => {
    expect(offersOf(`send the digest ${time}`)).toEqual([`billing digest weekly ${words}`]);
  });
});
