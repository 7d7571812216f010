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
      ['schedule web-1 stop at 20:00 daily', 'schedule web-2 stop at 21:00 daily'],
    ],
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
    ['what did we spend in october', '2026-10'],
    ['usage for october', '2026-10'],
    ['october spending', '2026-10'],
    ['what did we pay in december', '2025-12'],
    ['costs last month', '2026-10'],
    ["last month's bill", '2026-10'],
    ['costs this month', '2026-11'],
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
    ['what happened in october', 'audit --in 2026-10'],
    ['who did what last month', 'audit --in 2026-10'],
    ['what changed last week', 'audit --in 2026-11-09..2026-11-15'],
    ['what happened in q3', 'audit --in 2026-q3'],
    ['what happened yesterday', 'audit --last 48h'],
  ])('is read for just the days that are over: "%s" is "%s"', (line, asked) => {
    const understood = read(line);
    expect(understood?.what === 'read' && command(understood.routeId, understood.words)).toBe(asked);
  });

  it('is read up to now while it is not over', () => {
    for (const line of ['what happened this week', 'what happened in november'])
      expect(read(line)).toMatchObject({ what: 'read', words: ['--last', expect.any(String)] });
  });
});
