import type { HostingService } from '../platform/hosting/service.ts';
import type { WriteQueue } from '../platform/hosting/budget.ts';
import type { WayOut } from '../platform/http/way-out.ts';
import type { Log } from '../platform/log/log.ts';
import type { Metrics } from '../platform/metrics/metrics.ts';
import type { WorkQueue } from '../platform/queue/queue.ts';
import type { RedisClock } from '../platform/redis/clock.ts';
import type { RedisConnection } from '../platform/redis/connection.ts';
import type { Examiner } from '../platform/slack/examiner.ts';
import type { Homes, Prompts, Steps } from '../platform/slack/surfaces.ts';
import type { InFlight } from '../platform/slack/in-flight.ts';
import type { Messenger } from '../platform/slack/messenger.ts';
import type { People, UserGroups } from '../platform/slack/people.ts';
import type { Responder } from '../platform/slack/responder.ts';
import type { ResponseUrls } from '../platform/slack/response-url.ts';
import type { ScheduledPosts } from '../platform/slack/scheduled-posts.ts';
import type { Snoozes } from '../platform/slack/snoozes.ts';
import type { Uploads } from '../platform/slack/upload.ts';
import type { Traces } from '../platform/traces/traces.ts';
import type { Links } from './links.ts';
import type { Timings } from './timings.ts';

/**
 * Wraps each part that the bot waits for outside itself (Redis, the queue, the hosting service, Slack), once and by
 * name, so that a test can inject a fault at each of its calls.
 */
export type FaultPoints = <Part extends object>(name: string, part: Part) => Part;

/** Injects none. */
export const noFaultPoints: FaultPoints = (_name, part) => part;

/** What the bot of one account stands on: the process, Redis, Slack and the hosting service. */
export interface Base {
  readonly clock: RedisClock;
  /** It fails fast for what a person waits for, and waits for Redis in what runs behind the queue. */
  readonly redis: RedisConnection;
  readonly queue: WorkQueue;
  readonly timings: Timings;
  readonly log: Log;
  readonly faultPoints: FaultPoints;
  readonly metrics: Metrics;
  readonly traces: Traces;
  readonly hosting: HostingService;
  readonly writeQueue: WriteQueue;
  readonly wayOut: WayOut;
  /** What stands with a sum of the service's money. */
  readonly unit: string;
  readonly links: Links;
  readonly people: People;
  readonly userGroups: UserGroups;
  readonly snoozes: Snoozes;
  readonly messenger: Messenger;
  readonly scheduledPosts: ScheduledPosts;
  readonly homes: Homes;
  readonly prompts: Prompts;
  readonly uploads: Uploads;
  readonly examiner: Examiner;
  readonly responder: Responder;
  readonly responseUrls: ResponseUrls;
  readonly slackSteps: Steps;
  readonly inFlight: InFlight;
  /** The id of the workspace, once it is known. */
  readonly teamId: () => string | undefined;
  /** Undefined where the account is the only one. */
  readonly accountName: string | undefined;
  /** The channels in which it is meant where none is named. */
  readonly defaultIn: readonly string[];
  /** Those that count now. */
  readonly admins: () => readonly string[];
}
