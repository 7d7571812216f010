import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkBlocks } from '../../sandbox/slack/limits/content.ts';
import { meantBy } from '../../src/core/intake/incoming.ts';
import type { Button } from '../../src/platform/slack/message.ts';
import { MENU_ID, menuLine } from '../../src/platform/slack/controls.ts';
import { render } from '../../src/platform/slack/render.ts';
import { say } from '../../src/platform/slack/phrase.ts';
import { anyText } from '../support/any-text.ts';
import { PURE_RUNS, runs } from '../support/runs.ts';

interface Line {
  readonly text: { readonly text: string; readonly emoji?: boolean };
  readonly value: string;
}

/** The lines of the menu of a message, as Slack gets them. */
function linesOf(menu: readonly Button[]): readonly Line[] {
  const { blocks } = render({ lines: [say`web-1`], menu });
  checkBlocks(blocks);
  const found = blocks.flatMap((block) => (block.type === 'actions' ? block.elements : []));
  return found.flatMap((element) => (element.type === 'overflow' ? element.options : [])) as Line[];
}

const routeId = fc.stringMatching(/^[a-z-]{1,12}\.[a-z-]{1,12}$/);
const value = fc.stringMatching(/^[A-Za-z0-9_-]{22}$/);
const button = fc.record({
  label: fc.oneof(
    anyText({ maxLength: 200 }),
    fc.constantFrom('', '\u200B', ':fire:', '<!channel>', 'x'.repeat(500)),
  ),
  routeId,
  value,
});

describe('a menu', () => {
  test('is always taken by Slack, and each line means what it was made of', () => {
    fc.assert(
      fc.property(fc.array(button, { maxLength: 8 }), (menu) => {
        const lines = linesOf(menu);
        expect(lines.map((line) => menuLine(line.value))).toEqual(
          menu.slice(0, 5).map((one) => ({ routeId: one.routeId, value: one.value })),
        );
      }),
      { numRuns: runs(5_000) },
    );
  });

  test('of nothing is none', () => {
    expect(render({ lines: [say`web-1`], menu: [] }).blocks).toHaveLength(1);
  });

  test('stands beside the buttons, after them', () => {
    const one = { label: 'Go', routeId: 'a.b', value: 'v' };
    const { blocks } = render({ lines: [say`web-1`], buttons: [one], menu: [one] });
    expect(blocks[1]).toMatchObject({
      type: 'actions',
      elements: [{ type: 'button' }, { type: 'overflow', action_id: MENU_ID }],
    });
  });

  test('shows foreign text without emoji codes', () => {
    const [line] = linesOf([{ label: 'Remove :fire:…', routeId: 'addons.remove', value: 'v' }]);
    expect(line?.text.emoji).toBe(false);
  });
});

describe('a line of a menu', () => {
  test.each([
    ['instances.stop abc', { routeId: 'instances.stop', value: 'abc' }],
    ['a-b.c-d ', { routeId: 'a-b.c-d', value: '' }],
    ['a.b -_9', { routeId: 'a.b', value: '-_9' }],
    ['a.b an-id 17', { routeId: 'a.b', value: 'an-id 17' }],
  ])('%j is read', (text, line) => expect(menuLine(text)).toEqual(line));

  test.each([
    '',
    ' ',
    'instances.stop',
    'instances.stop  abc',
    'instances.stop abc  def',
    'instances.stop abc ',
    ' instances.stop abc',
    'instances.stop abc\n',
    'instances.stop\nabc',
    'Instances.Stop abc',
    'instances abc',
    'a.b.c abc',
    '.b abc',
    'a. abc',
    '__proto__ abc',
    'constructor.name2 abc',
  ])('%j is none', (text) => expect(menuLine(text)).toBeUndefined());

  test('is nothing but a route, one space and words, whatever the text', () => {
    const part = fc.string({
      unit: fc.constantFrom('a', '.', ' ', '-', 'B', '1', '\n', '\u00A0'),
      maxLength: 8,
    });
    fc.assert(
      fc.property(fc.oneof(part, anyText()), (text) => {
        const line = menuLine(text);
        if (line === undefined) return true;
        return (
          `${line.routeId} ${line.value}` === text &&
          /^[a-z-]+\.[a-z-]+$/.test(line.routeId) &&
          /^(?:\S+(?: \S+)*)?$/.test(line.value)
        );
      }),
      { numRuns: PURE_RUNS },
    );
  });

  test('comes back from what Slack sends of it, whatever the route and the id', () => {
    fc.assert(
      fc.property(routeId, value, (id, carried) => {
        const action = { action_id: MENU_ID, block_id: 'x', selected_option: { value: `${id} ${carried}` } };
        const meant = meantBy(action);
        return meant.routeId === id && meant.value === carried && meant.picked === undefined;
      }),
      { numRuns: PURE_RUNS / 2 },
    );
  });
});
