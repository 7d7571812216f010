import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Refusal } from '../../src/core/refusal.ts';
import type { Route, Feature } from '../../src/core/intake/route.ts';
import { toText } from '../../src/platform/slack/phrase.ts';
import type { Matched } from '../../src/core/intake/match.ts';
import { createRouteTable } from '../../src/core/intake/routes.ts';
import { anAsk } from '../support/an-ask.ts';
import { anyText } from '../support/any-text.ts';
import { runs } from '../support/runs.ts';

function route(id: string, over: Partial<Route> = {}): Route {
  return {
    id,
    verb: id.split('.')[1] ?? id,
    permission: undefined,
    writes: false,
    usage: '<name>',
    summary: `does ${id}`,
    handle: () => Promise.resolve(undefined),
    ...over,
  };
}
const boats: Feature = {
  noun: 'boats',
  default: 'boats.list',
  verbless: (words) => (words.some((word) => word.includes(':')) ? 'boats.list' : 'boats.show'),
  summary: 'boats',
  routes: [
    route('boats.list', { aliases: ['ls'] }),
    route('boats.show'),
    route('boats.restart', {
      writes: true,
      spoken: { verbs: ['restart', 'reboot'] },
      topics: [{ words: ['softly'], usage: 'softly', summary: 'in its own time' }],
    }),
    { ...withoutUsage(route('boats.follow')) },
  ],
};
const about: Feature = {
  noun: 'lamplighter',
  default: 'lamplighter.help',
  summary: 'about',
  routes: [{ ...route('lamplighter.help'), serves: 'help' }, route('lamplighter.operations')],
};
function withoutUsage(full: Route): Route {
  const { usage: _usage, ...rest } = full;
  return rest;
}
const table = createRouteTable([boats, about]);
const matched = ({ route: found, words }: Matched): [string, readonly string[]] => [found.id, words];

/** The code and the words of a refusal; anything else fails the test. */
function refusal(match: () => unknown): [string, string] {
  try {
    match();
  } catch (error) {
    if (error instanceof Refusal) return [error.code, error.answer.lines.map(toText).join('\n')];
    throw error;
  }
  throw new Error('not refused');
}

/** The same of the route that a line leads to. */
async function refusedBy({ route: meant, words, line = '' }: Matched): Promise<[string, string]> {
  const ask = anAsk({ route: meant.id, words: [...words], line });
  const error: unknown = await meant.handle(ask, () => undefined).catch((no: unknown) => no);
  return refusal(() => {
    throw error;
  });
}

