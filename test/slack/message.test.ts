import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkBlocks } from '../../sandbox/slack/limits/content.ts';
import { brokenRules } from '../../sandbox/slack/limits/faults.ts';
import { optionsAnswer } from '../../sandbox/slack/limits/options.ts';
import { toOptions } from '../../src/platform/slack/controls.ts';
import { render } from '../../src/platform/slack/render.ts';
import { type Phrase, say, strong } from '../../src/platform/slack/phrase.ts';
import { runs } from '../support/runs.ts';

describe('a message with', () => {
  const many = (count: number): Phrase[] =>
    Array.from({ length: count }, (_, index) => say`${strong(`web-${index}`)} is ${'running'}`);

  test('ten thousand bullets shows sixty and counts the rest, and so does its text', () => {
    const { text, blocks } = render({ lines: [say`Ten thousand:`], bullets: many(10_000) });
    expect(() => checkBlocks(blocks)).not.toThrow();
    const shown = JSON.stringify(blocks);
    expect(shown).toContain('web-59');
    expect(shown).not.toContain('web-60"');
    expect(shown).toContain('… and 9940 more');
    const named = text.match(/web-\d+/g)?.length ?? 0;
    expect(text).toContain(`… and ${10_000 - named} more lines`);
    expect(text.length).toBeLessThanOrEqual(4_000);
  });

  test('sixty bullets counts nothing', () => {
    expect(JSON.stringify(render({ lines: [say`Sixty:`], bullets: many(60) }))).not.toContain('more');
  });

  test('names as long as a book keeps them short', () => {
    const { text, blocks } = render({ lines: [say`${strong('x'.repeat(100_000))} is running`] });
    expect(() => checkBlocks(blocks)).not.toThrow();
    expect(text).toBe(`${'x'.repeat(299)}… is running`);
  });

  test('seven buttons shows five', () => {
    const buttons = Array.from({ length: 7 }, (_, index) => ({
      label: 'Go',
      routeId: `r.${index}`,
      value: 'v',
    }));
    const { blocks } = render({ lines: [say`Choose`], buttons });
    expect(() => checkBlocks(blocks)).not.toThrow();
    expect(JSON.stringify(blocks).match(/"button"/g)).toHaveLength(5);
  });
});

test('the text of a message says all of it: lines, bullets and note', () => {
  const { text, blocks } = render({
    lines: [say`One`, say`Two`],
    bullets: [say`Three`, say`Four`],
    note: say`Request ${'9C2D'}`,
  });
  expect(text).toBe('One\nTwo\n• Three\n• Four\nRequest 9C2D');
  expect(blocks).toHaveLength(2);
});

test('the text of a message begins with what it says, however much of it must be escaped', () => {
  const name = strong('&'.repeat(300));
  const { text } = render({ lines: [say`Did you mean ${name}, ${name} or ${name}?`] });
  expect(text).toMatch(/^Did you mean/);
  expect(text.length).toBeLessThanOrEqual(4_000);
});

test('the key marks the first block, and without one there is no mark', () => {
  expect(render({ lines: [say`Hello`] }, 'key-card').blocks[0]).toHaveProperty('block_id', 'key-card');
  expect(render({ lines: [say`Hello`] }).blocks[0]).not.toHaveProperty('block_id');
});

describe('the options of a picker', () => {
  const choice = fc.record({
    value: fc.stringMatching(/^[A-Za-z0-9_-]{1,64}$/),
    label: fc.string({
      unit: fc.constantFrom('a', ' ', '<', '&', '\n', 'é', '漢', '*', '😀'),
      maxLength: 300,
    }),
  });

  test('are always taken by Slack', () => {
    fc.assert(
      fc.property(fc.array(choice, { maxLength: 130 }), (choices) => {
        const options = toOptions(choices);
        expect(brokenRules(optionsAnswer, { options })).toEqual([]);
        expect(options).toHaveLength(Math.min(choices.length, 100));
      }),
      { numRuns: runs(40_000) },
    );
  });

  test.each(['', 'x'.repeat(151)])('leave out the one whose value Slack would refuse (%#)', (value) => {
    const options = toOptions([
      { value, label: 'odd' },
      { value: '42', label: 'web-1' },
    ]);
    expect(brokenRules(optionsAnswer, { options })).toEqual([]);
    expect(options.map((one) => one.value)).toContain('42');
  });

  test('are plain text without emoji codes, and carry the id untouched', () => {
    expect(toOptions([{ value: '42', label: ':fire: <!channel>' }])).toEqual([
      { text: { type: 'plain_text', text: ':fire: <!channel>', emoji: false }, value: '42' },
    ]);
  });
});
