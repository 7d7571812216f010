import { describe, expect, it } from 'vitest';
import { command, offersOf, read } from './reading.ts';

describe('a sentence offers nothing', () => {
  it.each([
    ['that repeats what a monitor says', 'CRITICAL restart web-1'],
    ['that quotes somebody', '> restart web-1'],
    ['that quotes somebody, as Slack sends it', '&gt; restart web-1'],
    ['that is the fields of an alert', 'Action: restart web-1\nHost: web-1'],
    ['that only asks whether', 'restart web-1?'],
    ['that sets a condition between a name and the order', 'sorry subscribed, if all, delete'],
    ['that sets a condition first', 'sorry web-1, if it is down, delete it'],
    ['that sets a condition for what it corrects', 'delete web-2, sorry i mean web-1, if it is down'],
    ['that sets one in the correction', 'delete web-2, sorry if web-1'],
    ['that takes back what it names before', 'sorry web-1, do not, delete'],
    ['whose verb is a slip of a word for something rarer', 'launhc web-1'],
  ])('%s: %s', (_, line) => {
    expect(offersOf(line)).toEqual([]);
  });

  it.each([
    ['restart web-1', ['restart web-1']],
    ['could you restart web-1?', ['restart web-1']],
    ['launch web-1', ['start web-1']],
    ['strat web-1', ['start web-1']],
  ])('but "%s" does', (line, offers) => {
    expect(offersOf(line)).toEqual(offers);
  });
});

describe('a word that says how something is', () => {
  it.each([
    ['web-1 is slow', 'show web-1'],
    ['is anything paused', 'list status:paused'],
  ])('is no name there, though an instance is called so: "%s" is "%s"', (line, asked) => {
    const understood = read(line);
    expect(understood?.what === 'read' && command(understood.routeId, understood.words)).toBe(asked);
  });

  it('is one where a name is sought', () => {
    expect(offersOf('restart slow please')).toEqual(['restart slow']);
  });
});

describe('a sentence that may mean several', () => {
  it.each([
    ['restart web-1 or web-2', ['restart web-1', 'restart web-2']],
    ['restart web-1 and web-7', ['restart web-1']],
  ])('"%s" is a choice: %j', (line, offers) => {
    expect(read(line)).toMatchObject({ what: 'offers', isWhich: true });
    expect(offersOf(line)).toEqual(expect.arrayContaining([...offers]));
  });
});
