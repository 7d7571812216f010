import type { ReadTogether } from '../platform/redis/connection.ts';
import type { RedisMark, RedisMarks } from '../core/watchdogs/redis-loss.ts';
import type { Sweeps } from '../core/sweep.ts';
import type { RateLimit } from '../core/intake/rate-limit.ts';
import type { Timings } from '../core/timings.ts';
import type { SharedQueue } from '../platform/queue/queue.ts';
import type { JobWorker } from '../platform/queue/worker.ts';
import type { WayOut } from '../platform/http/way-out.ts';
import type { Log } from '../platform/log/log.ts';
import type { Metrics } from '../platform/metrics/metrics.ts';
import type { Traces } from '../platform/traces/traces.ts';
import type { CurrentToken } from '../platform/slack/token-fetch.ts';
import type { InFlight } from '../platform/slack/in-flight.ts';
import type { RefusedRequests } from '../platform/slack/refused-requests.ts';
import type { FaultPoints } from '../core/base.ts';
import type { MoreChanges } from './features-deps.ts';
import type { Settings } from './settings.ts';
import type { OtherAccounts } from './home.ts';
import type { Connections, SharedRedis } from './redis.ts';

/** A workspace in Slack, and where what is kept of it stands in Redis. */
export interface Workspace {
  /** What is put before each key; empty where the bot works in one workspace. */
  readonly scope: string;
  readonly redis: Connections;
  /** Its bot token. */
  readonly token: CurrentToken;
  /** Its id, where the bot works in several. */
  readonly teamId?: string;
}

/** What the parts of the bot that run one account each have in common. */
export interface Common {
  readonly shared: SharedRedis;
  readonly jobQueue: SharedQueue;
  /** Undefined where this process does not work behind the queue. */
  readonly worker: JobWorker | undefined;
  readonly sweeps: Sweeps;
  /** Reads a text together with all that is read so at the same time. */
  readonly readTogether: ReadTogether;
  readonly marks: () => Promise<RedisMarks | undefined>;
  /** How new Redis was by what stands in the workspace. */
  readonly recall: () => Promise<readonly RedisMark[]>;
  readonly workspace: Workspace;
  /** What each account of the workspace says in the Home of the others. */
  readonly otherAccounts: OtherAccounts;
  readonly settings: Settings;
  readonly metrics: Metrics;
  readonly traces: Traces;
  readonly inFlight: InFlight;
  readonly rateLimit: RateLimit;
  /** What this process took of nobody. */
  readonly refused: Pick<RefusedRequests, 'recent'>;
  /** The waits of the process. */
  readonly timings: Timings;
  readonly faultPoints: FaultPoints;
  readonly wayOut: WayOut;
  readonly more: MoreChanges | undefined;
  readonly log: Log;
}
