import type { App } from '@slack/bolt';
import type { HttpHandler } from '../platform/http/server.ts';
import { createBolt, createSlackLogger } from '../platform/slack/bolt.ts';
import { createHttpReceiver } from '../platform/slack/http-receiver.ts';
import { createPoolFetch, SLACK_CONNECTIONS } from '../platform/slack/pool-fetch.ts';
import type { RefusedRequests } from '../platform/slack/refused-requests.ts';
import { createReadSigned, type ReadSigned } from '../platform/slack/signed-request.ts';
import { createSocketReceiver } from '../platform/slack/socket-receiver.ts';
import type { Config } from './config/config.ts';
import type { Fleet } from './fleet.ts';
import type { Base } from '../core/base.ts';

/** How Slack's requests reach the bot: over a socket where there is an app token, else over HTTP. */
export interface SlackReceiver {
  readonly bolt: App;
  /** What answers them over HTTP; undefined where none come that way. */
  readonly httpHandler: HttpHandler | undefined;
  /** Reads what Slack has signed beside that; undefined where none comes that way. */
  readonly readSigned: ReadSigned | undefined;
  /** Why none can arrive, as a code. */
  fault(): string | undefined;
}

/** `now`: Redis' time, Unix ms. */
export function createReceiver({
  config,
  isWeb,
  fleet,
  now,
  metrics,
  refused,
  wayOut,
  log,
}: Pick<Base, 'log' | 'metrics' | 'wayOut'> & {
  readonly config: Config;
  readonly isWeb: boolean;
  readonly fleet: Fleet;
  readonly now: () => number;
  readonly refused: RefusedRequests;
}): SlackReceiver {
  const { apiUrl, appToken, botToken, signingSecret } = config.slack;
  const logger = createSlackLogger(log);
  const fetch = createPoolFetch(apiUrl, wayOut.open(SLACK_CONNECTIONS));
  const onRefused = (why: string): void => metrics.slackRequest('refused', why);
  const onHeldBack = (): void => {
    metrics.slackRequest('events', 'rate-limited');
    refused.heldBack();
  };
  const readSigned = createReadSigned(signingSecret);
  const http = createHttpReceiver({ readSigned, onRefused, onHeldBack, refused, now });
  const socket =
    appToken === undefined || !isWeb
      ? undefined
      : createSocketReceiver({
          appToken,
          apiUrl,
          logger,
          fetch,
          connections: wayOut.isDirect ? undefined : wayOut.open(),
          onRefused,
          onHeldBack,
          refused,
          onState: metrics.slackSocket,
          now,
          log,
        });
  const receiver = socket?.receiver ?? http.receiver;
  return {
    bolt: createBolt({
      receiver,
      botToken,
      apiUrl,
      fetch,
      identityIn: fleet.identityIn,
      logger,
      log,
    }),
    httpHandler: isWeb && !socket ? http.handler : undefined,
    readSigned: isWeb && !socket ? readSigned : undefined,
    fault: () => socket?.fault(),
  };
}
