import type { WebClient } from '@slack/web-api';
import { expect, test } from 'vitest';
import type { SlackDouble } from '../../sandbox/slack/index.ts';
import { openSlack } from './slack-caller.ts';

const MINUTE = 60;
const refused = (error: string) => ({ data: { ok: false, error } });

let slack: SlackDouble;
let now = 1_700_000_000;
let channel = '';
async function start(): Promise<WebClient> {
  const opened = await openSlack({ clock: () => now * 1_000 });
  ({ slack } = opened);
  channel = slack.channel('#ops').id;
  return opened.client;
}

/** Lets time pass at Slack, in seconds. */
function pass(seconds: number): void {
  now += seconds;
  slack.postDue();
}
const texts = (): readonly string[] => slack.channel('#ops').messages.map(({ text }) => text);

test('a message that was scheduled is listed without its blocks, and stands once its time has come', async () => {
  const client = await start();
  const blocks = [{ type: 'section', block_id: 'mine', text: { type: 'plain_text', text: 'Later.' } }];
  const asked = { channel, text: 'Later.', post_at: now + 20 * MINUTE };
  const { scheduled_message_id: id } = await client.chat.scheduleMessage({ ...asked, blocks });
  const listed = { id, channel_id: channel, post_at: now + 20 * MINUTE, date_created: now, text: 'Later.' };
  expect((await client.chat.scheduledMessages.list()).scheduled_messages).toEqual([listed]);
  pass(20 * MINUTE - 1);
  expect(texts()).toEqual([]);
  pass(1);
  expect(texts()).toEqual(['Later.']);
  expect(slack.channel('#ops').last.blocks).toMatchObject([{ block_id: 'mine' }]);
  expect((await client.chat.scheduledMessages.list()).scheduled_messages).toEqual([]);
});

test('one that is taken back in time is not posted, one within five minutes is all the same, and one within a minute stays', async () => {
  const client = await start();
  const schedule = async (text: string, inSeconds: number) => {
    const answer = await client.chat.scheduleMessage({ channel, text, post_at: now + inSeconds });
    return { channel, scheduled_message_id: answer.scheduled_message_id ?? '' };
  };
  const [early, late, last] = [
    await schedule('early', 6 * MINUTE),
    await schedule('late', 4 * MINUTE),
    await schedule('last', MINUTE),
  ];
  await client.chat.deleteScheduledMessage(early);
  await client.chat.deleteScheduledMessage(late);
  const error = 'invalid_scheduled_message_id';
  await expect(client.chat.deleteScheduledMessage(last)).rejects.toMatchObject(refused(error));
  await expect(client.chat.deleteScheduledMessage(early)).rejects.toMatchObject(refused(error));
  expect((await client.chat.scheduledMessages.list()).scheduled_messages).toMatchObject([{ text: 'last' }]);
  pass(10 * MINUTE);
  expect(texts()).toEqual(['late', 'last'].toReversed());
});

test('one with metadata is never posted, and none in a channel that the bot has left', async () => {
  const client = await start();
  const metadata = { event_type: 'mine', event_payload: { key: '1' } };
  await client.chat.scheduleMessage({ channel, text: 'marked', post_at: now + MINUTE, metadata });
  await client.chat.scheduleMessage({ channel, text: 'gone', post_at: now + MINUTE });
  slack.channel('#ops').archive();
  pass(2 * MINUTE);
  expect(texts()).toEqual([]);
});

test('what Slack would refuse to schedule is refused', async () => {
  const client = await start();
  const schedule = (over: object) =>
    client.chat.scheduleMessage({ channel, text: 'Later.', post_at: now + 20 * MINUTE, ...over });
  await expect(schedule({ post_at: now })).rejects.toMatchObject(refused('time_in_past'));
  await expect(schedule({ post_at: now + 121 * 86_400 })).rejects.toMatchObject(refused('time_too_far'));
  await expect(schedule({ post_at: 'soon' })).rejects.toMatchObject(refused('invalid_time'));
  await expect(schedule({ channel: 'C0NOWHERE01' })).rejects.toMatchObject(refused('channel_not_found'));
  await expect(schedule({ text: '', blocks: [] })).rejects.toMatchObject(refused('no_text'));
  const blocks = [{ type: 'section' }];
  await expect(schedule({ blocks })).rejects.toMatchObject(refused('invalid_blocks'));
  for (let index = 0; index < 30; index += 1) await schedule({ post_at: now + 20 * MINUTE + index });
  await expect(schedule({})).rejects.toMatchObject(refused('restricted_too_many'));
  await schedule({ post_at: now + 26 * MINUTE });
});
