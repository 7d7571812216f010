import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  ago,
  join,
  messageLink,
  type Phrase,
  person,
  phraseSchema,
  plain,
  say,
  strong,
  time,
  toElements,
  toPlainText,
  toText,
} from '../../src/platform/slack/phrase.ts';
import { anyText } from '../support/any-text.ts';
import { PURE_RUNS, runs } from '../support/runs.ts';

const AT = Date.UTC(2026, 10, 20, 12, 30, 15);

/** What somebody would write to make Slack do something. */
const attacks = fc.constantFrom(
  '<!channel>',
  '<!here|here>',
  '<@U012AB>',
  '<#C012AB>',
  '<!subteam^S1>',
  '<https://evil.test|web-1>',

  '&lt;!channel&gt;',
  '<!date^1^{ago}|x>',
  '*bold*',
  '`code`',
  '\u202Edesrever',
  'a\u200Bb',
  '\r\n> quote',
  ':fire:',
  '@channel',
  '\u2028',
  '\u0000',
  '\uD800',
  '</script>',
  '&',
  '<',
  '>',
  '|',
  '',
);
const foreign = fc.oneof(
  anyText({ maxLength: 400 }),
  fc.string({ unit: 'grapheme', maxLength: 100 }),
  fc.array(fc.oneof(attacks, fc.string({ maxLength: 5 })), { maxLength: 6 }).map((parts) => parts.join('')),
);

const OURS =
  /<@U012AB>|<!date\^1795177815\^\{(ago|date_short_pretty\} \{time)\}\|(at )?2026-11-20 12:30 UTC>/g;

test('text that needs no change is shown as any other is', () => {
  const typed = fc.oneof(
    foreign,
    fc.string({ unit: fc.constantFrom('a', '-', '<', ' ', '\t', 'é'), maxLength: 9 }),
  );
  fc.assert(
    fc.property(typed, fc.integer({ min: 2, max: 400 }), (text, longest) => {
      // What nobody sees changes nothing, but takes the long way.
      expect(plain(text, longest)).toBe(plain(`${text}\u200B`, longest));
    }),
    { numRuns: PURE_RUNS },
  );
});

test('nothing foreign can mention, link or format in text, whatever it is', () => {
  fc.assert(
    fc.property(foreign, foreign, (one, other) => {
      const text = toText(
        say`Restarting ${strong(one)} (${other}), asked by ${person('U012AB')} ${ago(AT)}, ${time(AT)} & ${one}.`,
      );
      const rest = text.replaceAll(OURS, '');
      return text.match(OURS)?.length === 3 && !/[<>]/.test(rest) && !/&(?!(amp|lt|gt);)/.test(rest);
    }),
    { numRuns: PURE_RUNS },
  );
});

test('nothing foreign is more than a text in rich text', () => {
  fc.assert(
    fc.property(foreign, foreign, (one, other) => {
      const elements = toElements(
        say`a ${strong(one)} b ${other} c ${person('U012AB')} ${ago(AT)} ${time(AT)}`,
      );
      expect(elements.map((element) => element.type)).toEqual([
        'text',
        'text',
        'text',
        'user',
        'text',
        'date',
        'text',
        'date',
      ]);
      for (const element of elements) {
        if (element.type === 'text') {
          expect(Object.keys(element).toSorted()).toEqual(
            element.style ? ['style', 'text', 'type'] : ['text', 'type'],
          );
          expect(element.text).not.toBe('');
        }
      }
    }),
    { numRuns: runs(20_000) },
  );
});

const AT_MESSAGE = { channelId: 'C012AB', ts: '1795177815.000100' };
const WORKSPACE = 'https://team.slack.com/';

describe('a link to a message', () => {
  test('leads to Slack, in a thread as well', () => {
    const link = messageLink(WORKSPACE, AT_MESSAGE, 'See its card');
    expect(link).toEqual({
      type: 'link',
      url: 'https://team.slack.com/archives/C012AB/p1795177815000100',
      text: 'See its card',
    });
    const inThread = messageLink(WORKSPACE, { ...AT_MESSAGE, threadTs: '1795177800.000200' }, 'card')!;
    expect(toText([inThread])).toBe(
      '<https://team.slack.com/archives/C012AB/p1795177815000100?thread_ts=1795177800.000200&amp;cid=C012AB|card>',
    );
    expect(toElements([inThread])).toEqual([inThread]);
    expect(toPlainText([inThread])).toBe('card');
  });

  test.each([
    undefined,
    '',
    'http://team.slack.com/',
    'https://slack.com.evil.test/',
    'https://team.slack.com:444/',
    'https://me@team.slack.com/',
    'https://evil.test/?https://team.slack.com/',
    'https://evil.test/#.slack.com/',
  ])('is none where the workspace is said to be at %j', (workspace) =>
    expect(messageLink(workspace, AT_MESSAGE, 'card')).toBeUndefined(),
  );

  test('is none for a message that only one person can open', () =>
    expect(messageLink(WORKSPACE, { ...AT_MESSAGE, channelId: 'D012AB' }, 'card')).toBeUndefined());

  test('leads nowhere else and says nothing more, whatever it is made of', () => {
    const part = fc.oneof(foreign, fc.constantFrom('C012AB', '1795177815.000100', WORKSPACE));
    fc.assert(
      fc.property(part, part, part, part, foreign, (workspace, channelId, ts, threadTs, text) => {
        for (const made of [
          messageLink(workspace, { channelId, ts }, text),
          messageLink(WORKSPACE, { channelId, ts, threadTs }, text),
          messageLink(WORKSPACE, AT_MESSAGE, text),
        ]) {
          if (!made) continue;
          const [element] = toElements([made]);
          expect(element).toMatchObject({ type: 'link' });
          expect(toText([made])).toMatch(
            /^<https:\/\/team\.slack\.com\/archives\/[CG]\w+\/p\d+(\?thread_ts=\d+(\.\d+)?&amp;cid=[CG]\w+)?\|[^<>]*>$/,
          );
        }
      }),
      { numRuns: runs(20_000) },
    );
  });

  test('kept in Redis is read back only as it was made', () => {
    const link = messageLink(WORKSPACE, AT_MESSAGE, 'card');
    expect(phraseSchema.parse([link])).toEqual([link]);
    expect(phraseSchema.safeParse([{ ...link, url: 'https://evil.test/' }]).success).toBe(false);
  });
});

