import { describe, expect, it } from 'vitest';
import { everyRoute } from '../support/phrasebook.ts';
import { phrasebookOf } from '../../src/core/sentences/phrasebook.ts';
import { command, offersOf, read } from './reading.ts';

describe('a sentence offers no more than it names', () => {
  it.each([
    ['freeze web-1 until monday 8am, release week', ['freeze on web-1 until mon 08:00 release week']],
    ['freeze everything until tomorrow 18:00, audit', ['freeze until thu 18:00 audit']],
    ['make @bob operator, thanks @ana', ['access grant operator bob']],
    ['let @bob restart web-1', ['access grant operator bob on web-1']],
    ['let @bob look at web-1', ['access grant viewer bob on web-1']],
    [
      'stop web-1 at 20:00 and stop web-2 at 21:00',
      ['schedule web-1 stop once at 2026-11-18 20:00', 'schedule web-2 stop once at 2026-11-18 21:00'],
    ],
    ['restart web-2 at 3am', ['schedule web-2 restart once at 2026-11-19 03:00']],
    ['start web-1 at 7am once', ['schedule web-1 start once at 2026-11-19 07:00']],
    ['start web-1 once at 11am', ['schedule web-1 start once at 2026-11-18 11:00']],
    ['start web-1 every day at 7am', ['schedule web-1 start at 07:00 daily']],
    ['start web-1 at 7am every day', ['schedule web-1 start at 07:00 daily']],
    ['stop staging until tomorrow 8am', ['stop staging until thu 08:00']],
    ['stop web-2 for an hour', ['stop web-2 for 1h']],
    ['could you stop web-2 for 2 days please', ['stop web-2 for 2d']],
    ["don't start! delete staging", []],
    ["it doesn't respond, restart web-1", ['restart web-1']],
    ['stop all but db-1', ['stop -name:db-1']],
    ['stop all except db-1', ['stop -name:db-1']],
    ['stop everything in staging', ['stop name:staging*']],
    ['stop everything other than db-1', ['stop -name:db-1']],
    ['stop everything besides db-1', ['stop -name:db-1']],
    ['stop everything save db-1', ['stop -name:db-1']],
    ['stop everything minus db-1', ['stop -name:db-1']],
    ['stop everything excluding db-1 and web-1', ['stop -name:db-1,web-1']],
    ['stop everything aside from the stopped ones', ['stop -status:stopped']],
    ['stop all of them, leave db-1 alone', []],
    ['stop everything but leave db-1 running', ['stop -name:db-1']],
    ['restart every server, omit db-1', ['restart -name:db-1']],
    ['stop all instances, keep db-1', ['stop -name:db-1']],
    ['stop everything; db-1 stays up', ['stop -name:db-1']],
    ['stop everything (not db-1)', ['stop -name:db-1']],
    ['leave db-1 alone, restart every web server and db-1', ['restart web-1 web-2']],
    ['stop everything bar the first', []],
    ['stop everything, keep the primary', []],
    ['stop everything except db-1 and web-9', []],
    ['stop all other boxes', []],
    ['stop two servers', []],
    ['stop everything not older than 30 days', ['stop -older:30d']],
    ['restart web-1 and web-2, db-1 must not notice', []],
    ['restart web-1 // not db-1', ['restart web-1']],
    ['restart web-1 - db-1', []],
    ['restart web-1 or restart web-2', ['restart web-1', 'restart web-2']],
    ['restart web-1, once the deploy is done', []],
    ['stop web-1, at 8pm', []],
    ['restart web-1, next week', []],
    ['restart web-1, in some days', []],
    ['restart web-1 now and tomorrow at 9', []],
    ['stop web-1 for 2 or 3 hours', []],
    ['stop web-1 and web-2 until friday, worker-1 until monday', []],
    ['start staging for the demo for 3 hours', ['start staging for 3h']],
    ['stop web-1, as soon as bob is done', []],
    ['stop web-1 and delete', []],
    ['restart web-1, and then …', []],
    ['start web-1 off', []],
    ['restart web-1, do the same for web-2', []],
    ['db-1 down, restart web-1', ['restart web-1']],
    ['wokrer-1 hangs, give it a reboot', ['restart worker-1']],
    ['restart one of the web servers and restart db-1', []],
    ['restart web-1 and web-9, stop db-1', []],
    ['restart web-1 or restart web-1', ['restart web-1']],
    ['restart web-1, sorry i mean web-2, tomorrow', []],
    ['restart web-1, stop db-1, sorry i mean web-2', []],
    ['stop everything except one of the web servers', []],
    ['stop everything except the two databases', []],
    ["stop everything that isn't a web server", ['stop -name:web-1,web-2']],
    ['stop everything except web-1 or db-1', ['stop -name:web-1,db-1']],
    ['stop all budget boxes and web-9', []],
    ['restart ~web-1~ web-2', ['restart web-2']],
    ['~restart web-1~', []],
    ['watchh name:web-*', ['watch name:web-*']],
    ['unwathc web-1', ['unwatch web-1']],
    ['restart web-2 and then web-1', ['restart web-2 web-1 --at-once 1']],
    ['restart web-1 and web-2 one by one', ['restart web-1 web-2 --at-once 1']],
    ['restart web-2 and web-1', ['restart web-2 web-1']],
    ['delete web-1 then', ['delete web-1']],
    ['not web-1, restart web-2', ['restart web-2']],
    ['web-22 not web-2 delete', ['delete web-1']],
    ['restart web-1 tonight at 3', ['schedule web-1 restart once at 2026-11-19 03:00']],
    ['restart web-1 tonight at 10', ['schedule web-1 restart once at 2026-11-18 22:00']],
    ['restart web-1 tonight at 12', ['schedule web-1 restart once at 2026-11-19 00:00']],
    ['restart web-1 at 12:30 tonight', ['schedule web-1 restart once at 2026-11-19 00:30']],
    ['restart web-1 tomorrow night at 2', ['schedule web-1 restart once at 2026-11-20 02:00']],
    ['restart web-1 every friday night at 1', ['schedule web-1 restart at 01:00 sat']],
    ['restart web-1 tonight at noon', []],
    ['restart web-1 tomorrow morning at 8pm', []],
    ['restart web-1 at 8:00 and 20:00 every day', []],
    ['stop web-1 at 20:00 monday and tuesday', []],
    ['stop web-1 every monday and tuesday at 20:00', ['schedule web-1 stop at 20:00 mon,tue']],
    ['stop web-1 every day at 20:00 until friday', ['schedule web-1 stop at 20:00 daily until fri']],
    ['stop web-1 at 20:00 mon-fri and 18:00 sat', []],
    ['stop web-1 from 20:00 to 22:00', []],
    ['stop staging every night at 1', ['schedule staging stop at 01:00 daily']],
    ['stop staging every evening at 8', ['schedule staging stop at 20:00 daily']],
    ['send @bob the report friday at 4pm', []],
    ['web-1 down', []],
    ['db-1 down since 03:12', []],
    ['web-1 up at 03:12', []],
    ['@bob is no longer operator', []],
  ])('"%s": %j', (line, offers) => {
    expect(offersOf(line)).toEqual(offers);
  });

  it('"it" is what was named before it, else what the thread is about, and nothing that is named after', () => {
    expect(offersOf('restart it, web-2 is fine', 'web-1')).toEqual(['restart web-1']);
    expect(offersOf('web-2 is stuck, restart it', 'web-1')).toEqual(['restart web-2']);
    expect(offersOf('restart this and web-2', 'web-1')).toEqual(['restart web-1 web-2']);
    expect(offersOf('restart this and web-2')).toEqual(['restart web-2']);
  });

  it.each([
    'restart web-2 for an hour',
    'stop web-2 for the weekend',
    'stop web-2 for a while',
    'stop web-2 for 4x',
  ])('says of "%s" that it can not be done, and offers nothing without its end', (line) => {
    const about = [expect.objectContaining({ name: 'web-2' })];
    expect(read(line)).toMatchObject({ what: 'cannot', about, isOrder: true });
  });

  it.each([
    'restart web-1, until friday',
    'stop web-1 until friday and restart web-2',
    'give @bob operator tomorrow at 8',
  ])('offers nothing of "%s", of which it would leave out when', (line) => {
    expect(offersOf(line)).toEqual([]);
  });

  it.each([
    ['stop everything bar the first', 'bar first'],
    ['stop everything, keep the primary', 'keep primary'],
    ['restart web-1, once the deploy is done', 'once deploy is done'],
    ['restart web-1 rather than db-1', 'rather than db-1'],
    ['restart web-1 at 8:00 and 20:00 every day', 'at 8:00 and 20:00 every day'],
  ])('says of "%s" that it can not tell what "%s" means, and offers nothing', (line, part) => {
    const cannot: unknown = expect.stringContaining(`tell what "${part}" means`);
    expect(read(line)).toMatchObject({ what: 'cannot', cannot, about: [] });
  });

  it.each([
    ['wake up staging, demo in 10 min', ['demo in 10 min']],
    ['restart web-1, skip the checks', ['skip checks']],
    ['db-1 down, restart web-1', ['db-1 down']],
    ['restart web-1, it hangs', undefined],
    ['yo bounce db-1 its on fire', undefined],
  ])('"%s" is offered, and it is said that it leaves out %j', (line, apart) => {
    expect(read(line)).toMatchObject({ what: 'offers', ...(apart ? { apart } : {}) });
  });

  it.each(['stop the cheapest', 'restart the most expensive one', 'kill the slowest box'])(
    'asks which, where "%s" names none',
    (line) => {
      expect(read(line)).toMatchObject({ what: 'which' });
    },
  );

  it.each([
    ['stop web-1 tonight', 'show web-1', ['stop', 'tonight']],
    ['restart web-2 and check web-1', 'show web-1', ['restart', 'web-2']],
    ['is web-1 ok', 'show web-1', []],
    ['stop the schedule of web-1', 'schedules', []],
    ['cancel the timers for db-1', 'schedules', []],
    ['show me web-1 since monday', 'show web-1', ['since monday']],
    ['restart web-1 and', 'show web-1', ['restart']],
    ['list running old ones', 'list status:running', ['old']],
    ['which are on pro ones', 'list status:running', ['pro']],
  ])('the answer to "%s" is %s, and says that it leaves out %j', (line, asked, unread) => {
    const understood = read(line);
    expect(understood?.what === 'read' && command(understood.routeId, understood.words)).toBe(asked);
    expect(understood).toMatchObject({ unread });
  });

  it.each([
    ['usage for october', '2026-10'],
    ['what did we pay in december', '2025-12'],
    ["last month's bill", '2026-10'],
    ['what did we spend in q3', '2026-q3'],
    ['costs since monday', '2026-11-16..2026-11-18'],
    ['costs since october', '2026-10-01..2026-11-18'],
    ['what did we spend yesterday', '2026-11-17'],
    ['costs last week', '2026-11-09..2026-11-15'],
    ['what did we spend this week', '2026-11-16..2026-11-18'],
  ])('"%s" is about just these days: %s', (line, days) => {
    expect(read(line)).toMatchObject({
      what: 'read',
      routeId: 'billing.transactions',
      words: ['--in', days],
    });
  });

  it.each([
    ['what did we spend in october', 'billing month 2026-10'],
    ['how much did we spend last month?', 'billing month 2026-10'],
    ['how much have we spent in october', 'billing month 2026-10'],
    ['what did everything cost in october', 'billing month 2026-10'],
    ['october spending', 'billing month 2026-10'],
    ['costs last month', 'billing month 2026-10'],
    ['costs this month', 'billing month 2026-11'],
    ['how much are we spending this month', 'billing month 2026-11'],
    ['how much will we spend this month', 'billing forecast'],
    ['what will everything cost this month', 'billing forecast'],
    ['what are we going to spend this month', 'billing forecast'],
    ['what did we spend in december', 'billing month 2025-12'],
    ['what did web-2 cost in october', 'billing transactions --in 2026-10 --instance web-2'],
  ])(
    'what a month has cost is its sum, what it will cost a forecast, and of one instance its transactions: "%s"',
    (line, asked) => {
      const understood = read(line);
      expect(understood?.what === 'read' && command(understood.routeId, understood.words)).toBe(asked);
    },
  );

  it('what only says how long is counted back from now', () => {
    expect(read('what did we spend in the last 7 days')).toMatchObject({ words: ['--last', '7d'] });
  });

  it('no order of a route leaves room for words that nobody read', () => {
    const [route] = everyRoute();
    const withRoom = { ...route!, spoken: { orders: ['stop * <x>'] } }; // there are many routes
    expect(() => phrasebookOf([withRoom])).toThrow(/explains all of it/);
  });
});

