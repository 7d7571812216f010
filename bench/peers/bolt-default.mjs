// The usual stack end to end: Bolt, an undici Pool to the host, zod, and Bolt's own WebClient. Lists the instances.
import { App, LogLevel } from '@slack/bolt';
import { Pool } from 'undici';
import { z } from 'zod';
import { env, sayReady } from './env.mjs';

const hosting = new Pool(env.hostingUrl, { connections: 8, keepAliveTimeout: 60_000 });
const list = z.looseObject({
  data: z.array(
    z.looseObject({ id: z.union([z.string(), z.number()]), name: z.string(), status: z.string() }),
  ),
});
const app = new App({
  signingSecret: env.secret,
  authorize: async () => ({ botToken: env.botToken, botId: 'B0BENCH0001', botUserId: 'U0BENCH0001' }),
  clientOptions: { slackApiUrl: env.apiUrl },
  logLevel: LogLevel.ERROR,
});
app.command('/instances', async ({ command, ack, client }) => {
  await ack();
  const listed = await hosting.request({
    method: 'GET',
    path: '/api/v1/instances',
    headers: { authorization: `Bearer ${env.hostingToken}` },
  });
  const { data } = list.parse(await listed.body.json());
  const text = data.map(({ name, id, status }) => `${name} (${id}) ${status}`).join('\n');
  await client.chat.postMessage({ channel: command.channel_id, text });
});
sayReady(await app.start({ port: 0, host: '127.0.0.1' }));
