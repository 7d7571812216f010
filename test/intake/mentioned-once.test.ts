import { describe, expect, it } from 'vitest';
import { BOT } from '../../sandbox/people.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { PostedMessage } from '../../sandbox/slack/index.ts';
import { play, powerCalls, privateTexts, readAll } from '../support/sandbox.ts';

/** ana mentions the bot, and all that comes of it has ended. */
async function mentioned(sandbox: Sandbox, words: string): Promise<PostedMessage> {
  const interaction = await sandbox.slack.person('ana').mentions('#ops', words);
  await sandbox.settled();
  return interaction.message!;
}

describe('a mention that Slack tells more than once, by events of their own, is carried out once:', () => {
  it('as a second mention of the same message', async () => {
    const sandbox = await play();
    const message = await mentioned(sandbox, 'stop web-1');
    sandbox.hosting.changeStatus(101, 'running');
    expect((await sandbox.slack.tellAgain(message))?.status).toBe(200);
    await sandbox.settled();
    expect(powerCalls(sandbox)).toBe(1);
    expect(readAll(sandbox)).toHaveLength(2);
  });

  it('as a read', async () => {
    const sandbox = await play();
    const message = await mentioned(sandbox, 'show web-1');
    await sandbox.slack.until(() => privateTexts(sandbox, 'ana').length === 1);
    await sandbox.slack.tellAgain(message);
    await sandbox.settled();
    expect(privateTexts(sandbox, 'ana')).toHaveLength(1);
    expect(readAll(sandbox)).toEqual([]);
  });

  it('as words that nobody understands', async () => {
    const sandbox = await play();
    const message = await mentioned(sandbox, 'restrat web-1');
    await sandbox.slack.until(() => privateTexts(sandbox, 'ana').length === 1);
    await sandbox.slack.tellAgain(message);
    await sandbox.settled();
    expect(privateTexts(sandbox, 'ana')).toHaveLength(1);
  });

  it('as an ordinary message, beside the mention', async () => {
    const sandbox = await play({ slack: { events: ['app_mention', 'message.channels'] } });
    const message = await mentioned(sandbox, 'stop web-1');
    sandbox.hosting.changeStatus(101, 'running');
    await sandbox.slack.tellAgain(message, { type: 'message', channel_type: 'channels' });
    await sandbox.settled();
    expect(powerCalls(sandbox)).toBe(1);
  });

  it('as the same message, edited: the mention again, and the message that changed', async () => {
    const sandbox = await play({ slack: { events: ['app_mention', 'message.channels'] } });
    const message = await mentioned(sandbox, 'stop web-1');
    sandbox.hosting.changeStatus(101, 'running');
    const edited = { user: sandbox.slack.person('ana').id, ts: '1800000000.000100' };
    const text = `${message.text} web-2`;
    await sandbox.slack.tellAgain(message, { text, edited });
    await sandbox.slack.tellAgain(message, {
      type: 'message',
      channel_type: 'channels',
      subtype: 'message_changed',
      message: { ...message.toJson({ withMetadata: false }), text, edited },
    });
    await sandbox.settled();
    expect(powerCalls(sandbox)).toBe(1);
    expect(privateTexts(sandbox, 'ana')).toEqual([]);
  });
});

it('an edit that adds the mention begins nothing', async () => {
  const sandbox = await play();
  const { message } = await sandbox.slack.person('ana').types('#ops', 'stop web-1');
  const edited = { user: sandbox.slack.person('ana').id, ts: '1800000000.000100' };
  await sandbox.slack.tellAgain(message!, { text: '<@U0LAMP00001> stop web-1', edited });
  await sandbox.settled();
  expect(powerCalls(sandbox)).toBe(0);
  expect(privateTexts(sandbox, 'ana')).toEqual([]);
});

it.each([
  ['this bot', { user: BOT.userId }],
  ['another bot', { bot_id: 'B0OTHER0001' }],
])('a mention that %s has written begins nothing', async (_who, written) => {
  const sandbox = await play();
  const { message } = await sandbox.slack.person('ana').types('#ops', 'stop web-1');
  const before = sandbox.slack.calls.length;
  await sandbox.slack.tellAgain(message!, { text: `<@${BOT.userId}> stop web-1`, ...written });
  await sandbox.settled();
  expect(powerCalls(sandbox)).toBe(0);
  expect(sandbox.slack.calls.slice(before).map(({ method }) => method)).toEqual([]);
});

it('the same words in a new message are carried out again', async () => {
  const sandbox = await play();
  await mentioned(sandbox, 'stop web-1');
  sandbox.hosting.changeStatus(101, 'running');
  await mentioned(sandbox, 'stop web-1');
  expect(powerCalls(sandbox)).toBe(2);
});