describe('what was done in a time', () => {
  it.each([
    ['what happened in october', 'story --in 2026-10'],
    ['who did what last month', 'audit last month'],
    ['what changed last week', 'audit last week'],
    ['what happened in q3', 'story --in 2026-q3'],
    ['what happened yesterday', 'story yesterday'],
    ['what did U0ANA000001 do yesterday', 'audit U0ANA000001 yesterday'],
    ['what happened on monday', 'story monday'],
    ['what did we restart last week', 'audit restart last week'],
    ['who restarted web-1 yesterday', 'history web-1 yesterday'],
    ['transactions yesterday', 'billing transactions --in 2026-11-17'],
    ['what did we pay last week', 'billing transactions --in 2026-11-09..2026-11-15'],
  ])('is read for just the days that are over: "%s" is "%s"', (line, asked) => {
    const understood = read(line);
    expect(understood?.what === 'read' && command(understood.routeId, understood.words)).toBe(asked);
  });

  it('is read up to now while it is not over', () => {
    expect(read('what happened in november')).toMatchObject({ words: ['--last', expect.any(String)] });
    expect(read('what happened this week')).toMatchObject({ words: ['this', 'week'] });
  });

  it('is no time of a change: a day that is coming is not over', () => {
    expect(read('restart web-1 on monday at 9')).toMatchObject({ what: 'offers' });
  });
});