describe('a command', () => {
  test.each([
    ['', 'boats.list', []],
    ['   ', 'boats.list', []],
    ['list', 'boats.list', []],
    ['ls status:running', 'boats.list', ['status:running']],
    ['LIST', 'boats.list', []],
    ['show web-1', 'boats.show', ['web-1']],
    ['web-1', 'boats.show', ['web-1']],
    ['status:running', 'boats.list', ['status:running']],
    ['WEB-1 please', 'boats.show', ['WEB-1', 'please']],
    ['*restart* `web-1`', 'boats.restart', ['web-1']],
    ['restart "web 1" now', 'boats.restart', ['web 1', 'now']],
  ])('%j goes to %s', (text, id, words) => {
    expect(matched(table.matchCommand('boats', text))).toEqual([id, words]);
  });

  test.each([
    ['boats', 'restrat web-1', `I don't know "restrat". Did you mean restart? Then say: restart web-1`],
    ['lamplighter', 'xyzzy', `I don't know "xyzzy". The commands are operations and help.`],
    [
      'lamplighter',
      'restart web-1',
      `I don't know "restart". Did you mean boats restart? Then say: boats restart web-1`,
    ],
  ])('that is none may be a sentence; %s %s is refused where it is none', async (noun, line, words) => {
    const meant = table.matchCommand(noun, line);
    expect(meant).toMatchObject({ route: { id: `sentence.${noun}` }, line });
    expect(await refusedBy(meant)).toEqual(['unknown-word', words]);
  });

  test.each([
    ['web-1', 'boats.show', ['web-1']],
    ['status:running', 'boats.list', ['status:running']],
    ['stop web-1', 'boats.show', ['stop', 'web-1']],
    // One word may be a name all the same.
    ['reboot', 'boats.show', ['reboot']],
    ['restrat', 'boats.show', ['restrat']],
  ])('without a verb, %j is marked as such', (text, id, words) => {
    expect(table.matchCommand('boats', text)).toMatchObject({ route: { id }, words, isVerbless: true });
  });

  test('with a verb is not marked as one without', () => {
    expect(table.matchCommand('boats', 'show web-1').isVerbless).toBeUndefined();
  });

  test.each([
    ['boats', 'help', ['boats']],
    ['boats', '--help', ['boats']],
    ['boats', '-h restart', ['boats', 'restart']],
    ['boats', 'restart help', ['boats', 'restart']],
    ['boats', 'restart --help', ['boats', 'restart']],
    ['boats', 'restart web-1 -H', ['boats', 'restart']],
    ['boats', 'restart —help', ['boats', 'restart']],
    ['boats', 'restart softly --help', ['boats', 'restart', 'softly']],
    ['boats', 'ls --help', ['boats', 'list']],
    ['lamplighter', 'help restart', ['restart']],
    ['lamplighter', 'operations help', ['lamplighter', 'operations']],
  ])('/%s %s asks for help', (noun, text, words) => {
    expect(matched(table.matchCommand(noun, text))).toEqual(['lamplighter.help', words]);
    expect(matched(table.matchMention(`${noun} ${text}`))).toEqual(['lamplighter.help', words]);
  });

  test('hints at a verb that a word may be meant as, else at all of them', () => {
    expect(toText(table.verbHint('boats.show', 'restrat'))).toBe('Did you mean restart?');
    expect(toText(table.verbHint('boats.show', 'sail'))).toBe(
      'The commands are list, show, restart and help.',
    );
  });

  test('that nobody has is refused', () => {
    expect(refusal(() => table.matchCommand('ships', 'list'))[0]).toBe('unknown-command');
    expect(refusal(() => table.matchCommand('__proto__', 'list'))[0]).toBe('unknown-command');
  });

  test('never reaches a route that is for buttons alone', () => {
    expect(matched(table.matchCommand('boats', 'follow'))).toEqual(['boats.show', ['follow']]);
    expect(table.byId.get('boats.follow')?.id).toBe('boats.follow');
  });
});

describe('a mention', () => {
  test.each([
    ['', 'lamplighter.help', []],
    ['restart web-1', 'boats.restart', ['web-1']],
    ['Restart web-1', 'boats.restart', ['web-1']],
    ['boats restart web-1', 'boats.restart', ['web-1']],
    ['boats', 'boats.list', []],
    ['boats web-1', 'boats.show', ['web-1']],
    ['ls', 'boats.list', []],
    ['operations', 'lamplighter.operations', []],
  ])('%j goes to %s', (text, id, words) => {
    expect(matched(table.matchMention(text))).toEqual([id, words]);
  });

  test.each([
    ['restrat web-1', `I don't know "restrat". Did you mean restart? Then say: restart web-1`],
    ['baots', `I don't know "baots". Did you mean boats?`],
    ['web-1', `I don't know "web-1".`],
    ['follow x', `I don't know "follow".`],
    ['<!channel>', `I don't know "!channel".`],
    ['&lt;!channel&gt;', `I don't know "&lt;!channel&gt;".`],
  ])('%j is answered: %s', async (text, answer) => {
    expect(await refusedBy(table.matchMention(text))).toEqual(['unknown-word', answer]);
  });
});

