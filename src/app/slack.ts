import type { Logger } from '@slack/bolt';
import { createPoolFetch, SLACK_CONNECTIONS } from '../platform/slack/pool-fetch.ts';
import { createTokenFetch, type CurrentToken } from '../platform/slack/token-fetch.ts';
import type { Timings } from '../core/timings.ts';
import type { WayOut } from '../platform/http/way-out.ts';
import type { Metrics } from '../platform/metrics/metrics.ts';
import type { Log } from '../platform/log/log.ts';
import { createSlackLogger, createWebClient } from '../platform/slack/bolt.ts';
import { createExaminer } from '../platform/slack/examiner.ts';
import { createHomes, createPrompts, createSteps } from '../platform/slack/surfaces.ts';
import { createIdentity, type Identity } from '../platform/slack/identity.ts';
import { createMessenger } from '../platform/slack/messenger.ts';
import { createPeople, createUserGroups } from '../platform/slack/people.ts';
import { createScheduledPosts } from '../platform/slack/scheduled-posts.ts';
import { createResponder } from '../platform/slack/responder.ts';
import { createResponseUrls } from '../platform/slack/response-url.ts';
import { createSnoozes } from '../platform/slack/snoozes.ts';
import { createTokenHealth, type TokenHealth } from '../platform/slack/token-health.ts';
import { createUploads } from '../platform/slack/upload.ts';
import type { Config } from './config/config.ts';
import type { AccountMark } from '../platform/slack/account-mark.ts';
import type { Base, FaultPoints } from '../core/base.ts';

/** What the bot asks of Slack. */
export interface Slack extends Pick<
  Base,
  | 'examiner'
  | 'people'
  | 'userGroups'
  | 'snoozes'
  | 'messenger'
  | 'scheduledPosts'
  | 'homes'
  | 'prompts'
  | 'slackSteps'
  | 'uploads'
  | 'responder'
  | 'responseUrls'
> {
  readonly logger: Logger;
  readonly tokenHealth: TokenHealth;
  readonly identity: Identity;
}

/**
 * `mark`: the account that all of it is about, where there are several. `token`: the bot token of the workspace. `teamId`: which
 * workspace that is, where its token may be of a whole organization.
 */
export function createSlack({
  config,
  mark,
  token,
  teamId,
  timings,
  faultPoints,
  wayOut,
  metrics,
  log,
}: {
  config: Config;
  mark?: AccountMark;
  token: CurrentToken;
  teamId?: string | undefined;
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
    teamId,
    ...counted,
    fetch: createTokenFetch(fetch, token),
  };
  const web = createWebClient('', client);
  const identity = createIdentity(web, teamId);
  const messenger = faultPoints('messenger', createMessenger(web));
  return {
    logger,
    tokenHealth,
    identity,
    examiner: createExaminer(
      fetch,
      (examining) => createWebClient('', { ...client, fetch: createTokenFetch(examining, token) }),
      teamId,
    ),
    people: createPeople(web, identity),
    userGroups: createUserGroups(web),
    snoozes: createSnoozes(web),
    messenger,
    scheduledPosts: faultPoints('scheduled posts', createScheduledPosts(web)),
    homes: faultPoints('homes', createHomes(web)),
    prompts: createPrompts(web, mark?.account),
    slackSteps: createSteps(web),
    uploads: faultPoints('uploads', createUploads(web, { apiUrl, timeoutMs, connections })),
    responder: faultPoints('responder', createResponder(messenger, answering)),
    responseUrls: faultPoints('response urls', createResponseUrls(answering)),
  };
}
