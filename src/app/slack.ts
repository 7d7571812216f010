import type { Logger } from '@slack/bolt';
import { createPoolFetch, SLACK_CONNECTIONS } from '../platform/slack/pool-fetch.ts';
import { createTokenFetch, type CurrentToken } from '../platform/slack/token-fetch.ts';
import type { Timings } from '../core/timings.ts';
import type { WayOut } from '../platform/http/way-out.ts';
import type { Metrics } from '../platform/metrics/metrics.ts';
import type { Log } from '../platform/log/log.ts';
import { createSlackLogger, createWebClient } from '../platform/slack/bolt.ts';
import { createExaminer, type Examiner } from '../platform/slack/examiner.ts';
import { createHomes, type Homes } from '../platform/slack/homes.ts';
import { createIdentity, type Identity } from '../platform/slack/identity.ts';
import { createMessenger, type Messenger } from '../platform/slack/messenger.ts';
import { createPrompts, type Prompts } from '../platform/slack/prompts.ts';
import { createPeople, type People } from '../platform/slack/people.ts';
import { createResponder, type Responder } from '../platform/slack/responder.ts';
import { createResponseUrls, type ResponseUrls } from '../platform/slack/response-url.ts';
import { createSnoozes, type Snoozes } from '../platform/slack/snoozes.ts';
import { createTokenHealth, type TokenHealth } from '../platform/slack/token-health.ts';
import { createUserGroups, type UserGroups } from '../platform/slack/user-groups.ts';
import { createUploads, type Uploads } from '../platform/slack/upload.ts';
import type { Config } from './config/config.ts';
import type { AccountMark } from '../platform/slack/account-mark.ts';
import type { FaultPoints } from './fault-points.ts';

/** What the bot asks of Slack. */
export interface Slack {
  readonly logger: Logger;
  readonly tokenHealth: TokenHealth;
  readonly identity: Identity;
  /** How Slack sees the bot itself and where it posts. */
  readonly examiner: Examiner;
  readonly people: People;
  readonly userGroups: UserGroups;
  readonly snoozes: Snoozes;
  readonly messenger: Messenger;
  readonly homes: Homes;
  readonly prompts: Prompts;
  readonly uploads: Uploads;
  readonly responder: Responder;
  readonly responseUrls: ResponseUrls;
}

/**
 * `mark`: the account that all of it is about, where there are several. `token`: the bot token of the workspace.
 */
export function createSlack({
  config,
  mark,
  token,
  timings,
  faultPoints,
  wayOut,
  metrics,
  log,
}: {
  config: Config;
  mark?: AccountMark;
  token: CurrentToken;
  timings: Timings;
  faultPoints: FaultPoints;
  wayOut: WayOut;
  metrics?: Pick<Metrics, 'slackCall'>;
  log: Log;
}): Slack {
  const { apiUrl } = config.slack;
  const timeoutMs = timings.slackTimeoutMs;
  const logger = createSlackLogger(log);
  const tokenHealth = createTokenHealth(() => web.auth.test());
  const connections = wayOut.open(SLACK_CONNECTIONS);
  const fetch = createPoolFetch(apiUrl, connections);
  const counted = metrics ? { onCall: metrics.slackCall } : {};
  const answering = { connections, timeoutMs, mark, ...counted };
  const client = {
    apiUrl,
    timeoutMs,
    logger,
    health: tokenHealth,
    mark,
    ...counted,
    fetch: createTokenFetch(fetch, token),
  };
  const web = createWebClient('', client);
  const identity = createIdentity(web);
  const messenger = faultPoints('messenger', createMessenger(web));
  return {
    logger,
    tokenHealth,
    identity,
    examiner: createExaminer(fetch, (examining) =>
      createWebClient('', { ...client, fetch: createTokenFetch(examining, token) }),
    ),
    people: createPeople(web, identity),
    userGroups: createUserGroups(web),
    snoozes: createSnoozes(web),
    messenger,
    homes: faultPoints('homes', createHomes(web)),
    prompts: createPrompts(web, mark?.account),
    uploads: faultPoints('uploads', createUploads(web, { apiUrl, timeoutMs, connections })),
    responder: faultPoints('responder', createResponder(messenger, answering)),
    responseUrls: faultPoints('response urls', createResponseUrls(answering)),
  };
}
