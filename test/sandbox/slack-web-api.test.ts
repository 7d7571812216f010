import type { WebClient } from '@slack/web-api';
import { expect, test } from 'vitest';
import { BOT, type SlackDouble, type SlackDoubleOptions, SCOPES } from '../../sandbox/slack/index.ts';
import { openSlack } from './slack-caller.ts';

let slack: SlackDouble;
let apiUrl = '';
async function start(options: SlackDoubleOptions = {}): Promise<WebClient> {
  const opened = await openSlack(options);
  ({ slack, apiUrl } = opened);
  return opened.client;
}

const refused = (error: string) => ({ data: { ok: false, error } });

test('the bot learns who it is, and who the others are', async () => {
  const client = await start();
  expect(await client.auth.test()).toMatchObject({ ok: true, user_id: BOT.userId, bot_id: BOT.botId });
  const info = async (who: string) => (await client.users.info({ user: slack.person(who).id })).user;
  expect(await info('admin')).toMatchObject({ name: 'admin', deleted: false });
  expect(await info('guest')).toMatchObject({ is_restricted: true, is_ultra_restricted: false });
  expect(await info('single')).toMatchObject({ is_restricted: true, is_ultra_restricted: true });
  expect(await info('gone')).toMatchObject({ deleted: true });
  expect(await info('robot')).toMatchObject({ is_bot: true });
  const stranger = await info('stranger');
  expect(stranger).toMatchObject({ is_stranger: true });
  expect(stranger?.team_id).not.toBe((await info('ana'))?.team_id);
  await expect(client.users.info({ user: 'U0NOBODY001' })).rejects.toMatchObject(refused('user_not_found'));
});

test('everybody of the workspace is listed page by page: guests, bots and who left, but no strangers', async () => {
  const client = await start();
  const first = await client.users.list({ limit: 5 });
  const cursor = first.response_metadata?.next_cursor ?? '';
  const rest = await client.users.list({ limit: 5, cursor });
  expect([first.members?.length, cursor === '', rest.response_metadata?.next_cursor]).toEqual([5, false, '']);
  const listed = [...(first.members ?? []), ...(rest.members ?? [])];
  expect(listed.map(({ name }) => name)).toEqual([
    'admin',
    'ana',
    'bob',
    'fin',
    'guest',
    'single',
    'gone',
    'robot',
    BOT.handle,
  ]);
  for (const one of listed) expect(one).toEqual((await client.users.info({ user: one.id ?? '' })).user);
  expect((await client.users.list({})).members).toHaveLength(listed.length);
  await expect(client.users.list({ cursor: 'none' })).rejects.toMatchObject(refused('invalid_cursor'));
  slack.setScope('users:read', false);
  await expect(client.users.list({})).rejects.toMatchObject(refused('missing_scope'));
});

test('of an organization, who is in the workspace is listed, wherever they are at home', async () => {
  const client = await start({ inOrganization: true });
  const names = (await client.users.list({})).members?.map(({ name }) => name);
  expect(names).toContain('grace');
  for (const other of ['neighbor', 'outsider', 'stranger']) expect(names).not.toContain(other);
});

test('an unknown method is HTTP 200 with unknown_method, and a wrong token is refused', async () => {
  await start();
  const call = async (method: string, token?: string) => {
    const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const response = await fetch(`${apiUrl}${method}`, { method: 'POST', headers });
    return [response.status, ((await response.json()) as { error?: string }).error];
  };
  expect(await call('chat.teleport', slack.botToken)).toEqual([200, 'unknown_method']);
  expect(await call('toString', slack.botToken)).toEqual([200, 'unknown_method']);
  expect(await call('auth.test')).toEqual([200, 'not_authed']);
  expect(await call('auth.test', 'xoxb-other')).toEqual([200, 'invalid_auth']);
  expect(await call('apps.connections.open', slack.botToken)).toEqual([200, 'not_allowed_token_type']);
  slack.revokeToken(slack.botToken);
  expect(await call('auth.test', slack.botToken)).toEqual([200, 'token_revoked']);
});

