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
import { createScheduledPosts, type ScheduledPosts } from '../platform/slack/scheduled-posts.ts';
import { createResponder, type Responder } from '../platform/slack/responder.ts';
import { createResponseUrls, type ResponseUrls } from '../platform/slack/response-url.ts';
import { createSnoozes, type Snoozes } from '../platform/slack/snoozes.ts';
import { createSteps, type Steps } from '../platform/slack/workflow-steps.ts';
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
  readonly scheduledPosts: ScheduledPosts;
  readonly homes: Homes;
  readonly prompts: Prompts;
  readonly slackSteps: Steps;
  readonly uploads: Uploads;
  readonly responder: Responder;
  readonly responseUrls: ResponseUrls;
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
