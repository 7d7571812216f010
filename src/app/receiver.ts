import type { App } from '@slack/bolt';
import type { Timings } from '../core/timings.ts';
import type { Log } from '../platform/log/log.ts';
import type { HttpHandler } from '../platform/http/server.ts';
import type { WayOut } from '../platform/http/way-out.ts';
import type { Metrics } from '../platform/metrics/metrics.ts';
import { createBolt, createSlackLogger } from '../platform/slack/bolt.ts';
import { createHttpReceiver } from '../platform/slack/http-receiver.ts';
import { createPoolFetch, SLACK_CONNECTIONS } from '../platform/slack/pool-fetch.ts';
import type { RefusedRequests } from '../platform/slack/refused-requests.ts';
import { createReadSigned, type ReadSigned } from '../platform/slack/signed-request.ts';
import { createSocketReceiver } from '../platform/slack/socket-receiver.ts';
import type { Config } from './config/config.ts';
import type { Fleet } from './fleet.ts';
import type { Settings } from './settings.ts';

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

export interface ReceiverDeps {
  readonly config: Config;
  readonly settings: Pick<Settings, 'ofBot' | 'former'>;
  /** Has the files looked at at once. */
  readonly readAgain: () => Promise<void>;
  readonly timings: Timings;
  readonly isWeb: boolean;
  readonly fleet: Pick<Fleet, 'identityIn'>;
  /** Redis' time, Unix ms. */
  readonly now: () => number;
  readonly metrics: Metrics;
  readonly refused: RefusedRequests;
  readonly wayOut: WayOut;
  readonly log: Log;
}

export function createReceiver(deps: ReceiverDeps): SlackReceiver {
  const { config, settings, readAgain, isWeb, fleet, now, metrics, refused, wayOut, log } = deps;
  const { apiUrl, appToken } = config.slack;
  const live = (): Config['slack'] => settings.ofBot().slack;
  const logger = createSlackLogger(log);
  const fetch = createPoolFetch(apiUrl, wayOut.open(SLACK_CONNECTIONS));
  const onRefused = (why: string): void => metrics.slackRequest('refused', why);
  const onHeldBack = (): void => {
    metrics.slackRequest('events', 'rate-limited');
    refused.heldBack();
  };
  const signingSecrets = (): readonly string[] => [
    ...[live().signingSecret ?? []].flat(),
    ...settings.former.signingSecrets(deps.timings.formerSecretForMs),
  ];
  const readSigned = createReadSigned({ signingSecrets, onWrong: readAgain });
  const http = createHttpReceiver({ readSigned, onRefused, onHeldBack, refused, now });
  const socket =
    appToken === undefined || !isWeb
      ? undefined
      : createSocketReceiver({
          appToken: () => live().appToken ?? appToken,
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
      botToken: () => live().botToken,
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
