import { MINUTE_MS } from '../../platform/time/duration.ts';
import type { Timings } from '../timings.ts';
import { isShown } from './asker-notice.ts';
import type { NewOperation, Operation } from './operation.ts';

/**
 * The time between a confirmed operation and its call, in which anybody with the right can cancel it. It begins when its
 * card stands in Slack, because nobody can press what nobody sees. Pure.
 */

/** What is left of a cancel window, where it is listed: what lists it is not new every second. */
const LISTED_MS = [1_000, 5_000, 10_000, 30_000, 60_000, 90_000];

/** Whether the operation can be canceled still. */
export function isInCancelWindow(operation: Operation): boolean {
  const { cancelWindowMs, isCancelWindowOver, execution } = operation;
  return (
    cancelWindowMs !== undefined &&
    !isCancelWindowOver &&
    execution.state === 'requested' &&
    execution.sends === 0
  );
}

/** When the time for the call begins: once its request is dequeued, at the end of the cancel window, or unknown until its card stands. */
export function startsAt(operation: Operation): number | undefined {
  return operation.cancelWindowMs === undefined ? waitsSince(operation) : operation.cancelWindowEndsAt;
}

/** Since when a person waits for it, and is not queued: since they asked, or their request was dequeued. */
export function waitsSince({
  dequeuedAt,
  requestedAt,
}: Pick<NewOperation, 'dequeuedAt' | 'requestedAt'>): number {
  return dequeuedAt ?? requestedAt;
}

/** Whether a call may leave: never before its asker can see the operation, nor before a cancel window has begun. */
export function mayLeave(operation: Operation): boolean {
  if (operation.cancelWindowMs !== undefined) return operation.cancelWindowEndsAt !== undefined;
  return operation.execution.sends > 0 || isShown(operation);
}

/** A first call that has not left by then never does. */
export function sendDeadline(operation: Operation, timings: Timings): number {
  const { queued, requestedAt } = operation;
  const since = startsAt(operation) ?? requestedAt;
  // Its card says that it is queued, and a person can cancel it.
  return queued ? Math.max(queued.since, since) + timings.maxQueueMs : since + timings.acceptWithinMs;
}

/** Whether it waits for the hosting service's budget, and nothing was asked of the service. */
export function isQueued({ queued, execution }: Operation): boolean {
  return queued !== undefined && execution.state === 'requested' && execution.sends === 0;
}

/** The card stands: from now on it can be canceled. */
export function openCancelWindow(operation: Operation, now: number): Operation {
  const { cancelWindowMs } = operation;
  if (
    cancelWindowMs === undefined ||
    operation.cancelWindowEndsAt !== undefined ||
    !isInCancelWindow(operation)
  )
    return operation;
  const cancelWindowEndsAt = now + cancelWindowMs;
  return {
    ...operation,
    cancelWindowEndsAt,
    execution: { ...operation.execution, nextAt: cancelWindowEndsAt },
  };
}

/** What is left of it at `now`, in ms: all of it until its card stands. */
function cancelWindowLeftMs({ cancelWindowMs = 0, cancelWindowEndsAt }: Operation, now: number): number {
  return cancelWindowEndsAt === undefined ? cancelWindowMs : Math.max(0, cancelWindowEndsAt - now);
}

/** The same in steps that are read at a glance and never promise too much: what lists it is not new every second. */
export function cancelWindowLeftRoughlyMs(operation: Operation, now: number): number {
  const leftMs = cancelWindowLeftMs(operation, now);
  const minutes = Math.floor(leftMs / MINUTE_MS) * MINUTE_MS;
  return Math.max(minutes, ...LISTED_MS.filter((ms) => ms <= leftMs));
}

/** How long an operation has taken at `at`, in ms; a cancel window and a queue are no work, and what was canceled there took none. */
export function tookOf(operation: Operation, at: number): number {
  const { queued, execution } = operation;
  const begun = queued ? execution.sentAt : startsAt(operation);
  return Math.max(0, at - (begun ?? at));
}
