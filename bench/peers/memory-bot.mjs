// The same restart with the usual stack and nothing written down: Bolt, its default WebClient, global fetch, zod, a Map and
// timers.
import { App, LogLevel } from '@slack/bolt';
import { z } from 'zod';
import { env, sayReady } from './env.mjs';

const FIRST_LOOK_MS = 1_000;
const LOOK_EVERY_MS = 2_000;

const api = `${new URL(env.hostingUrl).origin}/api/v1`;
const headers = { authorization: `Bearer ${env.hostingToken}` };
const instance = z.looseObject({
  id: z.union([z.string(), z.number()]),
  name: z.string(),
  status: z.string(),
});
const busy = new Set();

const wait = (ms) => new Promise((done) => setTimeout(done, ms));

async function call(path, method = 'GET') {
  const answer = await fetch(api + path, { method, headers });
  const body = await answer.json();
  if (!answer.ok) throw new Error(String(answer.status));
  return body;
}

async function list() {
  const all = [];
  for (let page = 1; ; page++) {
    const body = await call(`/instances?page=${page}`);
    all.push(...z.array(instance).parse(body.data ?? body));
    if (page >= (body.last_page ?? body.meta?.last_page ?? 1)) return all;
  }
}

async function restart({ command, client }) {
  const name = command.text.split(' ')[1];
  const found = (await list()).find((one) => one.name === name);
  if (!found || busy.has(found.id)) return;
  busy.add(found.id);
  const startedAt = Date.now();
  const say = (text) => ({
    text,
    blocks: [
      { type: 'section', text: { type: 'mrkdwn', text } },
      { type: 'section', text: { type: 'mrkdwn', text: `asked by <@${command.user_id}>` } },
    ],
  });
  const { channel, ts } = await client.chat.postMessage({
    channel: command.channel_id,
    ...say(`Restarting ${name}`),
  });
  await call(`/instances/${found.id}/restart`, 'POST');
  let shown = '';
  await wait(FIRST_LOOK_MS);
  for (;;) {
    const body = await call(`/instances/${found.id}`);
    const { status } = instance.parse(body.data ?? body);
    if (status === 'running') break;
    if (status !== shown) {
      shown = status;
      await client.chat.update({ channel, ts, ...say(`Restarting ${name}. It reports ${status}.`) });
    }
    await wait(LOOK_EVERY_MS);
  }
  const tookSeconds = Math.round((Date.now() - startedAt) / 1000);
  await client.chat.update({
    channel,
    ts,
    ...say(`Restarted ${name}: it is running again, after ${tookSeconds} s.`),
  });
  await client.chat.postMessage({ channel, thread_ts: ts, text: `<@${command.user_id}> Restarted ${name}` });
  busy.delete(found.id);
}

const app = new App({
  token: env.botToken,
  signingSecret: env.secret,
  clientOptions: { slackApiUrl: env.apiUrl },
  logLevel: LogLevel.ERROR,
});
app.command('/instances', async ({ command, ack, client }) => {
  await ack();
  await restart({ command, client });
});
sayReady(await app.start({ port: 0, host: '127.0.0.1' }));
