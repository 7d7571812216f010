import { createServer } from 'node:net';
import { App, LogLevel } from '@slack/bolt';
import { createSlackDouble } from './double.ts';
import type { SlackDouble, SlackDoubleOptions } from './slack-double.ts';

/** A bare Bolt app connected to a double of its own. */
export interface BareBot {
  readonly slack: SlackDouble;
  readonly app: App;
  stop(): Promise<void>;
}

/** How the bot is reached. */
export type Transport = 'http' | 'socket';

/** Starts a double and a Bolt app that knows nothing yet: for trying the double out, and for its own tests. */
export async function startBareBot(
  transport: Transport = 'http',
  options: SlackDoubleOptions = {},
): Promise<BareBot> {
  const slack = createSlackDouble(options);
  const { apiUrl } = await slack.start();
  const clientOptions = { slackApiUrl: apiUrl, retryConfig: { retries: 0 } };
  const shared = {
    token: slack.botToken,
    clientOptions,
    logLevel: LogLevel.ERROR,
    deferInitialization: true,
    convoStore: false as const,
  };
  const app =
    transport === 'http'
      ? new App({ ...shared, signingSecret: slack.signingSecret })
      : new App({ ...shared, socketMode: true, appToken: slack.appToken });
  await app.init();
  if (transport === 'http') {
    const port = await freePort();
    await app.start({ port, host: '127.0.0.1' });
    slack.connect({ requestUrl: `http://127.0.0.1:${port}/slack/events` });
  } else await app.start();
  return {
    slack,
    app,
    async stop() {
      await app.stop();
      await slack.stop();
    },
  };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