test('JSON bodies are read as well as forms', async () => {
  await start();
  const response = await fetch(`${apiUrl}chat.postMessage`, {
    method: 'POST',
    headers: { authorization: `Bearer ${slack.botToken}`, 'content-type': 'application/json; charset=utf-8' },
    body: JSON.stringify({
      channel: '#ops',
      text: 'hi',
      blocks: [{ type: 'section', text: { type: 'plain_text', text: 'x' } }],
    }),
  });
  expect(await response.json()).toMatchObject({ ok: true, message: { text: 'hi', user: BOT.userId } });
});

test('where the bot may post depends on the channel', async () => {
  const client = await start();
  const post = (channel: string) => client.chat.postMessage({ channel, text: 'hi' });
  await expect(post(slack.channel('#random').id)).rejects.toMatchObject(refused('not_in_channel'));
  await expect(post(slack.channel('#secret').id)).rejects.toMatchObject(refused('channel_not_found'));
  await expect(post(slack.channel('#attic').id)).rejects.toMatchObject(refused('is_archived'));
  await expect(post('C0NOWHERE01')).rejects.toMatchObject(refused('channel_not_found'));
  await post(slack.channel('#vault').id);
  const direct = await post(slack.person('ana').id);
  expect(direct.channel).toBe(slack.person('ana').dm.id);
  expect(slack.person('ana').dms.map((message) => message.text)).toEqual(['hi']);
  expect(slack.refusals).toHaveLength(4);
});

test('with chat:write.public the bot posts without being a member; without a scope the error names it', async () => {
  const open = await start({ scopes: [...SCOPES, 'chat:write.public'] });
  await open.chat.postMessage({ channel: slack.channel('#random').id, text: 'hi' });
  const shut = await start({ scopes: ['chat:write'] });
  await expect(shut.conversations.history({ channel: slack.channel('#ops').id })).rejects.toMatchObject({
    data: { error: 'missing_scope', needed: 'channels:history', provided: 'chat:write' },
  });
});

test('an ephemeral message needs its person in the channel', async () => {
  const client = await start();
  const whisper = (channel: string, who: string) =>
    client.chat.postEphemeral({
      channel: slack.channel(channel).id,
      user: slack.person(who).id,
      text: 'psst',
    });
  await whisper('#ops', 'ana');
  await expect(whisper('#vault', 'bob')).rejects.toMatchObject(refused('user_not_in_channel'));
  expect(slack.channel('#ops').ephemeralFor('ana')).toHaveLength(1);
  expect(slack.channel('#ops').messages).toEqual([]);
});

test('the bot edits and deletes its own messages only', async () => {
  const client = await start();
  const channel = slack.channel('#ops').id;
  const { ts = '' } = await client.chat.postMessage({
    channel,
    text: 'one',
    blocks: [{ type: 'section', text: { type: 'plain_text', text: 'x' } }],
  });
  await client.chat.update({ channel, ts, text: 'two' });
  await client.chat.update({ channel, ts, text: 'three', blocks: [] });
  const message = slack.channel('#ops').last;
  expect(message.edits.map((edit) => [edit.text, edit.blocks.length])).toEqual([
    ['one', 1],
    ['two', 1],
  ]);
  expect([message.text, message.ts, message.blocks]).toEqual(['three', ts, []]);

  const { message: typed } = await slack.person('ana').types('#ops', 'mine');
  const hers = { channel, ts: typed?.ts ?? '', text: 'yours' };
  await expect(client.chat.update(hers)).rejects.toMatchObject(refused('cant_update_message'));
  await expect(client.chat.delete(hers)).rejects.toMatchObject(refused('cant_delete_message'));
  await expect(client.chat.update({ ...hers, ts: '1.1' })).rejects.toMatchObject(
    refused('message_not_found'),
  );
  await expect(client.chat.update({ channel, ts, text: 'x'.repeat(4001) })).rejects.toMatchObject(
    refused('msg_too_long'),
  );
  await expect(client.chat.postMessage({ channel, text: '' })).rejects.toMatchObject(refused('no_text'));
  await client.chat.delete({ channel, ts });
  expect(slack.channel('#ops').messages.map(({ text }) => text)).toEqual(['mine']);
});

