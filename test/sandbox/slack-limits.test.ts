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
const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => make(at));
const plain = (text: unknown): Block => ({ type: 'plain_text', text });
const mrkdwn = (text: unknown): Block => ({ type: 'mrkdwn', text });
const section = (more: Block = {}): Block => ({ type: 'section', text: mrkdwn('hello'), ...more });
const actions = (...elements: Block[]): Block => ({ type: 'actions', elements });
const button = (more: Block = {}): Block => ({ type: 'button', action_id: 'go', text: plain('Go'), ...more });
const option = (value: string, text = value): Block => ({ text: plain(text), value });
const overflow = (...options: Block[]): Block => ({ type: 'overflow', action_id: 'more', options });
const rich = (...leaves: Block[]): Block => ({
  type: 'rich_text',
  elements: [{ type: 'rich_text_section', elements: leaves }],
});
const table = (rows: number, cells: number, text = 'x'): Block => ({
  type: 'table',
  rows: times(rows, () => times(cells, () => ({ type: 'raw_text', text }))),
});
const raw = (text: string): Block => ({ type: 'raw_text', text });
const dataTable = (rows: number, cells: number, text = 'x'): Block => ({
  type: 'data_table',
  caption: 'All',
  rows: times(rows, () => times(cells, () => raw(text))),
});
const container = (children: Block[], more: Block = {}): Block => ({
  type: 'container',
  title: plain('More'),
  child_blocks: children,
  ...more,
});
const line = (name: string, values: number[], labels = values.map((_, at) => `d${at}`)): Block => ({
  name,
  data: values.map((value, at) => ({ label: labels[at], value })),
});
const chart = (series: Block[], categories: string[], more: Block = {}): Block => ({
  type: 'data_visualization',
  title: 'Use',
  chart: { type: 'bar', series, axis_config: { categories } },
  ...more,
});

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
    ['with fifty blocks', times(50, () => section())],
    ['with a section at its longest', [section({ text: mrkdwn(x(3000)) })]],
    [
      'with a button at its longest',
      [actions(button({ text: plain(x(75)), value: x(2000), action_id: x(255) }))],
    ],
    ['with twenty-five elements', [actions(...times(25, (at) => button({ action_id: `go-${at}` })))]],
    ['with one action id in two blocks', [actions(button()), actions(button())]],
    [
      'with rich text',
      [rich({ type: 'text', text: 'a', style: { bold: true } }, { type: 'user', user_id: 'U0ANA000001' })],
    ],
    ['with a rich date', [rich({ type: 'date', timestamp: 1, format: '{date}', fallback: 'then' })]],
    ['with a table', [table(100, 5)]],
    ['with a table that its reader sorts', [dataTable(101, 20)]],
    [
      'with a container of a table',
      [container([table(100, 5)], { is_collapsible: true, default_collapsed: true })],
    ],
    [
      'with a button that leads elsewhere',
      [actions(button({ url: 'https://x.test', accessibility_label: x(75) }))],
    ],
    ['with a chart', [chart([line('a', [1, -2])], ['d0', 'd1'])]],
    ['with an input', [{ type: 'input', label: plain('Name'), element: { type: 'plain_text_input' } }]],
    [
      'with a menu at its longest',
      [
        actions(overflow(...times(5, (at) => option(`${at}${x(149)}`, x(75))))),
        actions(overflow(option('a'))),
      ],
    ],
  ])('%s', (_, blocks) => {
    expect(refusal(() => checkBlocks(blocks))?.extra).toBeUndefined();
  });
});

