import { describe, expect, it } from 'vitest';
import { BOT } from '../../sandbox/people.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { instance } from '../../sandbox/world.ts';
import type { PostedMessage } from '../../sandbox/slack/index.ts';
import { HOUR_MS } from '../../src/platform/time/duration.ts';
import { playTwoAccounts, powerCallsTo } from '../accounts/two-accounts.ts';
import { dmWith } from '../support/asking.ts';
import { botMessages, opensModal, play, powerCalls } from '../support/sandbox.ts';

/** What the bot has said in its conversation with ana, oldest first. */
function said({ slack }: Sandbox): PostedMessage[] {
  return slack.person('ana').dms.filter((message) => message.bot_id !== undefined);
}

function texts(sandbox: Sandbox): string[] {
  return said(sandbox).map((message) => sandbox.slack.read(message));
}

/** ana types a line there, and all that comes of it has ended. Gives her message. */
async function typed(sandbox: Sandbox, line: string, thread?: string): Promise<PostedMessage> {
  const interaction = await sandbox.slack.person('ana').types('dm', line, thread ? { thread } : {});
  expect(interaction.status).toBe(200);
  await sandbox.settled();
  return interaction.message!;
}

/** The same, and the bot's first message in answer. */
async function answered(sandbox: Sandbox, line: string, thread?: string): Promise<PostedMessage> {
  const before = said(sandbox).length;
  await typed(sandbox, line, thread);
  return sandbox.slack.until(() => said(sandbox)[before]);
}

