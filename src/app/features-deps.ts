import type { AuditReader } from '../core/audit/audit-reader.ts';
import type { Approvals } from '../core/approvals/approvals.ts';
import type { FindApprovers } from '../core/approvals/find-approvers.ts';
import type { Examine, Names } from '../features/doctor/index.ts';
import type { AccessStore } from '../core/policy/access-record.ts';
import type { People } from '../platform/slack/people.ts';
import type { UserGroups } from '../platform/slack/user-groups.ts';
import type { Snoozes } from '../platform/slack/snoozes.ts';
import type { Access } from '../core/policy/access.ts';
import type { ApprovalRule } from '../core/policy/approval.ts';
import type { CostGroups } from '../core/policy/cost-groups-section.ts';
import type { Holidays } from '../core/policy/holidays-section.ts';
import type { Protection } from '../core/policy/protection.ts';
import type { Config } from './config/config.ts';
import type { HomeDeps } from '../features/lamplighter/home.ts';
import type { RequestDeps } from '../core/changes/begin-change.ts';
import type { Change } from '../core/changes/change.ts';
import type { Feature } from '../core/intake/feature.ts';
import type { Batches } from '../core/batches/batches.ts';
import type { Schedules } from '../core/schedules/schedules.ts';
import type { Links } from '../core/links.ts';
import type { Offers } from '../core/offers/offers.ts';
import type { HostingService } from '../platform/hosting/service.ts';
import type { Log } from '../platform/log/log.ts';
import type { Operations } from '../core/operations/operations.ts';
import type { BoardStore } from '../core/boards/board-store.ts';
import type { Lanes } from '../core/outbox/lanes.ts';
import type { Threads } from '../core/threads/threads.ts';
import type { OnCall } from '../core/on-call/on-call.ts';
import type { Outbox } from '../core/outbox/outbox.ts';
import type { PastStore } from '../core/operations/recent-store.ts';
import type { WorkQueue } from '../platform/queue/queue.ts';
import type { RedisClock } from '../platform/redis/clock.ts';
import type { RedisConnection } from '../platform/redis/connection.ts';
import type { Favorites } from '../core/lookup/favorites.ts';
import type { Stores } from './stores.ts';
import type { FaultPoints } from './fault-points.ts';
import type { Prompts } from '../platform/slack/prompts.ts';
import type { Homes } from '../platform/slack/homes.ts';
import type { Messenger } from '../platform/slack/messenger.ts';
import type { Examiner } from '../platform/slack/examiner.ts';
import type { Metrics } from '../platform/metrics/metrics.ts';
import type { Uploads } from '../platform/slack/upload.ts';
import type { Timings } from '../core/timings.ts';

/** What verbs that change something are given to choose from. */
export interface ChangesDeps {
  readonly config: Config;
  readonly unit: string;
  readonly hosting: HostingService;
  readonly isProtected: Protection;
  /** Those that count now, as the admins. */
  readonly approvalRules: () => readonly ApprovalRule[];
  readonly admins: () => readonly string[];
  readonly offers: Offers;
  readonly links: Links;
  readonly past: PastStore;
  readonly clock: RedisClock;
  readonly timings: Timings;
  readonly access: Access;
  readonly people: Pick<People, 'zone'>;
  readonly schedules: Schedules;
}

/** The verbs that change something, by noun. */
export interface Changes {
  readonly instances: readonly Change[];
  readonly addons: readonly Change[];
}

/** What features are given to choose from. */
export interface FeaturesDeps
  extends
    ChangesDeps,
    Pick<RequestDeps, 'followRoute' | 'cancelRoute' | 'listRoute'>,
    Pick<Stores, 'accessRequests' | 'lastAsks' | 'requests' | 'waysBack'> {
  readonly changes: Changes;
  /** Every feature, once they are built. */
  readonly features: () => readonly Feature[];
  readonly operations: Operations;
  readonly batches: Batches;
  readonly holidays: () => Holidays;
  /** Parts of the costs, as the policy file has them by now. */
  readonly costGroups: () => CostGroups;
  readonly favorites: Favorites;
  readonly accessStore: AccessStore;
  readonly otherAccounts: HomeDeps['otherAccounts'];
  /** Undefined where the account is the only one. */
  readonly accountName: string | undefined;
  readonly defaultIn: readonly string[];
  /** People whom the configuration of the account names, and where it does. */
  readonly namedPeople: () => readonly Names[];
  readonly people: People;
  readonly userGroups: UserGroups;
  readonly snoozes: Snoozes;
  readonly onCall: OnCall;
  readonly messenger: Messenger;
  readonly homes: Homes;
  readonly prompts: Prompts;
  readonly lanes: Lanes;
  readonly threads: Threads;
  readonly boardStore: BoardStore;
  readonly outbox: Outbox;
  readonly approvals: Approvals;
  readonly findApprovers: FindApprovers;
  readonly auditReader: AuditReader;
  /** The id of the workspace, once it is known. */
  readonly teamId: () => string | undefined;
  readonly uploads: Uploads;
  readonly examiner: Examiner;
  readonly metrics: Metrics;
  readonly examine: Examine;
  readonly queue: WorkQueue;
  /** What the features' own records are kept on: one that does not wait for people, one that does for jobs. */
  readonly redis: RedisConnection;
  readonly faultPoints: FaultPoints;
  readonly log: Log;
}

/** Verbs that are declared elsewhere and join those of the features. */
export type MoreChanges = (deps: ChangesDeps) => Partial<Changes>;
