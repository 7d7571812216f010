import type { Timings } from '../timings.ts';
import type { GapOf } from './look-times.ts';
import { MIN_BLIND_LOOKS } from './content-key.ts';
import { ended, isOnTheWay } from './execution.ts';
import type { OperationKind } from './kind.ts';
import type { Operation, Seen } from './operation.ts';

/** Whether the account's looks should include this operation. */
export function isWatched(operation: Operation): boolean {
  return ['sending', 'unsure', 'watching'].includes(operation.execution.state);
}

/** The operation after a look at its instance. */
export function polled(
  operation: Operation,
  kind: OperationKind,
  seen: Seen,
  now: number,
  gapOf: GapOf,
): Operation | undefined {
  if (!isWatched(operation)) return undefined;
  const { execution } = operation;
  const before = execution.seen?.health ?? operation.subject.health;
  const dipped = before === 'healthy' && seen.health === 'unhealthy';
  const progressWord = execution.progressWord ?? signIn(seen, dipped);
  const next: Operation = {
    ...operation,
    execution: {
      ...execution,
      seen,
      polls: execution.polls + 1,
      failedPolls: 0,
      progressSeen: execution.progressSeen || progressWord !== undefined,
      ...(progressWord === undefined ? {} : { progressWord }),
      nextAt: now + gapAt(operation, now, gapOf),
      ...takenBy(execution, seen),
    },
  };
  // While the call is out a look only collects signs, which tell a restart whose answer gets lost.
  if (execution.state === 'sending') return next;
  const judgement = kind.judge(next, seen, now);
  if (judgement.next === 'end') return ended(next, { ...judgement.outcome, at: now });
  if (judgement.next === 'send')
    return { ...next, execution: { ...next.execution, state: 'requested', nextAt: now } };
  return judgement.slow ? { ...next, execution: { ...next.execution, slow: true } } : next;
}

/** A call whose answer was lost and whose action was found was accepted after all, as soon as it was sent. */
function takenBy(
  { state, sentAt }: Operation['execution'],
  { begun, at }: Seen,
): Partial<Operation['execution']> {
  if (state !== 'unsure' || begun === undefined || begun === 'none') return {};
  return { state: 'watching', actionId: begun.actionId, acceptedAt: sentAt ?? at };
}

/** So many looks are counted one by one; after that it only counts that there were several. */
const MOST_POLLS = 2;

/**
 * Whether a look has moved nothing but how often and when was looked: then the record stands as it is. Pure; what a
 * kind judges by must not hang on more than that there were some looks.
 */
export function isSameButForLooks(before: Operation, after: Operation): boolean {
  return (
    before.outcome === after.outcome &&
    isSameUpTo(MOST_POLLS, before.execution.polls, after.execution.polls) &&
    isSameUpTo(MIN_BLIND_LOOKS, before.execution.failedPolls, after.execution.failedPolls) &&
    isSameSeen(before.execution.seen, after.execution.seen) &&
    isSameElse(before.execution, after.execution)
  );
}

function isSameUpTo(most: number, before: number, after: number): boolean {
  return Math.min(before, most) === Math.min(after, most);
}

function isSameSeen(before: Seen | undefined, after: Seen | undefined): boolean {
  return before?.status === after?.status && before?.word === after?.word && before?.health === after?.health;
}

/** Compared above, or by when was looked alone. */
const COMPARED = new Set(['polls', 'failedPolls', 'seen', 'nextAt']);

/** Whether all other fields are the same, which hold nothing but single values. */
function isSameElse(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): boolean {
  const isSame = (field: string): boolean => COMPARED.has(field) || before[field] === after[field];
  return Object.keys(before).every(isSame) && Object.keys(after).every(isSame);
}

/** What a look shows of an action on its way, in a word; undefined where it shows nothing of it. */
function signIn(seen: Seen, dipped: boolean): string | undefined {
  if (isOnTheWay(seen)) return seen.status;
  return dipped ? 'unhealthy' : undefined;
}

/** The operation after a look that saw nothing because the hosting API failed; `isAsked`: it was asked at all. */
export function pollFailed(
  operation: Operation,
  now: number,
  timings: Timings,
  gapOf: GapOf,
  isAsked = true,
): Operation | undefined {
  if (!isWatched(operation)) return undefined;
  const { execution } = operation;
  const isLate = now - (execution.sentAt ?? operation.requestedAt) > timings.patienceMs;
  if (isLate && execution.state !== 'sending') {
    return ended(operation, { result: 'unknown', code: 'blind', at: now });
  }
  const nextAt = now + gapAt(operation, now, gapOf);
  return {
    ...operation,
    execution: { ...execution, failedPolls: execution.failedPolls + (isAsked ? 1 : 0), nextAt },
  };
}

function gapAt({ kind, execution, requestedAt }: Operation, now: number, gapOf: GapOf): number {
  return gapOf(kind, now - (execution.acceptedAt ?? execution.sentAt ?? requestedAt));
}
