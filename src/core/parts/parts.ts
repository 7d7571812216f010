import type { Approvals } from '../approvals/approvals.ts';
import type { FindApprovers } from '../approvals/find-approvers.ts';
import type { AuditReader } from '../audit/audit-reader.ts';
import type { Base } from '../base.ts';
import type { Favorites } from '../lookup/favorites.ts';
import type { Offers } from '../offers/offers.ts';
import type { OnCall } from '../on-call/on-call.ts';
import type { Lanes } from '../outbox/lanes.ts';
import type { Outbox } from '../outbox/outbox.ts';
import type { Access } from '../policy/access.ts';
import type { AccessStore } from '../policy/access-record.ts';
import type { AccessRequestStore } from '../policy/access-requests.ts';
import type { ApprovalRule, Protection } from '../policy/pattern.ts';
import type { CostGroups, Holidays } from '../policy/sections.ts';
import type { Audit } from '../records/commit.ts';
import type { Threads } from '../threads/threads.ts';

/** The bot of one account as far as operations and all that is built on them need it. */
export interface Parts extends Base {
  readonly audit: Audit;
  readonly auditReader: AuditReader;
  readonly outbox: Outbox;
  readonly lanes: Lanes;
  readonly threads: Threads;
  readonly offers: Offers;
  readonly access: Access;
  readonly accessStore: AccessStore;
  readonly accessRequests: AccessRequestStore;
  readonly approvals: Approvals;
  readonly findApprovers: FindApprovers;
  readonly favorites: Favorites;
  readonly onCall: OnCall;
  readonly isProtected: Protection;
  /** As the policy file and the configuration have them by now, as all of the following. */
  readonly approvalRules: () => readonly ApprovalRule[];
  readonly holidays: () => Holidays;
  readonly costGroups: () => CostGroups;
  /** Routes of features that what core says leads to: who is on it, calling it off, picking others, what was done. */
  readonly followRoute: string;
  readonly cancelRoute: string;
  readonly listRoute: string;
  readonly storyRoute: string;
}
