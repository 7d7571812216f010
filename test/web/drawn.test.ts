import { expect, test } from 'vitest';
import { z } from 'zod';
import { messageBlocks, viewBlocks } from '../../sandbox/slack/limits/blocks.ts';
import type { Block } from '../../sandbox/web/wire.ts';
import { drawn, undrawnIn } from './undrawn-in.ts';

const label = (text: string): Block => ({ type: 'plain_text', text });
const rich = (...leaves: readonly Block[]): Block => ({
  type: 'rich_text',
  elements: [{ type: 'rich_text_section', elements: leaves }],
});
const actions = (element: Block): Block => ({
  type: 'actions',
  block_id: 'b1',
  elements: [{ action_id: 'a1', ...element }],
});
const option = { text: label('Stop'), value: 'stop' };

const dataTable: Block = {
  type: 'data_table',
  caption: 'Instances',
  rows: [
    [
      { type: 'raw_text', text: 'Name' },
      { type: 'raw_text', text: 'A day' },
    ],
    [
      { type: 'raw_text', text: 'db-1' },
      { type: 'raw_number', value: 210, text: '210' },
    ],
  ],
};

/** One block with each type that the limits know, and what must be read in it. */
const SAMPLES: Readonly<Record<string, readonly [words: string, block: Block]>> = {
  actions: ['Press', actions({ type: 'button', text: label('Press') })],
  button: ['Restart', actions({ type: 'button', text: label('Restart'), style: 'danger' })],
  overflow: ['More actions', actions({ type: 'overflow', options: [option] })],
  external_select: ['Which one?', actions({ type: 'external_select', placeholder: label('Which one?') })],
  users_select: ['Who?', actions({ type: 'users_select', placeholder: label('Who?') })],
  conversations_select: ['Where?', actions({ type: 'conversations_select', placeholder: label('Where?') })],
  multi_external_select: [
    'Which ones?',
    actions({ type: 'multi_external_select', placeholder: label('Which ones?') }),
  ],
  input: ['Its name', { type: 'input', label: label('Its name'), element: { type: 'plain_text_input' } }],
  plain_text_input: [
    'type="text"',
    { type: 'input', label: label('It'), element: { type: 'plain_text_input' } },
  ],
  section: ['Words', { type: 'section', text: label('Words') }],
  plain_text: ['a *b*', { type: 'section', text: label('a *b*') }],
  mrkdwn: [
    '<b><span class="mrkdwn">b</span></b>',
    { type: 'section', text: { type: 'mrkdwn', text: 'a *b*' } },
  ],
  rich_text: ['Hello', rich({ type: 'text', text: 'Hello' })],
  rich_text_section: ['Hello', rich({ type: 'text', text: 'Hello' })],
  rich_text_list: [
    '<li>',
    {
      type: 'rich_text',
      elements: [
        {
          type: 'rich_text_list',
          style: 'bullet',
          elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text: 'one' }] }],
        },
      ],
    },
  ],
  text: ['<code>', rich({ type: 'text', text: 'code', style: { code: true } })],
  link: ['Look', rich({ type: 'link', url: 'https://example.test', text: 'Look' })],
  user: ['@ana', rich({ type: 'user', user_id: 'U0ANA000001' })],
  usergroup: ['@oncall', rich({ type: 'usergroup', usergroup_id: 'S0ONCALL001' })],
  channel: ['#ops', rich({ type: 'channel', channel_id: 'C0OPS000001' })],
  date: [
    '2026',
    rich({ type: 'date', timestamp: 1_795_000_000, format: '{date_short_pretty}', fallback: 'x' }),
  ],
  divider: ['<hr', { type: 'divider' }],
  table: ['<th', { type: 'table', rows: [[{ type: 'raw_text', text: 'Name' }]] }],
  data_table: ['Sort by Name', dataTable],
  raw_number: ['210', dataTable],
  container: [
    '<summary',
    {
      type: 'container',
      title: label('More'),
      is_collapsible: true,
      child_blocks: [{ type: 'section', text: label('Words') }],
    },
  ],
  raw_text: ['Name', { type: 'table', rows: [[{ type: 'raw_text', text: 'Name' }]] }],
  data_visualization: ['Cost', chart()],
  bar: ['web-1: 105', chart()],
};

function chart(): Block {
  const data = [{ label: 'web-1', value: 105 }];
  return {
    type: 'data_visualization',
    title: 'Cost',
    chart: { type: 'bar', series: [{ name: 'A day', data }], axis_config: { categories: ['web-1'] } },
  };
}

/** Every type that the limits of the sandbox's Slack let through, at any depth. */
const known = [...new Set([messageBlocks, viewBlocks].flatMap((schema) => typesIn(z.toJSONSchema(schema))))];

function typesIn(schema: unknown): string[] {
  if (Array.isArray(schema)) return schema.flatMap(typesIn);
  if (typeof schema !== 'object' || schema === null) return [];
  const { properties } = schema as { properties?: { type?: { const?: unknown } } };
  const own = properties?.type?.const;
  return [...(typeof own === 'string' ? [own] : []), ...Object.values(schema).flatMap(typesIn)];
}

test('the limits know as many types as there are samples', () => {
  expect(known.toSorted()).toEqual(Object.keys(SAMPLES).toSorted());
});

test.each(known)('the page draws %s', (type) => {
  const [words, block] = SAMPLES[type] ?? ['', {}];
  expect(undrawnIn([block])).toEqual([]);
  expect(drawn([block])).toContain(words);
});

test('what the page can not draw is noticed, at any depth', () => {
  const unknown: readonly Block[] = [
    { type: 'video' },
    rich({ type: 'emoji', name: 'wave' }),
    actions({ type: 'datepicker' }),
    { type: 'input', label: label('When'), element: { type: 'timepicker' } },
    { type: 'table', rows: [[{ type: 'rich_text' }]] },
    { type: 'rich_text', elements: [{ type: 'rich_text_quote', elements: [] }] },
    { type: 'data_visualization', title: 'x', chart: { type: 'pie' } },
  ];
  expect(unknown.filter((block) => undrawnIn([block]).length !== 1)).toEqual([]);
});
