import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SlackNo } from '../../sandbox/slack/api/refusal.ts';
import { checkBlocks } from '../../sandbox/slack/limits/content.ts';
import { brokenRules } from '../../sandbox/slack/limits/faults.ts';
import { checkMetadata } from '../../sandbox/slack/limits/metadata.ts';
import { optionsAnswer } from '../../sandbox/slack/limits/options.ts';
import { checkView } from '../../sandbox/slack/limits/views.ts';

type Block = Record<string, unknown>;
const x = (length: number): string => 'x'.repeat(length);
const times = <T>(count: number, make: (id: string) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(String(index)));
const plain = (text: unknown): Block => ({ type: 'plain_text', text });
const mrkdwn = (text: unknown): Block => ({ type: 'mrkdwn', text });
const section = (more: Block = {}): Block => ({ type: 'section', text: mrkdwn('hello'), ...more });
const actions = (...elements: Block[]): Block => ({ type: 'actions', elements });
const button = (more: Block = {}): Block => ({ type: 'button', action_id: 'go', text: plain('Go'), ...more });
const buttons = (more: Block): Block => actions(button(more));
const option = (value: string, text = value): Block => ({ text: plain(text), value });
const select = (more: Block = {}): Block => ({
  type: 'static_select',
  action_id: 'pick',
  options: [option('a')],
  ...more,
});
const selects = (more: Block): Block => actions(select(more));
const overflow = (...options: Block[]): Block => ({ type: 'overflow', action_id: 'more', options });
const rich = (...leaves: Block[]): Block => ({
  type: 'rich_text',
  elements: [{ type: 'rich_text_section', elements: leaves }],
});
const table = (rows: number, cells: number, text = 'x'): Block => ({
  type: 'table',
  rows: times(rows, () => times(cells, () => ({ type: 'raw_text', text }))),
});
const line = (name: string, values: number[], labels = values.map((_, at) => `d${at}`)): Block => ({
  name,
  data: values.map((value, at) => ({ label: labels[at], value })),
});
const chart = (series: Block[], categories: string[], more: Block = {}): Block => ({
  type: 'data_visualization',
  title: 'Use',
  chart: { type: 'line', series, axis_config: { categories } },
  ...more,
});
const confirm = (more: Block = {}): Block => ({ title: plain('Sure?'), text: plain('Really'), ...more });

const where = (pointer: string): string => (pointer === '' ? '' : ` [json-pointer:${pointer}]`);
const less = (count: number, pointer = ''): string =>
  `must be less than ${count} characters${where(pointer)}`;
const most = (count: number, pointer = ''): string => `no more than ${count} items allowed${where(pointer)}`;
const missing = (field: string, pointer = ''): string => `missing required field: ${field}${where(pointer)}`;
const foreign = (type: string, pointer = ''): string => `unsupported type: ${type}${where(pointer)}`;

function refusal(run: () => unknown): SlackNo | undefined {
  try {
    run();
    return undefined;
  } catch (error) {
    if (error instanceof SlackNo) return error;
    throw error;
  }
}

describe('a message is accepted', () => {
  test.each<[string, Block[]]>([
    ['with fifty blocks', times(50, () => ({ type: 'divider' }))],
    ['with a section at its longest', [section({ text: mrkdwn(x(3000)) })]],
    ['with ten fields', [{ type: 'section', fields: times(10, () => mrkdwn(x(2000))) }]],
    ['with a button at its longest', [buttons({ text: plain(x(75)), value: x(2000), action_id: x(255) })]],
    ['with twenty-five elements', [actions(...times(25, (id) => button({ action_id: id })))]],
    ['with one action id in two blocks', [actions(button()), actions(button())]],
    ['with a hundred options', [selects({ options: times(100, (id) => option(id)) })]],
    ['with an initial option', [selects({ initial_option: option('a') })]],
    [
      'with rich text',
      [rich({ type: 'text', text: 'a', style: { bold: true } }, { type: 'user', user_id: 'U0ANA000001' })],
    ],
    ['with a rich date', [rich({ type: 'date', timestamp: 1, format: '{date}', fallback: 'then' })]],
    ['with a table', [table(100, 5)]],
    ['with a line chart', [chart([line('a', [1, -2])], ['d0', 'd1'])]],
    ['with an input', [{ type: 'input', label: plain('Name'), element: { type: 'plain_text_input' } }]],
    ['with a confirm', [buttons({ confirm: confirm() })]],
    [
      'with a menu at its longest',
      [
        section({ accessory: overflow(...times(5, (id) => option(id + x(149), x(75)))) }),
        actions(overflow(option('a'))),
      ],
    ],
  ])('%s', (_, blocks) => {
    expect(refusal(() => checkBlocks(blocks))?.extra).toBeUndefined();
  });
});