describe('an unmatched quotation mark', () => {
  test.each(['restart "web-1', 'restart web-1 "', 'restart “web-1'])('is refused for a write: %s', (text) => {
    expect(refusal(() => table.matchCommand('boats', text))[0]).toBe('unmatched-quote');
    expect(refusal(() => table.matchMention(text))[0]).toBe('unmatched-quote');
  });

  test('is read leniently for a read', () => {
    expect(matched(table.matchCommand('boats', 'show "web-1'))).toEqual(['boats.show', ['web-1']]);
    expect(matched(table.matchMention('list "status:running'))).toEqual(['boats.list', ['status:running']]);
  });
});

describe('a table is not built where', () => {
  const feature = (noun: string, routes: readonly Route[]): Feature => ({
    noun,
    default: routes[0]?.id ?? '',
    summary: noun,
    routes,
  });
  test.each([
    ['two features have one noun', [feature('a', []), feature('a', [])], /the (noun|word) a$/],
    [
      'two routes have one id',
      [feature('a', [route('a.x')]), feature('b', [route('a.x', { verb: 'y' })])],
      /id a\.x/,
    ],
    [
      'two routes of one feature have one verb, though both only read',
      [feature('a', [route('a.x'), route('a.y', { verb: 'x' })])],
      /word x/,
    ],
    [
      'the first of two routes with one verb writes',
      [feature('a', [route('a.x', { writes: true })]), feature('b', [route('b.x')])],
      /word x/,
    ],
    [
      'the second of two routes with one verb writes',
      [feature('a', [route('a.x')]), feature('b', [route('b.x', { writes: true })])],
      /word x/,
    ],
    [
      'the third of three routes with one verb writes',
      [
        feature('a', [route('a.x')]),
        feature('b', [route('b.x')]),
        feature('c', [route('c.y', { aliases: ['x'], writes: true })]),
      ],
      /word x/,
    ],
    [
      'an alias is another route\u2019s verb',
      [feature('a', [route('a.x'), route('a.y', { aliases: ['x'] })])],
      /word x/,
    ],
    ['a verb is a noun', [feature('a', []), feature('b', [route('b.a')])], /word a/],
  ])('%s', (_name, features, words) => {
    expect(() => createRouteTable(features)).toThrow(words);
  });

  test('two reads of one feature have one verb that an earlier feature has as well', () => {
    const second = feature('b', [route('b.x'), route('b.y', { verb: 'x' })]);
    expect(() => createRouteTable([feature('a', [route('a.x')]), second])).toThrow(/word x/);
  });

  test('but routes that only read may share a verb across features, and a mention means the first', () => {
    const shared = createRouteTable([
      feature('a', [route('a.list', { aliases: ['ls'] })]),
      feature('b', [route('b.list'), route('b.ls')]),
    ]);
    expect(shared.matchMention('list').route.id).toBe('a.list');
    expect(shared.matchMention('ls x').route.id).toBe('a.list');
    expect(shared.matchMention('b list').route.id).toBe('b.list');
    expect(shared.matchMention('b ls').route.id).toBe('b.ls');
    expect(shared.matchCommand('a', 'list').route.id).toBe('a.list');
    expect(shared.matchCommand('b', 'list').route.id).toBe('b.list');
  });

  test('but routes for buttons alone may share a verb', () => {
    const press = (id: string): Route => withoutUsage(route(id, { verb: 'x' }));
    expect(createRouteTable([feature('a', [press('a.x')]), feature('b', [press('b.x')])]).byId.size).toBe(5);
  });
});

test('whatever is typed, there is a route or a refusal, and a write only for one of its own words', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), anyText()), fc.boolean(), (text, mention) => {
      try {
        const found = mention ? table.matchMention(text) : table.matchCommand('boats', text);
        expect(found.words.every((word) => word !== '')).toBe(true);
        if (found.route.writes) expect(text.toLowerCase()).toContain('restart');
      } catch (error) {
        expect(error).toBeInstanceOf(Refusal);
      }
    }),
    { numRuns: runs(10_000) },
  );
});
