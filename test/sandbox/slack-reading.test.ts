import { LogLevel, WebClient } from '@slack/web-api';
import type { KnownBlock } from '@slack/types';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  createSlackDouble,
  links,
  type PostedMessage,
  pings,
  type SlackDouble,
} from '../../sandbox/slack/index.ts';

let slack: SlackDouble;
let client: WebClient;
beforeEach(async () => {
  slack = createSlackDouble();
  const { apiUrl } = await slack.start();
  client = new WebClient(slack.botToken, {
    slackApiUrl: apiUrl,
    logLevel: LogLevel.ERROR,
    retryConfig: { retries: 0 },
  });
});
afterEach(() => slack.stop());

async function post(text: string, blocks: KnownBlock[] = []): Promise<PostedMessage> {
  await client.chat.postMessage({ channel: slack.channel('#ops').id, text, blocks });
  return slack.channel('#ops').last;
}
const mrkdwn = (text: string, verbatim = false) => ({ type: 'mrkdwn' as const, text, verbatim });
const plain = (text: string) => ({ type: 'plain_text' as const, text });
const rich = (...elements: Parameters<typeof Array.of>): KnownBlock =>
  ({ type: 'rich_text', elements: [{ type: 'rich_text_section', elements }] }) as KnownBlock;

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
  const richly = await post('x', [
    rich({ type: 'user', user_id: ana }, { type: 'broadcast', range: 'everyone' }),
  ]);
  expect(pings(richly)).toEqual({ users: [ana], broadcasts: ['everyone'], subteams: [] });
});

test('links() finds what leads out of Slack', async () => {
  const message = await post('see <https://a.example|here> or https://b.example', [
    { type: 'section', text: mrkdwn('https://c.example', true) },
    rich({ type: 'text', text: 'https://d.example' }, { type: 'link', url: 'https://e.example' }),
    { type: 'actions', elements: [{ type: 'button', text: plain('Open'), url: 'https://f.example' }] },
  ]);
  expect(links(message).map(({ url }) => url)).toEqual([
    'https://a.example',
    'https://b.example',
    'https://e.example',
    'https://f.example',
  ]);
});

test('what a person types arrives as Slack sends it', async () => {
  const turn = await slack
    .person('ana')
    .types('#ops', '@oncall: web-1.example.com, https://x.io/?a=1&b=2, a@b.com, @nobody');
  expect(turn.message?.text).toBe(
    '<!subteam^S0ONCALL001>: <http://web-1.example.com|web-1.example.com>, <https://x.io/?a=1&amp;b=2,> <mailto:a@b.com|a@b.com>, @nobody',
  );
});