describe('a message is refused', () => {
  test.each<[string, Block[], string]>([
    ['fifty-one blocks', times(51, () => ({ type: 'divider' })), most(50, '/blocks')],
    ['an unknown block', [{ type: 'marquee' }], foreign('marquee', '/blocks/0/type')],
    ['a block without a type', [{}], missing('type', '/blocks/0')],
    ['an alert outside a modal', [{ type: 'alert', text: plain('!') }], foreign('alert', '/blocks/0/type')],
    [
      'an unknown field',
      [section({ colour: 1 })],
      `invalid additional property: colour${where('/blocks/0')}`,
    ],
    [
      'an empty text',
      [section({ text: mrkdwn('') })],
      `must be more than 0 characters${where('/blocks/0/text/text')}`,
    ],
    ['a long text', [section({ text: mrkdwn(x(3001)) })], less(3001, '/blocks/0/text/text')],
    [
      'a section with neither text nor fields',
      [{ type: 'section' }],
      `must provide either text or fields${where('/blocks/0')}`,
    ],
    ['eleven fields', [{ type: 'section', fields: times(11, () => plain('a')) }], most(10)],
    ['a long field', [{ type: 'section', fields: [plain(x(2001))] }], less(2001)],
    ['a long header', [{ type: 'header', text: plain(x(151)) }], less(151)],
    ['mrkdwn in a header', [{ type: 'header', text: mrkdwn('a') }], where('/blocks/0/text/type')],
    ['eleven in a context', [{ type: 'context', elements: times(11, () => plain('a')) }], most(10)],
    ['twenty-six actions', [actions(...times(26, (id) => button({ action_id: id })))], most(25)],
    ['no actions', [actions()], `must have at least 1 items${where('/blocks/0/elements')}`],
    ['a long label', [buttons({ text: plain(x(76)) })], less(76)],
    ['a long value', [buttons({ value: x(2001) })], less(2001)],
    ['a long action id', [buttons({ action_id: x(256) })], less(256)],
    ['a long block id', [section({ block_id: x(256) })], less(256)],
    ['a mrkdwn label', [buttons({ text: mrkdwn('Go') })], where('/blocks/0/elements/0/text/type')],
    ['an unknown style', [buttons({ style: 'warning' })], 'must be a valid enum value'],
    [
      'one action id twice in a block',
      [actions(button(), button())],
      `\`action_id\` already exists${where('/blocks/0/elements/1/action_id')}`,
    ],
    [
      'one block id twice',
      [section({ block_id: 'a' }), section({ block_id: 'a' })],
      `\`block_id\` already exists${where('/blocks/1/block_id')}`,
    ],
    ['a select with 101 options', [selects({ options: times(101, (id) => option(id)) })], most(100)],
    [
      'a select without options',
      [selects({ options: undefined })],
      'must provide either options or option_groups',
    ],
    ['a long option', [selects({ options: [option('a', x(76))] })], less(76)],
    ['a long option value', [selects({ options: [option(x(151), 'a')] })], less(151)],
    [
      'a foreign initial option',
      [selects({ initial_option: option('b') })],
      'initial option must be one of the options',
    ],
    [
      'a long label in an overflow',
      [section({ accessory: overflow(option('a', x(76))) })],
      less(76, '/blocks/0/accessory/options/0/text/text'),
    ],
    [
      'a long value in an overflow',
      [actions(overflow(option(x(151), 'a')))],
      less(151, '/blocks/0/elements/0/options/0/value'),
    ],
    ['six lines in an overflow', [actions(overflow(...times(6, (id) => option(id))))], most(5)],
    ['a long confirm title', [buttons({ confirm: confirm({ title: plain(x(101)) }) })], less(101)],
    ['a long confirm text', [buttons({ confirm: confirm({ text: plain(x(301)) }) })], less(301)],
    ['a long confirm button', [buttons({ confirm: confirm({ deny: plain(x(31)) }) })], less(31)],
    ['an empty rich text', [rich({ type: 'text', text: '' })], 'must be more than 0 characters'],
    ['an unknown leaf', [rich({ type: 'blink', text: 'a' })], foreign('blink')],
    [
      'an unknown text style',
      [rich({ type: 'text', text: 'a', style: { blink: true } })],
      'invalid additional property: blink',
    ],
    [
      'a user id of another shape',
      [rich({ type: 'user', user_id: 'ana' })],
      'input must match regex pattern',
    ],
    ['a link without a URL', [rich({ type: 'link', text: 'a' })], missing('url')],
    ['a table of 101 rows', [table(101, 1)], most(100)],
    ['a table of 21 cells', [table(1, 21)], most(20)],
    [
      'a table of too much text',
      [table(100, 2, x(51))],
      'table cells must be less than 10001 characters in total',
    ],
    ['a chart without a title', [chart([line('a', [1])], ['d0'], { title: undefined })], missing('title')],
    [
      'a chart with seven series',
      [
        chart(
          times(7, (id) => line(id, [1])),
          ['d0'],
        ),
      ],
      most(6),
    ],
    [
      'a chart with two series of one name',
      [chart([line('a', [1]), line('a', [1])], ['d0'])],
      'series names must be unique',
    ],
    [
      'a chart with a gap',
      [chart([line('a', [1])], ['d0', 'd1'])],
      'must have exactly one point for each category',
    ],
    [
      'a pie with a negative segment',
      [
        {
          type: 'data_visualization',
          title: 'a',
          chart: { type: 'pie', segments: [{ label: 'a', value: -1 }] },
        },
      ],
      'must be greater than',
    ],
    [
      'three charts',
      times(3, () => chart([line('a', [1])], ['d0'])),
      'no more than 2 data_visualization blocks allowed',
    ],
    [
      'too much markdown',
      times(2, () => ({ type: 'markdown', text: x(6001) })),
      'markdown text must be less than 12001 characters in total',
    ],
    [
      'an image from nowhere',
      [{ type: 'image', alt_text: 'a' }],
      'must provide either image_url or slack_file',
    ],
    [
      'two focused inputs',
      times(2, () => ({
        type: 'input',
        label: plain('a'),
        element: { type: 'plain_text_input', focus_on_load: true },
      })),
      'only one element may have focus_on_load',
    ],
  ])('for %s', (_, blocks, message) => {
    const no = refusal(() => checkBlocks(blocks));
    expect(no?.code).toBe('invalid_blocks');
    const errors = (no?.extra['errors'] ?? []) as string[];
    expect(errors.join('\n')).toContain(message);
    expect(no?.extra['response_metadata']).toEqual({ messages: errors.map((error) => `[ERROR] ${error}`) });
  });

  test('for two tables, and for blocks that are none', () => {
    expect(refusal(() => checkBlocks([table(1, 1), table(1, 1)]))?.code).toBe('invalid_attachments');
    expect(refusal(() => checkBlocks({}))?.code).toBe('invalid_blocks_format');
  });

  test('for metadata of another shape', () => {
    expect(checkMetadata({ event_type: 'card', event_payload: { id: 1 } })).toBeDefined();
    expect(checkMetadata({})).toBeUndefined();
    expect(refusal(() => checkMetadata({ event_type: 'card' }))?.code).toBe('invalid_metadata_schema');
    expect(refusal(() => checkMetadata({ event_type: 'card', event_payload: [] }))?.code).toBe(
      'invalid_metadata_schema',
    );
  });
});