describe('a line in the conversation with the bot', () => {
  it.each(['list', `@${BOT.handle} list`, `list @${BOT.handle}`, 'instances list', '@lamplighter instances'])(
    'is a command, with or without a mention: %s',
    async (line) => {
      const sandbox = await play();
      const answer = await answered(sandbox, line);
      expect(sandbox.slack.read(answer)).toContain('web-1');
      expect(answer.ephemeralFor).toBeUndefined();
      expect(answer.thread_ts).toBeUndefined();
      expect(said(sandbox)).toHaveLength(1);
    },
  );

  it('restarts an instance: the card and its end stand there', async () => {
    const sandbox = await play();
    await typed(sandbox, 'restart web-1');
    expect(powerCalls(sandbox, 'restart')).toBe(1);
    expect(texts(sandbox).join('\n')).toContain('Restarted web-1 (101)');
    expect(botMessages(sandbox)).toEqual([]);
  });

  it('may be a sentence: a read is answered, and a change is a button', async () => {
    const sandbox = await play();
    expect(sandbox.slack.read(await answered(sandbox, 'is web-1 ok?'))).toContain('web-1 (101)');
    const offer = await answered(sandbox, 'could you restart web-1 please');
    expect(powerCalls(sandbox)).toBe(0);
    await sandbox.slack.person('ana').presses(offer, 'Restart web-1 (101)');
    await sandbox.settled();
    expect(powerCalls(sandbox, 'restart')).toBe(1);
  });

  it('in the thread of a card is about its instance, and is answered in that thread', async () => {
    const sandbox = await play();
    const card = await answered(sandbox, 'restart web-1');
    const answer = await answered(sandbox, 'is it ok?', card.ts);
    expect(sandbox.slack.read(answer)).toContain('web-1 (101)');
    expect(answer.thread_ts).toBe(card.ts);
    await typed(sandbox, 'show this', card.ts);
    expect(said(sandbox).at(-1)?.thread_ts).toBe(card.ts);
  });

  it.each([
    ['show web-1', 'restart it', '[ Restart web-1 (101) ]'],
    ['is web-1 ok?', 'restart', '[ Restart web-1 (101) ]'],
    ['list name:staging', 'history this', 'staging (104)'],
    ['history db-1', 'the same for web-2', 'I read that as "history web-2".'],
    ['can restart web-1', 'then restart it', '[ Restart web-1 (101) ]'],
    ['could you restart web-1 please', 'and web-2 too', '[ Restart web-2 (102) ]'],
    ['could you restart web-1 please', 'is it ok?', 'web-1 (101) · running'],
    ['ssh into web-1', 'history this', 'web-1 (101)'],
    ['web-1 and web-2', 'restart both', '[ Restart web-1 (101), web-2 (102) ]'],
    ['web-1 and web-2', 'restart it', '[ Restart web-1 (101) ] [ Restart web-2 (102) ] [ Cancel ]'],
  ])('in the thread of the answer to "%s" is about its instance: %s', async (first, line, words) => {
    const sandbox = await play();
    const root = await answered(sandbox, first);
    const answer = await answered(sandbox, line, root.ts);
    expect(sandbox.slack.read(answer)).toContain(words);
    expect(answer.thread_ts).toBe(root.ts);
    expect(powerCalls(sandbox)).toBe(0);
  });

  it('is about what was answered last in its thread, and "this" begins nothing where there are two', async () => {
    const sandbox = await play();
    const root = await answered(sandbox, 'show web-1');
    await answered(sandbox, 'and web-2 too', root.ts);
    const read = async (line: string): Promise<string> =>
      sandbox.slack.read(await answered(sandbox, line, root.ts));
    expect(await read('restart it')).toContain('[ Restart web-2 (102) ] [ Cancel ]');
    expect(await read('restart this')).toContain('[ Restart web-1 (101) ] [ Restart web-2 (102) ]');
    expect(powerCalls(sandbox)).toBe(0);
  });

  it('begins nothing with an instance that was re-created since it was shown', async () => {
    const sandbox = await play();
    const root = await answered(sandbox, 'show web-1');
    sandbox.hosting.removeInstance(101);
    sandbox.hosting.addInstance('harbour', instance(101, 'web-1', { createdDaysAgo: 0 }));
    const answer = await answered(sandbox, 'restart this', root.ts);
    expect(sandbox.slack.read(answer)).toContain('has been renamed or replaced');
    expect(powerCalls(sandbox)).toBe(0);
  });

  it('is about none of many that a list shows', async () => {
    const sandbox = await play();
    const root = await answered(sandbox, 'list');
    const answer = await answered(sandbox, 'restart it', root.ts);
    expect(sandbox.slack.read(answer)).toContain('[ Pick an instance to restart ▾ ]');
  });

  it('keeps whom it mentions besides the bot', async () => {
    const sandbox = await play();
    await sandbox.slack.person('admin').types('dm', 'access grant viewer @dora');
    await sandbox.settled();
    const { slack } = sandbox;
    const answers = slack.person('admin').dms.filter((message) => message.bot_id !== undefined);
    expect(answers.map((message) => slack.read(message)).join('\n')).toContain('viewer');
  });

  it('begins a deletion that can be canceled there', async () => {
    const sandbox = await play({ timings: { cancelWindowMs: 60_000 } });
    const { slack } = sandbox;
    const admin = slack.person('admin');
    await admin.types('dm', 'delete web-1');
    const question = await slack.until(() => admin.dms.find((message) => message.bot_id !== undefined));
    await admin.presses(question, 'Delete…');
    await admin.submits(await slack.until(() => admin.views.at(-1)), { typed: 'web-1' });
    await admin.presses(await dmWith(sandbox, 'admin', 'Deleting web-1 (101)'), 'Cancel');
    await sandbox.settled();
    expect(sandbox.hosting.countCalls('DELETE', /./)).toBe(0);
  });

  it.each(['cancel', 'cancel it'])('leads to what can be canceled: %s', async (line) => {
    const sandbox = await play({ timings: { cancelWindowMs: 60_000 } });
    const { slack } = sandbox;
    const admin = slack.person('admin');
    const view = await opensModal(sandbox, 'admin', '/instances delete web-1', 'dm');
    await admin.submits(view, { typed: 'web-1' });
    await dmWith(sandbox, 'admin', 'Deleting web-1 (101)');
    const before = admin.dms.length;
    await admin.types('dm', line);
    const answer = await slack.until(() =>
      admin.dms.slice(before).find(({ bot_id }) => bot_id !== undefined),
    );
    expect(slack.read(answer)).toContain('One operation is in progress:');
    await admin.presses(answer, 'Cancel');
    await sandbox.settled();
    expect(sandbox.hosting.countCalls('DELETE', /./)).toBe(0);
  });

  it('that is no command is answered there, for good', async () => {
    const sandbox = await play();
    const answer = await answered(sandbox, 'xyzzy');
    expect(sandbox.slack.read(answer)).toContain('I don\'t know "xyzzy"');
    expect(answer.ephemeralFor).toBeUndefined();
  });

  it('counts with the file that it is sent with', async () => {
    const sandbox = await play({ slack: { events: ['message.im'] } });
    const message = await typed(sandbox, 'show web-1');
    const ts = later(message);
    await sandbox.slack.tellAgain(message, { ts, subtype: 'file_share', files: [{ id: 'F1' }] });
    await sandbox.slack.until(() => said(sandbox).length === 2);
  });
});

/** A moment after a message, as Slack writes it. */
function later({ ts }: PostedMessage): string {
  return (Number(ts) + 0.001).toFixed(6);
}

