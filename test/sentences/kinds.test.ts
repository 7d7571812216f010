import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Understood } from '../../src/core/sentences/understood.ts';
import { runs } from '../support/runs.ts';
import { powerOf, read, VERBS } from './reading.ts';

const SHOWS = ['list', 'show me', 'which are', 'show', 'what are'];

/** All that is offered, shown or named of what was said; undefined where nothing is offered or shown. */
function saidOf(understood: Understood | undefined): string | undefined {
  if (understood?.what === 'read') {
    const { words, about, unread } = understood;
    return [...words, ...about.map(({ name }) => name), ...unread].join(' ');
  }
  if (powerOf(understood).length === 0 || understood?.what !== 'offers') return undefined;
  const offered = understood.offers.flatMap(({ words, about }) => [
    ...words,
    ...about.map(({ name }) => name),
  ]);
  return [...offered, ...(understood.unknown ?? []), ...(understood.apart ?? [])].join(' ');
}

/** Whether a kind is in what was said, or a pattern that its names match. */
function isSaid(said: string, kind: string): boolean {
  const starts = [...said.matchAll(/([a-z]+-?)\*/g)].map(([, start = '']) => start);
  return said.includes(kind) || starts.some((start) => kind.startsWith(start));
}

describe('of a line with two kinds', () => {
  it.each([
    ['stop all running or paused servers', 'status:running,paused'],
    ['stop the running and the stopped ones', 'status:running,stopped'],
    ['stop everything that is running or stopped', 'status:running,stopped'],
    ['restart all servers starting with web or db', 'name:web*,db*'],
    ['restart everything that begins with web, db', 'name:web*,db*'],
  ])('"%s" offers both', (line, filter) => {
    expect(powerOf(read(line))).toMatchObject([{ words: [filter] }]);
  });

  it.each([
    ['which servers are stopped or broken', 'status:stopped,error,deploy_failed'],
    ['list servers starting with web or db', 'name:web*,db*'],
  ])('"%s" shows both', (line, filter) => {
    expect(read(line)).toMatchObject({ what: 'read', words: [filter], unread: [] });
  });

  it.each([
    ['stop the red and the blue ones', 'red and blue ones'],
    ['shut down all the purple or green boxes', 'all purple or green boxes'],
    ['stop all servers in eu and us', 'in eu and us'],
    ['stop web-1 and all stopped servers', 'web-1 and all stopped servers'],
    ['restart the running, web-1 ones', 'running and web-1 ones'],
  ])('"%s" is offered nothing, and reads what was not understood', (line, part) => {
    expect(read(line)).toMatchObject({
      what: 'cannot',
      cannot: expect.stringContaining(`"${part}"`) as unknown,
    });
  });

  it('both are meant or named, or nothing is offered and nothing shown', () => {
    const kinds = 'red prod running stopped pro budget web staging paused web-1 blue'.split(' ');
    const lines = fc.tuple(
      fc.constantFrom(...VERBS, ...SHOWS),
      fc.shuffledSubarray(kinds, { minLength: 2, maxLength: 2 }),
      fc.constantFrom(' and ', ' and the ', ', ', ' or '),
      fc.constantFrom('the ', 'all ', 'all the ', ''),
      fc.constantFrom(' ones', ' servers', ' boxes'),
    );
    fc.assert(
      fc.property(lines, ([verb, [one = '', other = ''], join, before, things]) => {
        const line = `${verb} ${before}${one}${join}${other}${things}`;
        const said = saidOf(read(line));
        if (said === undefined) return;
        for (const kind of [one, other]) expect(isSaid(said, kind), `${line}: ${kind} in ${said}`).toBe(true);
      }),
      { numRuns: runs(10_000) },
    );
  });
});

describe('of an order with words beside it that may say which are meant, how many, or when', () => {
  const beside =
    `running, stopped, sleeping, broken, on, off, the old, new, big and small, hot, the old ones, most, some boxes, many, the same, next week,
    next month, in the morning, in some days, where running, in case it is down, as soon as it is up, for the old ones, running or not`
      .split(',')
      .map((words) => words.trim());

  it('none is offered, whatever its place', () => {
    const lines = fc.tuple(
      fc.constantFrom(...VERBS),
      fc.constantFrom('everything', 'all servers', 'web-1', 'web-1 and db-1', 'both web servers'),
      fc.constantFrom(', ', '; ', ' - ', '. ', '\n'),
      fc.constantFrom(...beside),
    );
    fc.assert(
      fc.property(lines, ([verb, many, between, words]) => {
        // Of one that is named it is a reason, as "for the old customers" is.
        fc.pre(!(words.startsWith('for') && /^web-1$/.test(many)));
        const line = `${verb} ${many}${between}${words}`;
        expect(powerOf(read(line)), line).toEqual([]);
      }),
      { numRuns: runs(5_000) },
    );
  });
});
