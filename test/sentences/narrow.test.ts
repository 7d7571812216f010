import { describe, expect, it } from 'vitest';
import { everyRoute } from '../support/phrasebook.ts';
import { phrasebookOf } from '../../src/core/sentences/phrasebook.ts';
import { command, read } from './reading.ts';

const offersOf = (line: string, thread = ''): readonly string[] => {
  const understood = read(line, thread);
  return understood?.what === 'offers'
    ? understood.offers.map(({ routeId, words }) => command(routeId, words))
    : [];
};

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
    ['restart web-2 and then web-1', ['restart web-2 web-1 --at-once 1']],
    ['restart web-1 and web-2 one by one', ['restart web-1 web-2 --at-once 1']],
    ['restart web-2 and web-1', ['restart web-2 web-1']],
    ['delete web-1 then', ['delete web-1']],
    ['not web-1, restart web-2', ['restart web-2']],
    ['web-22 not web-2 delete', ['delete web-1']],
    ['restart web-1 tonight at 3', ['schedule web-1 restart once at 2026-11-19 03:00']],
    ['restart web-1 tonight at 10', ['schedule web-1 restart once at 2026-11-18 22:00']],
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
    ['show me web-1 since monday', 'show web-1', ['since monday']],
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
