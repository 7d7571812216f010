import { wholeName } from '../../platform/redis/key.ts';
import { type Approval, approvalSchema, decidedAs, dueAt } from '../approvals/approval.ts';
import { approvalKeys } from '../approvals/keys.ts';
import { type Audit, loadAudited } from '../audit/audit.ts';
import type { Entry } from '../audit/entry.ts';
import { offerKeys } from '../offers/keys.ts';
import { requestKeys } from '../ask/keys.ts';
import type { RedisClock } from '../../platform/redis/clock.ts';
import type { RedisConnection } from '../../platform/redis/connection.ts';
import { INDEXED_RECORD, OPEN_KEPT_MS } from '../../platform/redis/indexed-records.ts';
import { BUTTON_TOKEN_LIFE_MS } from '../offers/button-token-store.ts';
import { operationKeys } from './keys.ts';
import { lockOf, type Operation } from './operation.ts';

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
}

const begin = loadAudited(INDEXED_RECORD, new URL('./begin.lua', import.meta.url));

/**
 * Writes a begun operation down in one script with all that it uses up and the entry that records it. So an approval is
 * given exactly where its operation exists.
 */
export async function writeBegin(
  { redis, audit, clock }: { redis: RedisConnection; audit: Audit; clock: RedisClock },
  operation: Operation,
  { confirmationId, buttonTokenId, approvalId, approvalEntry }: Pressed,
  entry: Entry,
): Promise<Begun | { readonly result: 'begun before' }> {
  const { id } = operation;
  for (;;) {
    const approval = approvalId === undefined ? undefined : await readApproval(redis, approvalId);
    const given = approval && decidedAs(approval.record, decisionOf(operation));
    const answer = await audit.run(
      begin,
      [
        requestKeys.request(id),
        requestKeys.open,
        operationKeys.operation(id),
        operationKeys.open,
        operationKeys.lock(lockOf(operation.subject.id, operation.part)),
        offerKeys.confirmation(confirmationId ?? 'none'),
        offerKeys.buttonToken(buttonTokenId ?? 'none'),
        approvalKeys.approval(approvalId ?? 'none'),
        approvalKeys.open,
      ],
      [
        id,
        JSON.stringify(operation),
        clock.now(),
        wholeName(redis, operationKeys.operation('')),
        BUTTON_TOKEN_LIFE_MS,
        confirmationId === undefined ? '' : 'confirmation',
        buttonTokenId === undefined ? '' : 'token',
        approvalId ?? '',
        approval?.version ?? '',
        given ? JSON.stringify(given) : '',
        given ? dueAt(given) : '',
        OPEN_KEPT_MS,
      ],
      approvalEntry ? [approvalEntry, entry] : entry,
    );
    const [result, operationId] = Array.isArray(answer) ? answer.map(String) : [];
    if (result === 'moved') continue;
    if (result === 'begun' || result === 'begun before' || result === 'gone' || result === 'unconfirmed')
      return { result };
    const decided = approval?.record.decided;
    if (result === 'decided' && decided) return { result, decided };
    if ((result === 'busy' || result === 'used') && operationId !== undefined) return { result, operationId };
    throw new Error('beginning an operation: unexpected answer of the script');
  }
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

async function readApproval(
  redis: RedisConnection,
  approvalId: string,
): Promise<{ version: string; record: Approval } | undefined> {
  const [version, text] = await redis.hmget(approvalKeys.approval(approvalId), 'version', 'record');
  if (typeof version !== 'string' || typeof text !== 'string') return undefined;
  return { version, record: approvalSchema.parse(JSON.parse(text)) };
}
