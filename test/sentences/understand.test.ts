import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Understood } from '../../src/core/sentences/understood.ts';
import { anyText } from '../support/any-text.ts';
import { runs } from '../support/runs.ts';
import { readLines, type TypedLine } from './lines.ts';
import { command, instances, read } from './reading.ts';

/** What a line leads to: commands, those of a choice with their names after a comma. */
function leadsTo(understood: Understood | undefined): readonly string[] {
  switch (understood?.what) {
    case 'read':
      return [command(understood.routeId, understood.words)];
    case 'which':
      return [command(understood.routeId, [...understood.words, '?']), '?'];
    case 'offers': {
      const each = understood.offers.map(({ routeId, words }) => command(routeId, words));
      if (!understood.isWhich) return each;
      const picks = understood.offers.flatMap(({ words }) => words.slice(-1));
      const [first = ''] = each;
      const verb = first.split(' ')[0] ?? '';
      return [
        first,
        '?',
        `${verb} ?`,
        command(understood.offers[0]?.routeId ?? '', [picks.map((id) => command('', [id]).trim()).join(',')]),
      ];
    }
    case 'cannot':
      return ['-', ...understood.about.map(({ name }) => `show ${name}`)];
    default:
      return ['-'];
  }
}

const bare = (text: string): string => text.replaceAll(/[@"]/g, '').replace('addons list ', 'addons ');

function isRight({ expected, thread }: TypedLine, got: readonly string[]): boolean {
  const about = thread.split(' ').at(-1) ?? '';
  const wanted = expected.map((one) => bare(one).replace(/ this$/, ` ${about}`));
  return wanted.some((one) => got.map(bare).includes(one) || (one.endsWith(' ?') && got.includes(one)));
}

const CHANGES: ReadonlySet<string> = new Set(['start', 'stop', 'restart', 'delete', 'add', 'remove']);

function offered(understood: Understood | undefined): readonly string[] {
  return understood?.what === 'offers' ? understood.offers.map(({ verb }) => verb) : [];
}

const lines = readLines('sentences.tsv').filter(({ hasAccounts }) => !hasAccounts);
const more = readLines('more.tsv').filter(({ hasAccounts }) => !hasAccounts);

describe('of what people type', () => {
  it.each([
    ['sentences.tsv', lines, 95],
    ['more.tsv', more, 90],
  ])('those of %s lead where they must', (_file, all, least) => {
    const wrong = all.filter((line) => !isRight(line, leadsTo(read(line.line, line.thread))));
    const listed = wrong.map(({ line, thread }) => `${line} → ${leadsTo(read(line, thread)).join(' / ')}`);
    expect(100 * (1 - wrong.length / all.length), listed.join('\n')).toBeGreaterThanOrEqual(least);
  });

  it.each([...lines, ...more].filter(({ never }) => never.length > 0))(
    '"$line" never offers $never',
    ({ line, thread, never }) => {
      expect(offered(read(line, thread)).filter((verb) => never.includes(verb))).toEqual([]);
    },
  );

  it.each([...lines, ...more].filter(({ kind }) => kind === 'danger'))(
    '"$line" offers no change',
    ({ line, thread }) => {
      expect(offered(read(line, thread)).filter((verb) => CHANGES.has(verb))).toEqual([]);
    },
  );
});

/** What an order may be called by. */
const SAID: Readonly<Record<string, RegExp>> = {
  start: /start|boot|launch|resume|turn|power|switch|wake|fire|spin|bring|get|on\b|st\w+t/i,
  stop: /stop|halt|shut|turn|power|switch|take|bring|kill|suspend|pause|pull|put|off|down/i,
  restart: /re\w*|rst\w+|boot|bounce|cycle|kick|turn/i,
  delete: /delete|terminate|destroy|rid/i,
};
/** A line without the names in it, and without what only says how an instance is, or which one is not meant. */
function besidesNames(line: string): string {
  // Longest first, so that web-22 is not web-2 and a 2; "not web-2" leaves that one out.
  const names = instances.map(({ name }) => name).toSorted((one, other) => other.length - one.length);
  const named = names.reduce((left, name) => left.replaceAll(name, '§'), line);
  return named
    .replaceAll(/\bnot\s+§/g, ' ')
    .replaceAll(
      /\b(?:not|n't)\s+(?:\w+ing|respond|work|answer|reachable|up|ok|need\w*|again|$|[,.;])/gi,
      ' ',
    );
}
const TAKEN_BACK = /\b(?:not|never|don'?t|if|unless|imagine|said|wanted)\b/i;

describe('of lines made at random from the words of these', () => {
  const words = [...new Set([...lines, ...more].flatMap(({ line }) => line.split(/\s+/)))].filter(
    (word) => word !== '',
  );
  const anyLine = fc
    .array(fc.constantFrom(...words), { minLength: 1, maxLength: 9 })
    .map((some) => some.join(' '));

  it("none offers what isn't named in it", () => {
    fc.assert(
      fc.property(anyLine, (line) => {
        const understood = read(line);
        if (understood?.what !== 'offers') return;
        for (const { verb, about } of understood.offers) {
          const said = SAID[verb];
          if (said) expect(line).toMatch(said);
          if (CHANGES.has(verb)) expect(besidesNames(line)).not.toMatch(TAKEN_BACK);
          // Each is named, or may be meant by something that is nearly its name.
          expect(about.length).toBeLessThanOrEqual(line.length);
        }
      }),
      { numRuns: runs(10_000) },
    );
  });

  it.each(['constructor', 'restart __proto__', 'all that is toString', '3 valueOf ago'])(
    'a word that every table of a program has is a word like any other: %s',
    (line) => expect(() => read(line)).not.toThrow(),
  );

  it('nothing that people can type makes it stumble', () => {
    fc.assert(
      fc.property(anyText(), (line) => {
        expect(() => read(line)).not.toThrow();
      }),
      { numRuns: runs(2_000) },
    );
  });
});
