import type { Standing } from '../outbox/post.ts';
import type { Entry } from '../audit/entry.ts';
import { type Commit, type Committed, together, set, type Write } from '../records/commit.ts';
import { type Condition, NONE, unchanged, there, among } from '../records/conditions.ts';
import { REQUEST_KEPT_MS, requestKeys } from '../ask/ask.ts';
import { type RecordKind, type Records, Unmet, type With, writesOf } from '../records/records.ts';
import type { Woken } from '../records/job.ts';
import type { Outbox, Said } from '../outbox/outbox.ts';
import { type Approval, approvalSchema, decidedAs, dueAt, isSameChange } from './approval.ts';
import { key } from '../../platform/redis/key.ts';
import { approvalMessage, askAgain, messageToAsker, messageToFollower } from './messages.ts';
import type { Base } from '../base.ts';

export type ApprovalStore = Records<Approval>;

/** The only door to approvals. */
export interface Approvals {
  /**
   * Writes down what must be approved, with its message in its channel. Gives what waits then: where the same change waits
   * already, that, which its asker joins, so that they are told of its end as well. Asked again, it gives the same, which may be
   * decided by then. Undefined where the request that asks is no longer open: answered, revoked or expired.
   */
  ask(approval: Approval, requestId: string): Promise<Approval | undefined>;
  /** What was asked for by this id: itself, or the one that it joined. */
  findAsked(id: string): Promise<Approval | undefined>;
  /** Where its message stands, if it does. */
  findMessage(id: string): Promise<Extract<Standing, { state: 'stands' }> | undefined>;
  find(id: string): Promise<Approval | undefined>;
  /** Those that nobody has decided yet, the first to expire first; at most fifty. */
  listOpen(): Promise<readonly Approval[]>;
  /**
   * Decides it otherwise than by what it begins, once, with the entry that records it and what is used up by it: its message
   * says so, and all who asked for it are told. Gives it; undefined where it was decided before or is no longer there.
   */
  decide(
    id: string,
    decided: NonNullable<Approval['decided']>,
    entry?: Entry,
    using?: () => Promise<Commit<'moved'>>,
  ): Promise<Approval | undefined>;
  /** The part of a commit that decides it so, for who decides several things at once; undefined where it is decided. */
  deciding(id: string, decided: NonNullable<Approval['decided']>): Promise<Commit<'moved'> | undefined>;
}

const MAX_LISTED = 50;
const MAX_TRIES = 100;
const KEPT_MS = 7 * 24 * 3_600_000;

export const APPROVALS: RecordKind<Approval> & Woken = {
  job: 'approval',
  isSeldom: true,
  keyOf: (id) => key('approval', id),
  index: key('approvals', 'open'),
  schema: approvalSchema,
  dueAt,
  keptMs: KEPT_MS,
};

/** The id of the one message of an approval. */
function postIdOf(approvalId: string): string {
  return `approval-${approvalId}`;
}

/** What is said where nobody has answered for a while: those who were asked by name are asked once more, below its message. */
export function saysAgain(outbox: Pick<Outbox, 'saying'>): With<Approval> {
  return async (approval) => {
    const { id, place } = approval;
    const to = { channelId: place.channelId, underPost: postIdOf(id) };
    const again = {
      id: `approval-again-${id}`,
      to,
      content: askAgain(approval),
      isForPlaceAlone: true as const,
    };
    return outbox.saying([again], 'moved');
  };
}

/** What is said once it is decided: on its message, below it to the asker, and to each other who asked for it and is not told by what it began. Pure. */
export function saysDecided(
  approval: Approval,
  followers: readonly string[] = approval.followers ?? [],
): readonly Said[] {
  const { id, actor, place } = approval;
  const below = { channelId: place.channelId, underPost: postIdOf(id), orUserId: actor.userId };
  const toAsker = messageToAsker(approval);
  const toFollowers = messageToFollower(approval);
  return [
    { id: postIdOf(id), content: approvalMessage(approval), isEdit: true },
    ...(toAsker ? [{ id: `approval-end-${id}`, to: below, content: toAsker }] : []),
    ...(toFollowers
      ? followers.map((userId) => ({
          id: `approval-end-${id}-${userId}`,
          to: { userId },
          content: toFollowers,
        }))
      : []),
  ];
}

interface ApprovalsDeps extends Pick<Base, 'clock' | 'redis' | 'queue'> {
  readonly store: ApprovalStore;
  readonly outbox: Pick<Outbox, 'saying' | 'find'>;
}

