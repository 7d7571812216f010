// Bolt as its documentation has it: HTTPReceiver, a static authorize, one listener for each command. The first argument
// is how many commands are registered.
import { App, LogLevel } from '@slack/bolt';
import { env, sayReady } from './env.mjs';

const count = Number(process.argv[2] ?? 1);
const app = new App({
  signingSecret: env.secret,
  authorize: async () => ({ botToken: env.botToken, botId: 'B0BENCH0001', botUserId: 'U0BENCH0001' }),
  clientOptions: { slackApiUrl: env.apiUrl },
  logLevel: LogLevel.ERROR,
});
for (let nth = 1; nth < count; nth++) app.command(`/other-${nth}`, async ({ ack }) => ack());
app.command('/instances', async ({ ack }) => ack());
sayReady(await app.start({ port: 0, host: '127.0.0.1' }));
