import type { Timings } from '../timings.ts';
import type { GapOf } from './poll-times.ts';
import { MIN_FAILED_POLLS } from './content-key.ts';
import { ended, heard, isOnTheWay } from './execution.ts';
import { type HostingError, isOutOfCalls } from '../../platform/hosting/hosting-error.ts';
import type { OperationKind } from './kind.ts';
import type { Operation, ObservedState } from './operation.ts';

/** Whether the poller should poll this operation. */
export function isPolled(operation: Operation): boolean {
  return ['sending', 'unknown', 'accepted'].includes(operation.execution.state);
}

/** How soon it is asked again whether something is gone: one server of a service may not know it, or not yet. */
const ASK_AGAIN_MS = 2_000;

/** The operation after a poll. That its subject is gone counts once two polls in a row have shown it. */
export function polled(
  operation: Operation,
  kind: OperationKind,
  observed: ObservedState,
  now: number,
  gapOf: GapOf,
): Operation | undefined {
  if (!isPolled(operation)) return undefined;
  const { execution } = operation;
  const before = execution.lastState?.health ?? operation.subject.health;
  const dipped = before === 'healthy' && observed.health === 'unhealthy';
  const progressWord = execution.progressWord ?? signIn(observed, dipped);
  const isSaidOnce = observed.status === 'gone' && execution.lastState?.status !== 'gone';
  const gapMs = gapAt(operation, now, gapOf);
  const next: Operation = {
    ...operation,
    execution: {
      ...heard(execution, undefined),
      lastState: observed,
      polls: execution.polls + 1,
      failedPolls: 0,
      hasProgressed: execution.hasProgressed || progressWord !== undefined,
      ...(progressWord === undefined ? {} : { progressWord }),
      nextAt: now + (isSaidOnce ? Math.min(gapMs, ASK_AGAIN_MS) : gapMs),
      ...takenBy(execution, observed),
    },
  };
  // While the call is out a poll only collects signs, which tell a restart whose answer gets lost.
  if (execution.state === 'sending' || isSaidOnce) return next;
  const { action } = observed;
  if (action?.state === 'failed')
    return ended(next, { result: 'failed', code: 'action-failed', said: action.said, at: now });
  const judgment = kind.judge(next, observed, now);
  if (judgment.next === 'end') return ended(next, { ...judgment.outcome, at: now });
  if (judgment.next === 'send')
    return { ...next, execution: { ...next.execution, state: 'requested', nextAt: now } };
  return judgment.slow ? { ...next, execution: { ...next.execution, slow: true } } : next;
}

/** A call whose answer was lost and whose action was found was accepted after all, as soon as it was sent. */
function takenBy(
  { state, sentAt }: Operation['execution'],
  { begun, at }: ObservedState,
): Partial<Operation['execution']> {
  if (state !== 'unknown' || begun === undefined || begun === 'none') return {};
  return { state: 'accepted', actionId: begun.actionId, acceptedAt: sentAt ?? at };
}

/** So many polls are counted one by one; after that it only counts that there were several. */
const MOST_POLLS = 2;

/**
 * Whether a poll has moved nothing but the number and the time of polls: then the record stands as it is. Pure. A kind must
 * judge by no more than that there were some polls.
 */
export function isSameButForPolls(before: Operation, after: Operation): boolean {
  return (
    before.outcome === after.outcome &&
    isSameUpTo(MOST_POLLS, before.execution.polls, after.execution.polls) &&
    isSameUpTo(MIN_FAILED_POLLS, before.execution.failedPolls, after.execution.failedPolls) &&
    isSameState(before.execution.lastState, after.execution.lastState) &&
    isSameElse(before.execution, after.execution)
  );
}

function isSameUpTo(most: number, before: number, after: number): boolean {
  return Math.min(before, most) === Math.min(after, most);
}

function isSameState(before: ObservedState | undefined, after: ObservedState | undefined): boolean {
  return before?.status === after?.status && before?.word === after?.word && before?.health === after?.health;
}

/** Compared above, or only the time of a poll. */
const COMPARED = new Set(['polls', 'failedPolls', 'lastState', 'nextAt']);

/** Whether all other fields are the same, which hold nothing but single values. */
function isSameElse(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): boolean {
  const isSame = (field: string): boolean => COMPARED.has(field) || before[field] === after[field];
  return Object.keys(before).every(isSame) && Object.keys(after).every(isSame);
}

/** What a poll shows of an action on its way, in a word; undefined where it shows nothing of it. */
function signIn(observed: ObservedState, dipped: boolean): string | undefined {
  if (isOnTheWay(observed)) return observed.status;
  return dipped ? 'unhealthy' : undefined;
}

/** The operation after a poll that failed because the hosting API did. */
export function pollFailed(
  operation: Operation,
  error: HostingError,
  now: number,
  timings: Timings,
  gapOf: GapOf,
): Operation | undefined {
  if (!isPolled(operation)) return undefined;
  const execution = heard(operation.execution, error);
  const isAsked = !isOutOfCalls(error);
  const isLate = now - (execution.sentAt ?? operation.requestedAt) > timings.patienceMs;
  if (isLate && execution.state !== 'sending') {
    return ended({ ...operation, execution }, { result: 'unknown', code: 'no-reading', at: now });
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