test('the same words stand in the text and in the rich text', () => {
  fc.assert(
    fc.property(foreign, (one) => {
      const phrase = say`x ${strong(one)} y ${one} z`;
      const shown = toElements(phrase)
        .map((element) => (element.type === 'text' ? element.text : ''))
        .join('');
      const escaped = shown.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
      return toText(phrase) === escaped;
    }),
    { numRuns: PURE_RUNS },
  );
});

test('foreign text is one line that can be seen, of at most so many characters', () => {
  fc.assert(
    fc.property(foreign, fc.integer({ min: 1, max: 300 }), (text, longest) => {
      const line = plain(text, longest);
      return (
        line === '(no name)' ||
        (line.trim() !== '' && [...line].length <= longest && !/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u.test(line))
      );
    }),
    { numRuns: PURE_RUNS },
  );
});

describe('plain', () => {
  test.each([
    ['web-1', 'web-1'],
    ['  web \n\t 1  ', 'web 1'],
    ['\u202Eweb', 'web'],
    ['a\u0000b', 'a b'],
    ['', '(no name)'],
    ['\u200B\u00A0', '(no name)'],
    ['web\u034F-1', 'web-1'],
    ['\u2800', '(no name)'],
    ['\u3164', '(no name)'],
    // What says how a letter is drawn is drawn by none.
    ['\uFE0F', '(no name)'],
    ['web \uFE0E\uFE0F', 'web'],
    ['❤\uFE0F', '❤\uFE0F'],
    ['\uD800', '(no name)'],
    ['漢字 😀', '漢字 😀'],
  ])('makes %j %j', (text, line) => expect(plain(text)).toBe(line));

  test('cuts between characters and says that it did', () => {
    expect(plain('😀'.repeat(10), 5)).toBe(`${'😀'.repeat(4)}…`);
    expect(plain('x'.repeat(300))).toBe('x'.repeat(300));
    expect(plain('x'.repeat(301))).toBe(`${'x'.repeat(299)}…`);
  });
});

describe('say', () => {
  test('puts phrases in whole, and leaves out what is empty', () => {
    const inner: Phrase = say`b ${strong('c')}`;
    expect(toText(say`a ${inner} d${''}${7}`)).toBe('a b c d7');
    expect(say`${''}`).toEqual([]);
  });

  test('joins phrases with a separator from the code', () => {
    expect(toText(join([say`a`, say`b`, say`c`], ', '))).toBe('a, b, c');
    expect(join([], ', ')).toEqual([]);
  });
});

test('neighboring texts of one style become one element, and a bold one stays apart', () => {
  expect(toElements(say`a ${'b'} c${strong('d')}${strong('e')} f`)).toEqual([
    { type: 'text', text: 'a b c' },
    { type: 'text', text: 'de', style: { bold: true } },
    { type: 'text', text: ' f' },
  ]);
});

test('a moment is shown by the reader\u2019s own clock, with UTC for clients that have none', () => {
  expect(toText(say`${ago(AT)}`)).toBe('<!date^1795177815^{ago}|at 2026-11-20 12:30 UTC>');
  expect(toText(say`${time(AT)}`)).toBe('<!date^1795177815^{date_short_pretty} {time}|2026-11-20 12:30 UTC>');
});

describe('where Slack parses nothing', () => {
  test('a phrase stands as it is, with people by their id and moments in UTC', () => {
    const phrase = say`Type ${strong('a&b <c>')}, ${person('U012AB')}: ${ago(AT)} or ${time(AT)}`;
    expect(toPlainText(phrase)).toBe('Type a&b <c>, <@U012AB>: 2026-11-20 12:30 UTC or 2026-11-20 12:30 UTC');
    expect(toPlainText([])).toBe('');
  });

  test('nothing is escaped, and escaping it gives the text of a message', () => {
    fc.assert(
      fc.property(foreign, foreign, (one, other) => {
        const phrase = say`Type ${one} for ${strong(other)}.`;
        const shown = toPlainText(phrase);
        const escaped = shown.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
        return shown === `Type ${plainOrNothing(one)} for ${plain(other)}.` && toText(phrase) === escaped;
      }),
      { numRuns: PURE_RUNS },
    );
  });
});

/** What `say` makes of a string put in. */
function plainOrNothing(text: string): string {
  return text === '' ? '' : plain(text);
}