describe('a message is refused', () => {
  test.each<[string, Block[], string]>([
    ['fifty-one blocks', times(51, () => section()), 'no more than 50 items allowed [json-pointer:/blocks]'],
    ['an unknown block', [{ type: 'marquee' }], 'unsupported type: marquee [json-pointer:/blocks/0/type]'],
    ['a block without a type', [{}], 'missing required field: type [json-pointer:/blocks/0]'],
    [
      'an unknown field',
      [section({ color: 1 })],
      'invalid additional property: color [json-pointer:/blocks/0]',
    ],
    [
      'an empty text',
      [section({ text: mrkdwn('') })],
      'must be more than 0 characters [json-pointer:/blocks/0/text/text]',
    ],
    [
      'a long text',
      [section({ text: mrkdwn(x(3001)) })],
      'must be less than 3001 characters [json-pointer:/blocks/0/text/text]',
    ],
    [
      'twenty-six actions',
      [actions(...times(26, (at) => button({ action_id: `${at}` })))],
      'no more than 25 items allowed',
    ],
    ['no actions', [actions()], 'must have at least 1 items [json-pointer:/blocks/0/elements]'],
    ['a long label', [actions(button({ text: plain(x(76)) }))], 'must be less than 76 characters'],
    ['a long value', [actions(button({ value: x(2001) }))], 'must be less than 2001 characters'],
    ['a long action id', [actions(button({ action_id: x(256) }))], 'must be less than 256 characters'],
    ['a long block id', [section({ block_id: x(256) })], 'must be less than 256 characters'],
    [
      'a mrkdwn label',
      [actions(button({ text: mrkdwn('Go') }))],
      '[json-pointer:/blocks/0/elements/0/text/type]',
    ],
    ['an unknown style', [actions(button({ style: 'warning' }))], 'must be a valid enum value'],
    [
      'one action id twice in a block',
      [actions(button(), button())],
      '`action_id` already exists [json-pointer:/blocks/0/elements/1/action_id]',
    ],
    [
      'one block id twice',
      [section({ block_id: 'a' }), section({ block_id: 'a' })],
      '`block_id` already exists [json-pointer:/blocks/1/block_id]',
    ],
    [
      'a long label in an overflow',
      [actions(overflow(option('a', x(76))))],
      'must be less than 76 characters [json-pointer:/blocks/0/elements/0/options/0/text/text]',
    ],
    [
      'a long value in an overflow',
      [actions(overflow(option(x(151), 'a')))],
      'must be less than 151 characters [json-pointer:/blocks/0/elements/0/options/0/value]',
    ],
    [
      'six lines in an overflow',
      [actions(overflow(...times(6, (at) => option(`${at}`))))],
      'no more than 5 items allowed',
    ],
    ['an empty rich text', [rich({ type: 'text', text: '' })], 'must be more than 0 characters'],
    ['an unknown leaf', [rich({ type: 'blink', text: 'a' })], 'unsupported type: blink'],
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
    ['a link without a URL', [rich({ type: 'link', text: 'a' })], 'missing required field: url'],
    ['a sorted table of 102 rows', [dataTable(102, 1)], 'no more than 101 items allowed'],
    ['a sorted table without rows', [dataTable(1, 1)], 'must have at least 2 items'],
    [
      'a sorted table of rows of two lengths',
      [{ ...dataTable(2, 1), rows: [[raw('a')], [raw('a'), raw('b')]] }],
      'all rows must have the same number of cells',
    ],
    [
      'two tables of too much text together',
      [table(100, 1, x(51)), dataTable(100, 1, x(51))],
      'table cells must be less than 10001 characters in total',
    ],
    [
      'a chart in a container',
      [container([chart([line('a', [1])], ['d0'])])],
      'unsupported type: data_visualization',
    ],
    [
      'a container that is folded up for good',
      [container([], { default_collapsed: true })],
      'requires is_collapsible',
    ],
    [
      'one id inside of a container and outside',
      [section({ block_id: 'a' }), container([section({ block_id: 'a' })])],
      '`block_id` already exists',
    ],
    ['a table of 101 rows', [table(101, 1)], 'no more than 100 items allowed'],
    ['a table of 21 cells', [table(1, 21)], 'no more than 20 items allowed'],
    [
      'a table of too much text',
      [table(100, 2, x(51))],
      'table cells must be less than 10001 characters in total',
    ],
    [
      'a chart without a title',
      [chart([line('a', [1])], ['d0'], { title: undefined })],
      'missing required field: title',
    ],
    [
      'a chart with seven series',
      [
        chart(
          times(7, (at) => line(`${at}`, [1])),
          ['d0'],
        ),
      ],
      'no more than 6 items allowed',
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
      'three charts',
      times(3, () => chart([line('a', [1])], ['d0'])),
      'no more than 2 data_visualization blocks allowed',
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
    ['a modal with an input and a submit', modal({ submit: plain('Go'), blocks: [input] })],
    [
      'a modal with rich text',
      modal({ submit: plain('Go'), blocks: [rich({ type: 'text', text: 'a' }), input] }),
    ],
    ['a modal at its fullest', modal({ private_metadata: x(3000), blocks: times(100, () => section()) })],
  ])('may be %s', (_, view) => {
    expect(refusal(() => checkView(view))?.extra).toBeUndefined();
  });

  test.each<[string, Block, string]>([
    [
      'a long title',
      modal({ title: plain(x(25)) }),
      'must be less than 25 characters [json-pointer:/view/title/text]',
    ],
    ['no title', modal({ title: undefined }), 'missing required field: title [json-pointer:/view]'],
    ['a long submit', modal({ submit: plain(x(25)) }), '[json-pointer:/view/submit/text]'],
    ['an input but no submit', modal({ blocks: [input] }), 'missing required field: submit'],
    ['much private metadata', modal({ private_metadata: x(3001) }), 'must be less than 3001 characters'],
    ['101 blocks', modal({ blocks: times(101, () => section()) }), 'no more than 100 items allowed'],
    ['a chart', modal({ blocks: [chart([line('a', [1])], ['d0'])] }), 'unsupported type: data_visualization'],
    [
      'a long label',
      modal({ submit: plain('Go'), blocks: [{ ...input, label: plain(x(2001)) }] }),
      'must be less than 2001 characters',
    ],
  ])('may not have %s', (_, view, message) => {
    const no = refusal(() => checkView(view));
    expect(no?.code).toBe('invalid_arguments');
    expect(JSON.stringify(no?.extra)).toContain(message);
  });

  test('may not be larger than 250 kB', () => {
    const large = modal({ blocks: times(100, () => section({ text: mrkdwn(x(2900)) })) });
    expect(refusal(() => checkView(large))?.code).toBe('view_too_large');
  });
});

test('options are given as options or groups, not both, and at most a hundred', () => {
  expect(brokenRules(optionsAnswer, { options: [] })).toEqual([]);
  expect(brokenRules(optionsAnswer, { options: [], option_groups: [] })).toHaveLength(1);
  expect(brokenRules(optionsAnswer, {})).toHaveLength(1);
  expect(brokenRules(optionsAnswer, { options: times(101, (at) => option(`${at}`)) })).toHaveLength(1);
});

test('whatever JSON comes, it is accepted or refused, and nothing crashes', () => {
  const types = [
    'section',
    'actions',
    'rich_text',
    'table',
    'data_table',
    'data_visualization',
    'input',
    'modal',
  ];
  const keys = [
    'type',
    'text',
    'elements',
    'rows',
    'chart',
    'element',
    'blocks',
    'options',
    'block_id',
    '__proto__',
  ];
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
          refusal(() => checkView(given)),
          refusal(() => checkView({ type: 'modal', blocks: given })),
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
