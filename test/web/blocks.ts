import { request } from 'undici';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { Block } from '../../sandbox/web/wire.ts';

const plain = (text: string): Block => ({ type: 'plain_text', text });
const button = (text: string, more: Block = {}): Block => ({
  type: 'button',
  action_id: text,
  text: plain(text),
  ...more,
});
const row = (name: string, cost: number): readonly Block[] => [
  { type: 'raw_text', text: name },
  { type: 'raw_number', value: cost, text: `${cost}` },
];

/** A message with each block that a page draws in a way of its own. */
const BLOCKS: readonly Block[] = [
  {
    type: 'container',
    title: plain('Folded up'),
    subtitle: plain('until somebody presses here'),
    is_collapsible: true,
    default_collapsed: true,
    child_blocks: [{ type: 'section', text: plain('What was hidden') }],
  },
  {
    type: 'data_table',
    caption: 'Machines',
    page_size: 2,
    rows: [
      [
        { type: 'raw_text', text: 'Name' },
        { type: 'raw_text', text: 'A day' },
      ],
      row('web-10', 9),
      row('web-9', 10),
      row('db-1', 210),
    ],
  },
  {
    type: 'actions',
    elements: [
      button('Primary', { style: 'primary' }),
      button('Danger', { style: 'danger', accessibility_label: 'Danger for web-9' }),
      button('Elsewhere', { url: 'https://console.example/instances/9' }),
    ],
  },
];

/** Has the bot's token post them in #ops. */
export async function postAsBot({ slack, env }: Sandbox): Promise<void> {
  const { body } = await request(`${env['SLACK_API_URL']}chat.postMessage`, {
    method: 'POST',
    headers: { authorization: `Bearer ${slack.botToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ channel: slack.channel('#ops').id, text: 'Every block', blocks: BLOCKS }),
  });
  const answer = await body.json();
  if ((answer as { ok?: unknown }).ok !== true) throw new Error(JSON.stringify(answer));
}
