import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkBlocks } from '../../sandbox/slack/limits/content.ts';
import type { Message } from '../../src/platform/slack/message.ts';
import { render, shownOf } from '../../src/platform/slack/render.ts';
import { FORMS } from '../../src/platform/slack/forms.ts';
import {
  ago,
  channel,
  type Phrase,
  person,
  say,
  strong,
  time,
  toText,
} from '../../src/platform/slack/phrase.ts';
import { anyText } from '../support/any-text.ts';
import { runs } from '../support/runs.ts';

const AT = Date.UTC(2026, 10, 20, 12);
const foreign = fc.oneof(
  anyText({ maxLength: 350 }),
  fc.constantFrom('', '\u200B', '<!channel>', '"'.repeat(300), '\\'.repeat(300), '&'.repeat(300)),
  fc.constantFrom('<'.repeat(5_000), '😀'.repeat(200), '漢'.repeat(4_000)),
);
const phrase: fc.Arbitrary<Phrase> = fc.oneof(
  fc
    .array(foreign, { maxLength: 12 })
    .map((names) => names.flatMap((name) => say`${strong(name)}, ${name} `)),
  fc
    .array(
      fc.constant(say`${person('U0123ABCDE')} & ${ago(AT)} (${time(AT)}) in ${channel('C0123ABCDE')} `),
      {
        maxLength: 80,
      },
    )
    .map((phrases) => phrases.flat()),
);
const button = fc.record({
  label: fc.oneof(fc.constantFrom('Retry', 'Show'), foreign),
  routeId: fc.constantFrom('instances.restart', 'billing.usage', 'a.b'),
  value: fc.string({ minLength: 1, maxLength: 300, unit: fc.constantFrom('a', '9', ' ', '"') }),
  style: fc.constantFrom('primary' as const, 'danger' as const, undefined),
  about: fc.option(fc.record({ id: fc.constantFrom('101', 'x'.repeat(128)), name: foreign }), {
    nil: undefined,
  }),
});
const table = fc.integer({ min: 1, max: 8 }).chain((columns) =>
  fc.record({
    head: fc.array(fc.constant('Head'), { minLength: columns, maxLength: columns }),
    rows: fc.array(fc.array(foreign, { minLength: columns, maxLength: columns }), { maxLength: 60 }),
    numbers: fc.constant([0]),
  }),
);
const message: fc.Arbitrary<Message> = fc
  .record(
    {
      lines: fc.array(phrase, { maxLength: 40 }),
      bullets: fc.array(phrase, { maxLength: 90 }),
      chart: fc.record({
        title: foreign,
        bars: fc.array(fc.record({ label: foreign, value: fc.integer() }), { minLength: 1, maxLength: 25 }),
      }),
      table: fc.oneof(
        table,
        table.map((plain) => ({ ...plain, caption: 'Rows' })),
      ),
      folded: fc.record({ title: foreign, bullets: fc.array(phrase, { minLength: 1, maxLength: 60 }) }),
      note: phrase,
      buttons: fc.array(button, { maxLength: 7 }),
      menu: fc.array(
        fc.record({ label: foreign, routeId: fc.constant('a.b'), value: fc.constant('v'.repeat(22)) }),
        {
          maxLength: 7,
        },
      ),
      picker: fc.constant({ routeId: 'instances.show', placeholder: 'x'.repeat(300) }),
    },
    { requiredKeys: ['lines'] },
  )
  .map((given) => given as Message);

