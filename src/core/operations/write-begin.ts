import { toStored, versionAfter } from '../../platform/redis/stored.ts';
import { type Approval, decidedAs } from '../approvals/approval.ts';
import { APPROVALS, saysDecided } from '../approvals/approvals.ts';
import type { Entry } from '../audit/entry.ts';
import { BUTTON_TOKENS, offerKey, usingUp } from '../offers/offers.ts';
import { CONFIRMATIONS } from '../offers/confirmation.ts';
import { requestKeys } from '../ask/ask.ts';
import type { Outbox, Said } from '../outbox/outbox.ts';
import { type Commit, commit, together, forgetRequest, file, record, set } from '../records/commit.ts';
import { type Condition, NONE, unchanged, there, absent, same } from '../records/conditions.ts';
import { OPEN_KEPT_MS, readRecord, type Versioned, writesOf } from '../records/records.ts';
import { operationKeys } from './keys.ts';
import { followed, lockOf, type Operation } from './operation.ts';
import type { Base } from '../base.ts';

/** What became of a request that was to become an operation. */
export type Begun =
  | { readonly result: 'begun' }
  /** The subject is taken; by an operation that may have ended meanwhile. */
  | { readonly result: 'busy'; readonly operationId: string }
  /** The button has been used, for this operation. */
  | { readonly result: 'used'; readonly operationId: string }
  /** The approval was decided before this yes came. */
  | { readonly result: 'decided'; readonly decided: NonNullable<Approval['decided']> }
  /** The confirmation, or the approval, is no longer there. */
  | { readonly result: 'unconfirmed' }
  /** Something was done with its subject since that was read which it begins by. */
  | { readonly result: 'overtaken' }
  /** No room for its way back: there are as many schedules as there may be. */
  | { readonly result: 'full' }
  /** The request is no longer open: answered, revoked or expired. */
  | { readonly result: 'gone' };

/** What was pressed or submitted to ask for an operation: beginning it uses up all of it. */
export interface Pressed {
  /** The button token, or the ended operation, whose button was pressed. */
  readonly buttonTokenId?: string;
  readonly confirmationId?: string;
  /** The approval that is given by it, and the entry that records who gave it. */
  readonly approvalId?: string;
  readonly approvalEntry?: Entry;
  /** That nothing was done with its subject since that was read which it begins by. */
  readonly asRead?: Condition<'overtaken'> | undefined;
  /** What others are told of it. */
  readonly says?: readonly Said[];
  /** What else is written with it: its way back. */
  readonly also?: Commit<'full'>;
  /** The part of the commit that uses up what allowed it once. Throws a Refusal. */
  readonly using?: () => Promise<Commit<'moved'>>;
}

/** It is begun, and this is what was written down. */
interface Written {
  readonly result: 'begun';
  readonly version: string;
  readonly operation: Operation;
}

/** Why an operation is not begun. */
type No =
  | 'begun before'
  | 'gone'
  | 'busy'
  | 'unconfirmed'
  | 'moved'
  | 'decided'
  | 'used'
  | 'full'
  | 'overtaken';

/**
 * Writes a begun operation down in one commit with all that it uses up and the entry that records it. So an approval is
 * given exactly where its operation exists.
 */
