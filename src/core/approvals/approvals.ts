import type { Entry } from '../audit/entry.ts';
import type { WorkQueue } from '../../platform/queue/queue.ts';
import type { RedisClock } from '../../platform/redis/clock.ts';
import type { RedisConnection } from '../../platform/redis/connection.ts';
import { createRecords, type RecordKind, type Records } from '../records/records.ts';
import type { Outbox, Standing } from '../outbox/outbox.ts';
import { type Approval, approvalSchema, decidedAs, dueAt, isSameChange } from './approval.ts';
import { approvalKeys } from './keys.ts';
import { approvalMessage } from './messages.ts';

export type ApprovalStore = Records<Approval>;

/** The only door to approvals. */
export interface Approvals {
  /**
   * Writes down what must be approved and shows it in its channel. Gives what waits then: where the same change waits
   * already, that, which its asker joins, so that they are told of its end as well.
   */
  ask(approval: Approval): Promise<Approval>;
  /** Where its message stands, if it does. */
  findMessage(id: string): Promise<Extract<Standing, { state: 'stands' }> | undefined>;
  find(id: string): Promise<Approval | undefined>;
  /** Those that nobody has decided yet, the first to expire first; at most fifty. */
  listOpen(): Promise<readonly Approval[]>;
  /** Has its message say soon that it was given, which was written down with the operation that it began. */
  showGiven(id: string): Promise<void>;
  /** Decides it otherwise, once, with the entry that records it. Gives it; undefined where it was decided before or is no longer there. */
  decide(id: string, decided: NonNullable<Approval['decided']>, entry?: Entry): Promise<Approval | undefined>;
}

export const APPROVAL_JOB = 'approval';

const MAX_LISTED = 50;
const KEPT_MS = 7 * 24 * 3_600_000;

export const APPROVALS: RecordKind<Approval> = {
  keyOf: approvalKeys.approval,
  index: approvalKeys.open,
  schema: approvalSchema,
  dueAt,
  keptMs: KEPT_MS,
};

export function createApprovalStore(redis: RedisConnection): ApprovalStore {
  return createRecords(redis, APPROVALS);
}

/** The id of the one message of an approval. */
export function postIdOf(approvalId: string): string {
  return `approval-${approvalId}`;
}

export function createApprovals(deps: {
  readonly store: ApprovalStore;
  readonly outbox: Outbox;
  readonly queue: WorkQueue;
  readonly clock: Pick<RedisClock, 'now'>;
}): Approvals {
  const { store, outbox, queue } = deps;
  // What could not be woken is found by the sweep.
  const wake = (id: string): Promise<void> => queue.wake(APPROVAL_JOB, id).catch(() => undefined);
  const listOpen = async (most: number): Promise<readonly Approval[]> => {
    const ids = (await store.listDue(Number.MAX_SAFE_INTEGER)).slice(0, most);
    const found = await Promise.all(ids.map((id) => store.find(id)));
    const now = deps.clock.now();
    return found.filter((one) => one !== undefined).filter((one) => !one.decided && one.expiresAt > now);
  };
  /**
   * Writes it down, and joins the one that asks for the same and was written down before. Of two that come at once each sees
   * both, and one of them joins the other.
   */
  const joinEarlier = async (approval: Approval): Promise<Approval | undefined> => {
    await store.create(approval.id, approval);
    for (;;) {
      const [first] = (await listOpen(Number.MAX_SAFE_INTEGER))
        .filter((one) => isSameChange(one, approval))
        .toSorted((one, other) => one.askedAt - other.askedAt || (one.id < other.id ? -1 : 1));
      if (!first || first.id === approval.id) return undefined;
      const { userId } = approval.actor;
      const joined = await store.change(first.id, (one) => {
        const others = [...(one.followers ?? []), ...(one.actor.userId === userId ? [] : [userId])];
        return one.decided ? undefined : { ...one, followers: [...new Set(others)] };
      });
      if (!joined) continue;
      const at = deps.clock.now();
      // Nobody has read of it.
      await store.change(approval.id, (one) => {
        const over = decidedAs(one, { how: 'withdrawn', at });
        return over && { ...over, shownAt: at };
      });
      return joined;
    }
  };
  return {
    ask: async (approval) => {
      const joined = await joinEarlier(approval);
      if (joined) return joined;
      // Again where a crash came in between: the same id is one message.
      const { channelId } = approval.place;
      await outbox.post({ id: postIdOf(approval.id), to: { channelId }, content: approvalMessage(approval) });
      await wake(approval.id);
      return approval;
    },
    find: store.find,
    findMessage: async (id) => {
      const standing = await outbox.find(postIdOf(id));
      return standing?.state === 'stands' ? standing : undefined;
    },
    listOpen: () => listOpen(MAX_LISTED),
    showGiven: wake,
    decide: async (id, decided, entry) => {
      const after = await store.change(id, (approval) => decidedAs(approval, decided), { audit: entry });
      if (after) await wake(id);
      return after;
    },
  };
}