export function createApprovals(deps: ApprovalsDeps): Approvals {
  const { redis, store, outbox, clock } = deps;
  const listOpen = async (): Promise<readonly Approval[]> => {
    const open = await store.listOpen();
    const now = clock.now();
    return open
      .filter((one) => !one.decided && one.expiresAt > now)
      .toSorted((one, other) => one.expiresAt - other.expiresAt);
  };
  const findAsked = async (id: string): Promise<Approval | undefined> => {
    const asked = await store.find(id);
    return asked?.joined === undefined ? asked : await store.find(asked.joined);
  };
  return {
    findAsked,
    ask: async (approval, requestId) => {
      // No run of the request says from then on that nothing was done.
      const asking: Asking = {
        if: [there(requestKeys.request(requestId), 'gone')],
        write: [set(requestKeys.taken(requestId), approval.id, REQUEST_KEPT_MS)],
      };
      for (let tries = 0; tries < MAX_TRIES; tries++) {
        const before = await findAsked(approval.id);
        if (before) return before;
        const known = await redis.zrange(APPROVALS.index, '0', '-1');
        const first = (await listOpen()).find((one) => isSameChange(one, approval));
        const result = first
          ? await join(store, approval, first, asking)
          : (await create(deps, approval, known, asking)).result;
        if (result === 'gone') return undefined;
        if (result === 'written') return approval;
        if (typeof result === 'object') return result;
      }
      throw new Error(`approval ${approval.id}: others were asked for again and again meanwhile`);
    },
    find: store.find,
    findMessage: async (id) => {
      const standing = await outbox.find(postIdOf(id));
      return standing?.state === 'stands' ? standing : undefined;
    },
    listOpen: async () => (await listOpen()).slice(0, MAX_LISTED),
    decide: (...decided) => decide({ store, outbox }, ...decided),
    deciding: (id, decided) =>
      store.moving(
        id,
        (approval) => decidedAs(approval, decided),
        (after) => outbox.saying(saysDecided(after), 'moved'),
      ),
  };
}

/** What is written with an approval of the request that asks for it, which must be open. */
interface Asking {
  readonly if: readonly Condition<'gone'>[];
  readonly write: readonly Write[];
}

/** Its asker joins one that waits for the same. Undefined where that was decided meanwhile, or another process was first. */
async function join(
  store: ApprovalStore,
  approval: Approval,
  first: Approval,
  asking: Asking,
): Promise<Approval | 'gone' | undefined> {
  const { id, actor } = approval;
  try {
    return await store.change(
      first.id,
      (one) => (one.decided ? undefined : withFollower(one, actor.userId)),
      {
        if: [...asking.if, unchanged(APPROVALS.keyOf(id), NONE, 'there')],
        write: [
          ...asking.write,
          ...writesOf(APPROVALS, id, NONE, { ...approval, responseUrl: undefined, joined: first.id }),
        ],
      },
    );
  } catch (error) {
    if (!(error instanceof Unmet)) throw error;
    return error.code === 'gone' ? 'gone' : undefined;
  }
}

/** Written down where no other than `known` is open by then. */
async function create(
  { store, outbox, queue }: ApprovalsDeps,
  approval: Approval,
  known: readonly string[],
  asking: Asking,
): Promise<Committed<'there' | 'more' | 'gone'>> {
  const { id, place } = approval;
  const message = {
    id: postIdOf(id),
    to: { channelId: place.channelId },
    content: approvalMessage(approval),
  };
  return store.create(
    id,
    approval,
    together<'there' | 'more' | 'gone'>(
      asking,
      { if: [among(APPROVALS.index, known, 'more')], wake: () => queue.wake(APPROVALS.job, id) },
      await outbox.saying([message], 'there'),
    ),
  );
}

/** With another who asked for it, and hears of its end. Pure. */
function withFollower(approval: Approval, userId: string): Approval {
  const { actor, followers = [] } = approval;
  return actor.userId === userId
    ? approval
    : { ...approval, followers: [...new Set([...followers, userId])] };
}

/** Decides one, with all that is said of it. Undefined where it was decided before. */
export function decide(
  { store, outbox }: { readonly store: ApprovalStore; readonly outbox: Pick<Outbox, 'saying'> },
  ...[id, decided, entry, using]: Parameters<Approvals['decide']>
): Promise<Approval | undefined> {
  return store.change(
    id,
    (approval) => decidedAs(approval, decided),
    async (after) =>
      together<'moved'>(
        { audit: entry },
        await outbox.saying(saysDecided(after), 'moved'),
        (await using?.()) ?? {},
      ),
  );
}