/** What must never stand at the end of a cut text: half an escape, half a mention or date, half a character. */
const HALF = /(&[a-z]{0,3}|<[^>]*|[\uD800-\uDBFF])(?=…|\n|$)/;
const WHOLE = /&(?:amp|lt|gt);|<[@#!][^<>]*>/g;

describe('whatever it says and in whatever form, a message', () => {
  it('is below 10,000 characters of JSON, below 4,000 of text, and taken by Slack', () => {
    fc.assert(
      fc.property(message, fc.constantFrom(...FORMS), (given, form) => {
        const { text, blocks } = render(given, 'k'.repeat(40), form);
        expect(JSON.stringify(blocks).length).toBeLessThan(10_000);
        expect(text.length).toBeLessThan(4_000);
        expect(checkBlocks(blocks)).toHaveLength(blocks.length);
      }),
      { numRuns: runs(8_000) },
    );
  });

  it('is never cut inside an escape, a mention, a date or a character', () => {
    fc.assert(
      fc.property(message, fc.constantFrom(...FORMS), (given, form) => {
        const { text, blocks } = render(given, undefined, form);
        expect(text.replaceAll(WHOLE, '')).not.toMatch(HALF);
        expect(text.replaceAll(WHOLE, '')).not.toMatch(/[&<]/);
        expect(text).not.toMatch(/\p{Cs}/u);
        expect(JSON.stringify(blocks)).not.toMatch(/\\ud[89a-f]/);
      }),
      { numRuns: runs(1_500) },
    );
  });

  it('ends its first line whole where that alone is too long', () => {
    for (let length = 0; length < 40; length++) {
      const first = [
        ...say`${'x'.repeat(length)}`,
        ...Array.from({ length: 80 }, () => say`${ago(AT)} & `).flat(),
      ];
      for (const form of FORMS) {
        const { text } = render({ lines: [first] }, undefined, form);
        expect(text).toMatch(/…$/);
        expect(text.replaceAll(WHOLE, '')).not.toMatch(/[&<]/);
        expect(toText(first).startsWith(text.slice(0, -1))).toBe(true);
      }
    }
  });
});

describe('what does not fit', () => {
  const names = (count: number): Phrase[] =>
    Array.from({ length: count }, (_, index) => say`${index} ${'"'.repeat(300)}`);

  it('of a list is counted', () => {
    const given: Message = { lines: [say`Names:`], bullets: names(30) };
    const shown = shownOf(given).bullets;
    expect(shown).toBeGreaterThan(5);
    expect(shown).toBeLessThan(30);
    expect(JSON.stringify(render(given).blocks)).toContain(`… and ${30 - shown} more`);
  });

  it('of a list need not be given: its blocks are the same, and the text beside them counts it', () => {
    fc.assert(
      fc.property(fc.array(phrase, { minLength: 61, maxLength: 90 }), (bullets) => {
        const [first, more] = [bullets.slice(0, 60), bullets.length - 60];
        const given: Message = { lines: [say`Names:`], bullets: first, moreBullets: more };
        expect(render(given).blocks).toEqual(render({ lines: [say`Names:`], bullets }).blocks);
      }),
      { numRuns: runs(100) },
    );
    const given: Message = { lines: [say`Names:`], bullets: [say`a`, say`b`], moreBullets: 3 };
    expect(render({ ...given, note: say`Now` }).text).toBe('Names:\n• a\n• b\n… and 3 more\nNow');
    const cut = render({ ...given, bullets: names(30) }).text;
    const [, left] = /… and (\d+) more lines$/.exec(cut) ?? [];
    const shown = cut.split('\n•').length - 1;
    expect(shown).toBeGreaterThan(5);
    expect(Number(left)).toBe(30 - shown + 3);
  });

  it('of a table is counted', () => {
    const rows = Array.from({ length: 30 }, () => Array.from({ length: 8 }, () => '"'.repeat(60)));
    const { blocks } = render({ lines: [say`Rows:`], table: { head: rows[0]!, rows, numbers: [] } });
    const shown = JSON.stringify(blocks.find(({ type }) => type === 'table')).split('],[').length - 1;
    expect(shown).toBeGreaterThan(3);
    expect(JSON.stringify(blocks)).toContain(`… and ${30 - shown} more rows`);
  });

  it("of a table's cell is cut, in the table and in the text beside it", () => {
    const { text, blocks } = render({
      lines: [say`Rows:`],
      table: { head: ['What'], rows: [['x'.repeat(81)]], numbers: [] },
    });
    const cut = `${'x'.repeat(79)}…`;
    expect(JSON.stringify(blocks)).toContain(`"${cut}"`);
    expect(text).toBe(`Rows:\n• ${cut}`);
  });

  it('of the lines is counted', () => {
    const { blocks } = render({ lines: names(60) });
    expect(JSON.stringify(blocks)).toMatch(/… and \d+ more lines/);
  });

  it('is the picture where the table needs its room', () => {
    const label = '"'.repeat(20);
    const bars = Array.from({ length: 20 }, (_, value) => ({ label, value }));
    const value = 'v'.repeat(300);
    const buttons = ['a.a', 'a.b', 'a.c', 'a.d'].map((routeId) => ({ label: 'Go', routeId, value }));
    const { blocks } = render({
      lines: names(8),
      buttons,
      chart: { title: 'Cost', bars },
      table: { head: ['What'], rows: [['web-1']], numbers: [] },
    });
    expect(blocks.map(({ type }) => type)).toEqual(['rich_text', 'table', 'actions']);
  });
});

it('two buttons of one route have an id each, and mean the same route', () => {
  const both = ['Previous', 'Next'].map((label) => ({ label, routeId: 'instances.list', value: label }));
  const { blocks } = render({ lines: [say`Page`], buttons: both });
  expect(checkBlocks(blocks)).toHaveLength(2);
});