describe('begins nothing, and is not answered:', () => {
  const edited = { user: 'U0ANA000001', ts: '1800000000.000100' };
  it.each<[string, Record<string, unknown>]>([
    ['what this bot has written', { user: BOT.userId, bot_id: 'B0LAMP00001' }],
    ['what this bot has written, by its user alone', { user: BOT.userId }],
    ['what another bot has written', { bot_id: 'B0OTHER0001' }],
    ['a message of another app', { subtype: 'bot_message', bot_id: 'B0OTHER0001', user: undefined }],
    ['an edited line', { edited }],
    ['an edit', { subtype: 'message_changed', user: undefined, message: { text: 'stop web-1', edited } }],
    ['a deletion', { subtype: 'message_deleted', user: undefined, deleted_ts: '1800000000.000100' }],
    ['somebody who joins', { subtype: 'channel_join' }],
    ['a file without words', { subtype: 'file_share', text: '', files: [{ id: 'F1' }] }],
    ['a reaction to nothing that is known', { subtype: 'something_new' }],
  ])('%s', async (_what, over) => {
    const sandbox = await play({ slack: { events: ['message.im'] } });
    const message = await typed(sandbox, 'stop web-1');
    sandbox.hosting.changeStatus(101, 'running');
    const [count, logged] = [said(sandbox).length, sandbox.logs.length];
    const answer = await sandbox.slack.tellAgain(message, { ts: later(message), ...over });
    expect(answer?.status).toBe(200);
    await sandbox.settled();
    expect(powerCalls(sandbox)).toBe(1);
    expect(said(sandbox)).toHaveLength(count);
    expect(sandbox.logs.slice(logged).join('')).not.toContain('unreadable');
  });

  it('what people write elsewhere without a mention', async () => {
    const sandbox = await play({ slack: { events: ['message.im', 'message.channels'] } });
    const { message } = await sandbox.slack.person('ana').types('#ops', 'hello');
    const over = { type: 'message', channel_type: 'channels', text: 'stop web-1' };
    expect((await sandbox.slack.tellAgain(message!, over))?.status).toBe(200);
    await sandbox.settled();
    expect(powerCalls(sandbox)).toBe(0);
    expect(botMessages(sandbox)).toEqual([]);
  });
});

describe('a line that Slack tells more than once is carried out once:', () => {
  it.each<[string, Record<string, unknown>]>([
    ['as the same event', {}],
    ['as a mention as well', { type: 'app_mention' }],
  ])('%s', async (_how, over) => {
    const sandbox = await play();
    const message = await typed(sandbox, `@${BOT.handle} stop web-1`);
    const count = said(sandbox).length;
    sandbox.hosting.changeStatus(101, 'running');
    expect((await sandbox.slack.tellAgain(message, over))?.status).toBe(200);
    await sandbox.settled();
    expect(powerCalls(sandbox)).toBe(1);
    expect(said(sandbox)).toHaveLength(count);
  });

  it('as words that nobody understands', async () => {
    const sandbox = await play();
    const message = await typed(sandbox, 'restrat web-1');
    await sandbox.slack.until(() => said(sandbox).length === 1);
    await sandbox.slack.tellAgain(message, {});
    await sandbox.settled();
    expect(said(sandbox)).toHaveLength(1);
  });
});

describe('a line that comes long after it was typed is not begun', () => {
  const late = async (sandbox: Sandbox, line: string): Promise<PostedMessage> => {
    const message = await typed(sandbox, 'list');
    const [{ length: count }] = [said(sandbox)];
    const ts = ((Date.now() - HOUR_MS) / 1_000).toFixed(6);
    await sandbox.slack.tellAgain(message, { text: line, ts, event_ts: ts });
    await sandbox.settled();
    return sandbox.slack.until(() => said(sandbox)[count]);
  };

  it('and its person reads that', async () => {
    const sandbox = await play();
    const message = await late(sandbox, 'restart web-1');
    expect(sandbox.slack.read(message)).toContain('while I was away. Nothing was started.');
    expect(powerCalls(sandbox)).toBe(0);
  });

  it('nor is a sentence, which nobody has pressed', async () => {
    const sandbox = await play();
    const message = await late(sandbox, 'could you restart web-1 please');
    expect(sandbox.slack.read(message)).toMatch(
      /^You asked for that .* ago, while I was away\. Nothing was started\. Ask again/,
    );
    expect(powerCalls(sandbox)).toBe(0);
  });
});

describe('with two accounts', () => {
  it('a line is about the account that it names, and a thread about its card’s', async () => {
    const two = await playTwoAccounts();
    const { sandbox } = two;
    await typed(sandbox, 'restart labs:web-1');
    expect(powerCallsTo(two)).toEqual({ acme: 0, labs: 1 });
    const [card] = said(sandbox);
    const answer = await answered(sandbox, 'show this', card?.ts);
    expect(sandbox.slack.read(answer)).toMatch(/^`labs`\n/);
  });

  it('one that names none is asked about, and nothing leaves', async () => {
    const two = await playTwoAccounts();
    const answer = await answered(two.sandbox, 'restart web-1');
    expect(two.sandbox.slack.read(answer)).toContain('Which account: acme or labs?');
    expect(powerCallsTo(two)).toEqual({ acme: 0, labs: 0 });
  });

  it('nobody is asked about what the bot itself has written', async () => {
    const { sandbox } = await playTwoAccounts(undefined, { slack: { events: ['message.im'] } });
    const message = await typed(sandbox, 'restart web-1');
    const count = said(sandbox).length;
    const over = { ts: later(message), user: BOT.userId, bot_id: 'B0LAMP00001' };
    expect((await sandbox.slack.tellAgain(message, over))?.status).toBe(200);
    await sandbox.settled();
    expect(said(sandbox)).toHaveLength(count);
  });
});
