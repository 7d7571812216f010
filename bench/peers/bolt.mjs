// Bolt as its documentation has it: HTTPReceiver, a static authorize, one command.
import { App, LogLevel } from '@slack/bolt';
import { env, sayReady } from './env.mjs';

const app = new App({
  signingSecret: env.secret,
  authorize: async () => ({ botToken: env.botToken, botId: 'B0BENCH0001', botUserId: 'U0BENCH0001' }),
  clientOptions: { slackApiUrl: env.apiUrl },
  logLevel: LogLevel.ERROR,
});
app.command('/instances', async ({ ack }) => ack());
sayReady(await app.start({ port: 0, host: '127.0.0.1' }));