describe('a view', () => {
  const modal = (more: Block = {}): Block => ({
    type: 'modal',
    title: plain('Delete'),
    blocks: [section()],
    ...more,
  });
  const input = { type: 'input', label: plain('Name'), element: { type: 'plain_text_input' } };

  test.each<[string, Block]>([
    ['a modal with an alert', modal({ blocks: [{ type: 'alert', text: plain('!'), level: 'warning' }] })],
    ['a modal with an input and a submit', modal({ submit: plain('Go'), blocks: [input] })],
    [
      'a modal with rich text',
      modal({ submit: plain('Go'), blocks: [rich({ type: 'text', text: 'a' }), input] }),
    ],
    ['a modal at its fullest', modal({ private_metadata: x(3000), blocks: times(100, () => section()) })],
  ])('may be %s', (_, view) => {
    expect(refusal(() => checkView(view, 'modal'))?.extra).toBeUndefined();
  });

  test.each<[string, Block, string]>([
    ['a long title', modal({ title: plain(x(25)) }), less(25, '/view/title/text')],
    ['no title', modal({ title: undefined }), missing('title', '/view')],
    ['a long submit', modal({ submit: plain(x(25)) }), where('/view/submit/text')],
    ['an input but no submit', modal({ blocks: [input] }), missing('submit')],
    ['much private metadata', modal({ private_metadata: x(3001) }), less(3001)],
    ['101 blocks', modal({ blocks: times(101, () => section()) }), most(100)],
    ['a chart', modal({ blocks: [chart([line('a', [1])], ['d0'])] }), foreign('data_visualization')],
    [
      'a long label',
      modal({ submit: plain('Go'), blocks: [{ ...input, label: plain(x(2001)) }] }),
      less(2001),
    ],
  ])('may not have %s', (_, view, message) => {
    const no = refusal(() => checkView(view, 'modal'));
    expect(no?.code).toBe('invalid_arguments');
    expect(JSON.stringify(no?.extra)).toContain(message);
  });

  test('may not be larger than 250 kB, and Home has no alert', () => {
    expect(
      refusal(() =>
        checkView(modal({ blocks: times(100, () => section({ text: mrkdwn(x(2900)) })) }), 'modal'),
      )?.code,
    ).toBe('view_too_large');
    expect(
      refusal(() => checkView({ type: 'home', blocks: [{ type: 'alert', text: plain('!') }] }, 'home'))?.code,
    ).toBe('invalid_arguments');
  });
});

