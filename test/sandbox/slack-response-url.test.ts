import { afterEach, beforeEach, expect, test } from 'vitest';
import { type BareBot, startBareBot } from '../../sandbox/slack/bare-bot.ts';

let now = 1_700_000_000_000;
let bot: BareBot;
let url = '';
let triggerId = '';
beforeEach(async () => {
  now = 1_700_000_000_000;
  bot = await startBareBot('http', { clock: () => now });
  bot.app.command('/ask', async ({ ack }) => ack());
  const turn = await bot.slack.person('ana').types('#ops', '/ask');
  url = turn.responseUrl ?? '';
  triggerId = turn.triggerId ?? '';
});
afterEach(() => bot.stop());

async function respond(body: Record<string, unknown>): Promise<[number, string | undefined]> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  return [response.status, ((await response.json()) as { error?: string }).error];
}
const ops = () => bot.slack.channel('#ops');

test('an answer is for the person alone unless it says in_channel', async () => {
  expect(await respond({ text: 'psst' })).toEqual([200, undefined]);
  expect(await respond({ text: 'all', response_type: 'in_channel' })).toEqual([200, undefined]);
  expect(ops().messages.map(({ text }) => text)).toEqual(['all']);
  expect(
    ops()
      .ephemeralFor('ana')
      .map(({ text }) => text),
  ).toEqual(['psst']);
});

test('five uses, then used_url', async () => {
  for (let use = 0; use < 5; use += 1) expect(await respond({ text: 'again' })).toEqual([200, undefined]);
  expect(await respond({ text: 'again' })).toEqual([404, 'used_url']);
});

test('thirty minutes, then expired_url', async () => {
  now += 30 * 60_000;
  expect(await respond({ text: 'just' })).toEqual([200, undefined]);
  now += 1;
  expect(await respond({ text: 'late' })).toEqual([404, 'expired_url']);
});

test('invalid blocks are a 404, and show among the refusals', async () => {
  expect(await respond({ text: 'x', blocks: [{ type: 'nonsense' }] })).toEqual([404, 'invalid_blocks']);
  expect(await respond({})).toEqual([404, 'no_text']);
  expect(bot.slack.refusals.map(({ method, error }) => [method, error])).toEqual([
    ['response_url', 'invalid_blocks'],
    ['response_url', 'no_text'],
  ]);
});

test('a command has no original to replace or delete', async () => {
  await respond({ text: 'one' });
  await respond({ text: 'two', replace_original: true });
  expect(await respond({ delete_original: true })).toEqual([404, 'message_not_found']);
  expect(
    ops()
      .ephemeralFor('ana')
      .map(({ text }) => text),
  ).toEqual(['one', 'two']);
});

test('an answer in a thread', async () => {
  const { ts = '' } = await bot.app.client.chat.postMessage({ channel: ops().id, text: 'parent' });
  await respond({ text: 'reply', response_type: 'in_channel', replace_original: false, thread_ts: ts });
  expect(
    ops()
      .replies(ts)
      .map(({ text }) => text),
  ).toEqual(['reply']);
});

test('a trigger is good for three seconds, for one view', async () => {
  const title = { type: 'plain_text' as const, text: 'Hello' };
  const open = (id: string) =>
    bot.app.client.views.open({
      trigger_id: id,
      view: { type: 'modal', title, blocks: [{ type: 'section', text: title }] },
    });
  await open(triggerId);
  await expect(open(triggerId)).rejects.toMatchObject({ data: { error: 'exchanged_trigger_id' } });
  await expect(open('1.2.3')).rejects.toMatchObject({ data: { error: 'invalid_trigger_id' } });
  const late = await bot.slack.person('ana').types('#ops', '/ask');
  now += 3001;
  await expect(open(late.triggerId ?? '')).rejects.toMatchObject({ data: { error: 'expired_trigger_id' } });
});
