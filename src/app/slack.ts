import type { Logger } from '@slack/bolt';
import type { Timings } from '../core/timings.ts';
import type { Log } from '../platform/log/log.ts';
import { createSlackLogger, createWebClient } from '../platform/slack/bolt.ts';
import { createExaminer, type Examiner } from '../platform/slack/examiner.ts';
import { createHomes, type Homes } from '../platform/slack/homes.ts';
import { createIdentity, type Identity } from '../platform/slack/identity.ts';
import { createMessenger, type Messenger } from '../platform/slack/messenger.ts';
import { createPeople, type People } from '../platform/slack/people.ts';
import { createResponder, type Responder } from '../platform/slack/responder.ts';
import { createResponseUrls, type ResponseUrls } from '../platform/slack/response-url.ts';
import { createTokenHealth, type TokenHealth } from '../platform/slack/token-health.ts';
import { createUserGroups, type UserGroups } from '../platform/slack/user-groups.ts';
import { createUploads, type Uploads } from '../platform/slack/upload.ts';
import type { Config } from './config/config.ts';
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
  readonly messenger: Messenger;
  readonly homes: Homes;
  readonly uploads: Uploads;
  readonly responder: Responder;
  readonly responseUrls: ResponseUrls;
}

export function createSlack({
  config,
  timings,
  faultPoints,
  log,
}: {
  config: Config;
  timings: Timings;
  faultPoints: FaultPoints;
  log: Log;
}): Slack {
  const { botToken, apiUrl } = config.slack;
  const timeoutMs = timings.slackTimeoutMs;
  const logger = createSlackLogger(log);
  const tokenHealth = createTokenHealth(() => web.auth.test());
  const web = createWebClient(botToken, apiUrl, timeoutMs, logger, tokenHealth);
  const identity = createIdentity(web);
  const messenger = faultPoints('messenger', createMessenger(web));
  return {
    logger,
    tokenHealth,
    identity,
    examiner: createExaminer((fetch) =>
      createWebClient(botToken, apiUrl, timeoutMs, logger, tokenHealth, fetch),
    ),
    people: createPeople(web, identity),
    userGroups: createUserGroups(web),
    messenger,
    homes: faultPoints('homes', createHomes(web)),
    uploads: faultPoints('uploads', createUploads(web, { apiUrl, timeoutMs })),
    responder: faultPoints('responder', createResponder(messenger, timeoutMs)),
    responseUrls: faultPoints('response urls', createResponseUrls(timeoutMs)),
  };
}
