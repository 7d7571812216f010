import { MINUTE_MS } from '../../platform/time/duration.ts';
import type { Timings } from '../timings.ts';
import { isShown } from './asker-notice.ts';
import type { NewOperation, Operation } from './operation.ts';

/**
 * The time between a confirmed operation and its call, in which anybody with the right can cancel it. It begins when its
 * card stands in Slack, because nobody can press what nobody sees. Pure.
 */

/** What is left of a grace, where it is listed: what lists it is not new every second. */
const LISTED_MS = [1_000, 5_000, 10_000, 30_000, 60_000, 90_000];

/** Whether the operation can be cancelled still. */
export function isInGrace(operation: Operation): boolean {
  const { graceMs, isGraceOver, execution } = operation;
  return graceMs !== undefined && !isGraceOver && execution.state === 'requested' && execution.sends === 0;
}

/** When the time for the call begins: at its turn, at the end of the grace, or unknown until its card stands. */
export function startsAt(operation: Operation): number | undefined {
  return operation.graceMs === undefined ? turnOf(operation) : operation.graceUntil;
}

/** From when on a person waits for it, and is not in line: since they asked, or their request had its turn. */
export function turnOf({ turnAt, requestedAt }: Pick<NewOperation, 'turnAt' | 'requestedAt'>): number {
  return turnAt ?? requestedAt;
}

/** Whether a call may leave: never before its asker can see the operation, nor before a grace has begun. */
export function mayLeave(operation: Operation): boolean {
  if (operation.graceMs !== undefined) return operation.graceUntil !== undefined;
  return operation.execution.sends > 0 || isShown(operation);
}

/** A first call that has not left by then never does. */
export function sendDeadline(operation: Operation, timings: Timings): number {
  const { line, requestedAt } = operation;
  const since = startsAt(operation) ?? requestedAt;
  // A person who waits in line knows that it waits, and can cancel it.
  return line ? Math.max(line.since, since) + timings.lineWithinMs : since + timings.acceptWithinMs;
}

/** Whether it waits for the hosting service's budget, and nothing was asked of the service. */
export function isInLine({ line, execution }: Operation): boolean {
  return line !== undefined && execution.state === 'requested' && execution.sends === 0;
}

/** The card stands: from now on it can be cancelled. */
export function graceBegun(operation: Operation, now: number): Operation {
  const { graceMs } = operation;
  if (graceMs === undefined || operation.graceUntil !== undefined || !isInGrace(operation)) return operation;
  const graceUntil = now + graceMs;
  return { ...operation, graceUntil, execution: { ...operation.execution, nextAt: graceUntil } };
}

/** What is left of it at `now`, in ms: all of it until its card stands. */
function graceLeftMs({ graceMs = 0, graceUntil }: Operation, now: number): number {
  return graceUntil === undefined ? graceMs : Math.max(0, graceUntil - now);
}

/** The same in steps that are read at a glance and never promise too much: what lists it is not new every second. */
export function graceLeftRoughlyMs(operation: Operation, now: number): number {
  const leftMs = graceLeftMs(operation, now);
  const minutes = Math.floor(leftMs / MINUTE_MS) * MINUTE_MS;
  return Math.max(minutes, ...LISTED_MS.filter((ms) => ms <= leftMs));
}

/** How long an operation has taken at `at`, in ms; a grace and a line are no work, and what was cancelled there took none. */
export function tookOf(operation: Operation, at: number): number {
  const { line, execution } = operation;
  const begun = line ? execution.sentAt : startsAt(operation);
  return Math.max(0, at - (begun ?? at));
}