export async function writeBegin(
  { redis, outbox, clock }: Pick<Base, 'clock' | 'redis'> & { readonly outbox: Pick<Outbox, 'saying'> },
  wanted: Operation,
  pressed: Pressed,
  entry: Entry,
): Promise<Exclude<Begun, { readonly result: 'begun' }> | { readonly result: 'begun before' } | Written> {
  const { id, subject, part } = wanted;
  const {
    confirmationId,
    buttonTokenId,
    approvalId,
    approvalEntry,
    says = [],
    also = {},
    asRead,
    using,
  } = pressed;
  const lock = operationKeys.lock(lockOf(subject.id, part));
  const shown = confirmationId === undefined ? [] : [offerKey(CONFIRMATIONS, confirmationId)];
  const pressedKeys = buttonTokenId === undefined ? [] : [offerKey(BUTTON_TOKENS, buttonTokenId)];
  const version = versionAfter(NONE);
  const use = usingUp([...shown, ...pressedKeys], id);
  for (let lostHolder: string | undefined; ;) {
    const approval = approvalId === undefined ? undefined : await readRecord(redis, APPROVALS, approvalId);
    const given = approval && decidedAs(approval.record, decisionOf(wanted));
    // Who joined it follows what it begins, and those are told at once whom that takes no more.
    const { operation, others } = withFollowers(wanted, given?.followers ?? []);
    const said = await outbox.saying([...says, ...(given ? saysDecided(given, others) : [])], 'moved');
    const ofBegin: Commit<No> = {
      if: [
        absent(operationKeys.operation(id), 'begun before'),
        there(requestKeys.request(id), 'gone'),
        ...freeOf(lock, lostHolder),
        ...(asRead ? [asRead] : []),
        ...shown.map((key) => there(key, 'unconfirmed' as const)),
        ...(approvalId === undefined ? [] : approvable(approvalId, approval, given)),
        ...use.if,
      ],
      write: [
        ...use.write,
        ...(approvalId !== undefined && approval && given
          ? writesOf(APPROVALS, approvalId, approval.version, given)
          : []),
        record(operationKeys.operation(id), version, toStored(operation), OPEN_KEPT_MS),
        file(operationKeys.open, id, clock.now()),
        set(lock, id, OPEN_KEPT_MS),
        ...forgetRequest(id),
      ],
      audit: approvalEntry ? [approvalEntry, entry] : entry,
      // What this process takes for begun it puts back where Redis loses it: of a beginning that was not certain, others may
      // have said meanwhile that nothing was done.
      survives: true,
    };
    const begun = await commit<No>(redis, together<No>(ofBegin, said, also, (await using?.()) ?? {}));
    if (begun.result === 'written') return { result: 'begun', version, operation };
    const { result, found } = begun;
    if (result === 'moved') continue;
    if (result === 'busy') {
      // A lock without its operation holds nothing.
      const isHeld = (await redis.exists(operationKeys.operation(found))) === 1;
      if (isHeld) return { result, operationId: found };
      // Nothing was found where it was let go meanwhile.
      lostHolder = found || undefined;
      continue;
    }
    if (result === 'used') return { result, operationId: found };
    const decided = approval?.record.decided;
    if (result === 'decided') return decided ? { result, decided } : { result: 'unconfirmed' };
    // By an earlier run of the same request, which is over with it.
    if (result === 'begun before') await commit(redis, { write: forgetRequest(id) });
    return { result };
  }
}

/** An operation that some follow, and those whom it takes no more. Pure. */
function withFollowers(
  wanted: Operation,
  userIds: readonly string[],
): { readonly operation: Operation; readonly others: readonly string[] } {
  return userIds.reduce<{ readonly operation: Operation; readonly others: readonly string[] }>(
    ({ operation, others }, userId) => {
      const next = followed(operation, userId);
      return next ? { operation: next, others } : { operation, others: [...others, userId] };
    },
    { operation: wanted, others: [] },
  );
}

/** Nobody holds the lock, or only one whose operation is not there. */
function freeOf(lock: string, lostHolder: string | undefined): readonly Condition<'busy'>[] {
  return lostHolder === undefined
    ? [absent(lock, 'busy')]
    : [same(lock, lostHolder, 'busy'), absent(operationKeys.operation(lostHolder), 'busy')];
}

/** The approval is there as it was read, and nobody has decided it. */
function approvable(
  approvalId: string,
  approval: Versioned<Approval> | undefined,
  given: Approval | undefined,
): readonly Condition<'unconfirmed' | 'moved' | 'decided'>[] {
  const key = APPROVALS.keyOf(approvalId);
  return [
    there(key, 'unconfirmed'),
    unchanged(key, approval?.version ?? NONE, 'moved'),
    // Of one that was decided before, this tells at its place in the order.
    ...(approval && !given ? [absent(key, 'decided' as const)] : []),
  ];
}

/** How the approval is decided by which an operation is begun. Pure. */
function decisionOf({ id, approvedBy, requestedAt }: Operation): NonNullable<Approval['decided']> {
  return {
    how: 'approved',
    by: approvedBy,
    at: requestedAt,
    operationId: id,
  };
}