test('a message can be found again by its metadata, if it is asked for', async () => {
  const client = await start();
  const channel = slack.channel('#ops').id;
  const metadata = { event_type: 'operation', event_payload: { id: 'op-1' } };
  const { ts = '' } = await client.chat.postMessage({ channel, text: 'card', metadata });
  await client.chat.postMessage({ channel, text: 'reply', thread_ts: ts, metadata });

  const blind = await client.conversations.history({ channel });
  const seeing = await client.conversations.history({ channel, include_all_metadata: true });
  const replies = await client.conversations.replies({ channel, ts, include_all_metadata: true });

  expect(blind.messages).toHaveLength(1);
  expect(blind.messages?.[0]?.metadata).toBeUndefined();
  expect(seeing.messages?.[0]).toMatchObject({ metadata, ts, reply_count: 1 });
  expect(replies.messages?.map((message) => message.text)).toEqual(['card', 'reply']);
  expect(replies.messages?.[1]).toMatchObject({ metadata, thread_ts: ts });
});

test('history is paged, newest first, and bounded by time', async () => {
  const client = await start({ clock: () => 1_700_000_000_000 });
  const channel = slack.channel('#ops').id;
  const all: string[] = [];
  for (const text of ['a', 'b', 'c']) all.push((await client.chat.postMessage({ channel, text })).ts ?? '');
  expect(new Set(all).size).toBe(3);
  const first = await client.conversations.history({ channel, limit: 2 });
  const cursor = first.response_metadata?.next_cursor ?? '';
  const rest = await client.conversations.history({ channel, limit: 2, cursor });
  expect([first.has_more, rest.has_more]).toEqual([true, false]);
  expect([...(first.messages ?? []), ...(rest.messages ?? [])].map(({ text }) => text)).toEqual([
    'c',
    'b',
    'a',
  ]);
  const since = await client.conversations.history({ channel, oldest: all[1] ?? '' });
  expect(since.messages?.map(({ text }) => text)).toEqual(['c']);
});

test('a channel is shown as far as the bot sees it and has the scope for it', async () => {
  const client = await start();
  const info = async (name: string) =>
    (await client.conversations.info({ channel: slack.channel(name).id })).channel;
  const fine = { is_member: true, is_archived: false, is_ext_shared: false };
  expect(await info('#ops')).toMatchObject({ name: 'ops', is_private: false, ...fine });
  expect(await info('#vault')).toMatchObject({ is_private: true, ...fine });
  expect(await info('#attic')).toMatchObject({ is_archived: true });
  expect(await info('#shared')).toMatchObject({ is_ext_shared: true });
  expect(await info('#random')).toMatchObject({ is_member: false });
  await expect(info('#secret')).rejects.toMatchObject(refused('channel_not_found'));
  slack.setScope('channels:read', false);
  await expect(info('#ops')).rejects.toMatchObject(refused('missing_scope'));
  expect(await info('#vault')).toMatchObject(fine);
});

test('blocks are validated without a message, and every broken rule has its place', async () => {
  const client = await start();
  const text = { type: 'plain_text', text: 'x' } as const;
  expect(await client.blocks.validate({ blocks: [{ type: 'section', text }] })).toMatchObject({ ok: true });
  await expect(client.blocks.validate({ blocks: [{ type: 'carousel' }] })).rejects.toMatchObject({
    data: {
      error: 'invalid_blocks',
      errors: [{ pointer: '/0/type', code: 'failed_constraint', message: 'unsupported type: carousel' }],
    },
  });
  await expect(client.blocks.validate({})).rejects.toMatchObject(refused('invalid_arguments'));
});