test('options are given as options or groups, not both, and at most a hundred', () => {
  expect(brokenRules(optionsAnswer, { options: [] })).toEqual([]);
  expect(brokenRules(optionsAnswer, { options: [], option_groups: [] })).toHaveLength(1);
  expect(brokenRules(optionsAnswer, {})).toHaveLength(1);
  expect(brokenRules(optionsAnswer, { options: times(101, (id) => option(id)) })).toHaveLength(1);
});

test('whatever JSON comes, it is accepted or refused, and nothing crashes', () => {
  const types = 'section actions rich_text table data_visualization input card container modal'.split(' ');
  const keys = 'type text elements rows chart element blocks options block_id fields __proto__'.split(' ');
  const { json } = fc.letrec<{ json: unknown; object: unknown }>((tie) => ({
    json: fc.oneof(
      { maxDepth: 5 },
      fc.jsonValue(),
      fc.constantFrom(...types),
      tie('object'),
      fc.array(tie('json'), { maxLength: 4 }),
    ),
    object: fc.dictionary(fc.constantFrom(...keys), tie('json')),
  }));
  fc.assert(
    fc.property(json, fc.constantFrom(...types), (value, type) => {
      for (const given of [
        value,
        [value],
        [{ type, elements: value, text: value, chart: value, rows: value }],
      ]) {
        const codes = [
          refusal(() => checkBlocks(given)),
          refusal(() => checkView(given, 'modal')),
          refusal(() => checkView({ type: 'home', blocks: given }, 'home')),
          refusal(() => checkMetadata(given)),
        ].map((no) => no?.code ?? 'ok');
        expect(
          codes.filter((code) => !/^(ok|invalid_\w+|view_too_large|metadata_too_large)$/.test(code)),
        ).toEqual([]);
      }
    }),
    { numRuns: 300 },
  );
});
