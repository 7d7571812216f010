import type { WebClient } from '@slack/web-api';
import { beforeEach, expect, test } from 'vitest';
import { SCOPES, type SlackDouble } from '../../sandbox/slack/index.ts';
import { openSlack } from './slack-caller.ts';

let slack: SlackDouble;
let web: WebClient;
beforeEach(async () => {
  ({ slack, client: web } = await openSlack());
});

const announce = async (length: number): Promise<{ id: string; url: string }> => {
  const { file_id = '', upload_url = '' } = await web.files.getUploadURLExternal({
    filename: 'a.csv',
    length,
  });
  return { id: file_id, url: upload_url };
};
const upload = async (url: string, body: string): Promise<string> => {
  const response = await fetch(url, { method: 'POST', body });
  return `${response.status} ${await response.text()}`;
};
const complete = (id: string, channel_id: string): Promise<unknown> =>
  web.files.completeUploadExternal({ files: [{ id, title: 'A' }], channel_id });
const openDm = async (): Promise<string> =>
  (await web.conversations.open({ users: 'U0ANA000001' })).channel?.id ?? '';

test('a file that went its three steps stands in the channel with its bytes', async () => {
  const { id, url } = await announce(5);
  expect(await upload(url, 'a,b\r\n')).toBe('200 OK - 5');
  await complete(id, await openDm());
  const [message] = slack.person('ana').dms;
  expect(message?.files.map((file) => [file.name, file.title, file.bytes.toString()])).toEqual([
    ['a.csv', 'A', 'a,b\r\n'],
  ]);
  expect(slack.read(message!)).toBe('[file: a.csv, 5 bytes]\n| a,b');
});

test('bytes of another length are refused, and so is a file whose bytes never came', async () => {
  const { id, url } = await announce(5);
  expect(await upload(url, 'a,b')).toMatch(/^400 .*wrong_length/);
  await expect(complete(id, await openDm())).rejects.toThrow('file_not_found');
});

test('a file is completed once, and nothing goes where the bot is not', async () => {
  const { id, url } = await announce(1);
  await upload(url, 'a');
  await expect(complete(id, 'C0NOWHERE01')).rejects.toThrow('channel_not_found');
  await expect(complete(id, slack.channel('#random').id)).rejects.toThrow('not_in_channel');
  await complete(id, await openDm());
  await expect(complete(id, await openDm())).rejects.toThrow('file_not_found');
  expect(await upload(url, 'a')).toMatch(/^400 .*unknown_ticket/);
});

test('without files:write nothing begins', async () => {
  ({ client: web } = await openSlack({ scopes: SCOPES.filter((scope) => scope !== 'files:write') }));
  await expect(announce(1)).rejects.toThrow('missing_scope');
});
