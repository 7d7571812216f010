import type { WebClient } from '@slack/web-api';
import type { KnownBlock } from '@slack/types';
import { beforeEach, expect, test } from 'vitest';
import { links, type PostedMessage, pings, type SlackDouble } from '../../sandbox/slack/index.ts';
import { openSlack } from './slack-caller.ts';

let slack: SlackDouble;
let client: WebClient;
beforeEach(async () => {
  ({ slack, client } = await openSlack({ clock: () => Date.UTC(2026, 10, 20, 12) }));
});

async function post(text: string, blocks: KnownBlock[] = []): Promise<PostedMessage> {
  await client.chat.postMessage({ channel: slack.channel('#ops').id, text, blocks });
  return slack.channel('#ops').last;
}
const mrkdwn = (text: string, verbatim = false) => ({ type: 'mrkdwn' as const, text, verbatim });
const plain = (text: string) => ({ type: 'plain_text' as const, text });
const rich = (...elements: Parameters<typeof Array.of>): KnownBlock =>
  ({ type: 'rich_text', elements: [{ type: 'rich_text_section', elements }] }) as KnownBlock;

test('a transcript reads as the channel does', async () => {
  const ana = slack.person('ana');
  const asked = await ana.types('#ops', 'who restarts <web-1> & co, @bob? See #random');
  const { ts = '' } = await client.chat.postMessage({
    channel: slack.channel('#ops').id,
    text: 'Restarting…',
  });
  await client.chat.postMessage({ channel: slack.channel('#ops').id, text: 'done &lt;3', thread_ts: ts });
  await client.chat.update({ channel: slack.channel('#ops').id, ts, text: `Restarted for <@${ana.id}>` });
  await client.chat.postEphemeral({ channel: slack.channel('#ops').id, user: ana.id, text: 'psst' });

  const message = slack.channel('#ops').messages.find((one) => one.ts === ts) ?? slack.channel('#ops').last;
  expect(asked.message?.text).toContain('&lt;web-1&gt; &amp; co');
  expect(slack.transcript('#ops', 'bob')).toBe(
    [
      'ana',
      '  who restarts <web-1> & co, @bob? See #random',
      '',
      'Lamplighter (edited)',
      '  Restarted for @ana',
      '    Lamplighter',
      '      done <3',
    ].join('\n'),
  );
  expect(slack.transcript('#ops', 'ana')).toContain('Lamplighter (only you can see this, @ana)\n  psst');
  expect(slack.read(message, 0)).toBe('Restarting…');
});

test('blocks read as a person sees them', async () => {
  const option = (value: string) => ({ text: plain(value), value });
  const message = await post('fallback', [
    { type: 'section', text: mrkdwn('since <!date^1763640000^{date_short_pretty} {time}|then> &amp; *now*') },
    { type: 'section', text: mrkdwn('<https://x.example|the dashboard>') },
    rich(
      { type: 'text', text: 'By ' },
      { type: 'user', user_id: slack.person('ana').id },
      { type: 'text', text: ' <!here>' },
    ),
    {
      type: 'actions',
      elements: [
        { type: 'button', text: plain('Restart') },
        { type: 'external_select', placeholder: plain('Pick one') },
        { type: 'overflow', options: [option('Rename'), option('Delete')] },
      ],
    },
    {
      type: 'table',
      rows: [
        [
          { type: 'raw_text', text: 'name' },
          { type: 'raw_text', text: 'state' },
        ],
        [
          { type: 'raw_text', text: 'web-1' },
          { type: 'raw_text', text: 'running' },
        ],
      ],
    },
  ] as KnownBlock[]);

  expect(slack.read(message).split('\n')).toEqual([
    'since Nov 20, 2025 12:00 PM & *now*',
    'the dashboard (https://x.example)',
    'By @ana <!here>',
    '[ Restart ] [ Pick one ▾ ] ⋯ [ Rename | Delete ]',
    'name  | state',
    'web-1 | running',
  ]);
});

test('pings() finds whom a message would notify, wherever it stands', async () => {
  const ana = slack.person('ana').id;
  expect(pings(await post(`<@${ana}> and <!channel> and <!subteam^S0ONCALL001>`))).toEqual({
    users: [ana],
    broadcasts: ['channel'],
    subteams: ['S0ONCALL001'],
  });
  const none = { users: [], broadcasts: [], subteams: [] };
  expect(pings(await post('&lt;!channel&gt; and @here'))).toEqual(none);
  expect(pings(await post('x', [rich({ type: 'text', text: `<!here> @channel <@${ana}>` })]))).toEqual(none);
  expect(pings(await post('x', [{ type: 'section', text: plain('@here <!here>') }]))).toEqual(none);
  expect(pings(await post('x', [{ type: 'section', text: mrkdwn('hey @here') }])).broadcasts).toEqual([
    'here',
  ]);
  expect(pings(await post('x', [{ type: 'section', text: mrkdwn('hey @here', true) }]))).toEqual(none);
  const richly = await post('x', [rich({ type: 'user', user_id: ana })]);
  expect(pings(richly)).toEqual({ users: [ana], broadcasts: [], subteams: [] });
});

test('links() finds what leads out of Slack', async () => {
  const message = await post('see <https://a.example|here> or https://b.example', [
    { type: 'section', text: mrkdwn('https://c.example', true) },
    rich({ type: 'text', text: 'https://d.example' }, { type: 'link', url: 'https://e.example' }),
  ]);
  expect(links(message).map(({ url }) => url)).toEqual([
    'https://a.example',
    'https://b.example',
    'https://e.example',
  ]);
});

test('what a person types arrives as Slack sends it', async () => {
  const interaction = await slack
    .person('ana')
    .types('#ops', '@here: web-1.example.com, https://x.io/?a=1&b=2, a@b.com, @nobody');
  expect(interaction.message?.text).toBe(
    '<!here>: <http://web-1.example.com|web-1.example.com>, <https://x.io/?a=1&amp;b=2,> <mailto:a@b.com|a@b.com>, @nobody',
  );
});
