import { maySendAgain } from '../../core/changes/judge.ts';
import type { Forcible, Instance, Power, Status } from '../../platform/hosting/service.ts';
import type { Judgment } from '../../core/operations/kind.ts';
import type { Operation, Outcome, ObservedState } from '../../core/operations/operation.ts';
import type { Timings } from '../../core/timings.ts';
import type { OutcomeCode } from '../../core/outcome-words.ts';

/** What each power action ends in. */
const TARGETS: Readonly<Record<Power, Status>> = {
  start: 'running',
  stop: 'stopped',
  restart: 'running',
};
/** Statuses on the way there. */
const WAYS: Readonly<Record<Power, readonly string[]>> = {
  start: ['starting', 'provisioning', 'deploying'],
  stop: ['stopping'],
  restart: ['restarting'],
};
/** From which status each is possible where the service doesn't say. */
const SOURCES: Readonly<Record<Power, readonly string[]>> = {
  start: ['stopped'],
  stop: ['running'],
  restart: ['running'],
};
/** Statuses in which the service does something else with an instance, which ends by itself. */
const BUSY: readonly string[] = ['resizing', 'migrating', 'rebuilding'];
/** Statuses in which it starts or stops, and may come to no end. */
const MAY_HANG: readonly string[] = ['starting', 'stopping', 'restarting'];
/** Statuses between two settled ones. */
const ON_THE_WAY: readonly string[] = [...MAY_HANG, ...BUSY, 'provisioning', 'deploying'];

/** Whether an instance is already what a power action ends in. Pure. */
export function isAsWanted(power: Power, { status }: Pick<Instance, 'status'>): boolean {
  return status === TARGETS[power];
}

/** Why an instance can't be started, stopped or restarted now; undefined when it can. */
export type PowerRefusal =
  | 'already'
  | 'on-the-way'
  | 'paused'
  | 'needs-owner'
  | 'deleting'
  | 'broken'
  | 'locked'
  | 'unknown-status'
  | 'not-possible';

/** Whether `power` is possible: what the service says wins over our table. */
export function refusePower(power: Power, instance: Instance): PowerRefusal | undefined {
  const { status, can } = instance;
  if (can[power] === true) return undefined;
  if (can[power] === undefined && SOURCES[power].includes(status)) return undefined;
  if (power !== 'restart' && isAsWanted(power, instance)) return 'already';
  if (status === 'paused') return 'paused';
  if (status === 'pending_configuration') return 'needs-owner';
  if (status === 'deleting' || status === 'deleted') return 'deleting';
  if (ON_THE_WAY.includes(status)) return 'on-the-way';
  if (status === 'error' || status === 'deploy_failed') return 'broken';
  if (instance.isLocked) return 'locked';
  return status === 'unknown' ? 'unknown-status' : 'not-possible';
}

/** Whether it can be forced: also while it starts or stops and comes to no end. */
export function refuseForce(power: Forcible, instance: Instance): PowerRefusal | undefined {
  const refusal = refusePower(power, instance);
  const isStuck = MAY_HANG.includes(instance.status) && instance.can[power] === undefined;
  return isStuck ? undefined : refusal;
}

/**
 * What a poll means for a power action that was accepted, or whose answer is lost. Pure.
 * A restart can't be confirmed by the status alone: only a sign on the way can, or the service's own action that ended,
 * see docs/decisions/0005-a-lost-restart-stays-unknown.md.
 */
export function judgePower(
  power: Power,
  operation: Operation,
  observed: ObservedState,
  now: number,
  timings: Timings,
): Judgment {
  const { execution } = operation;
  const since = execution.acceptedAt ?? execution.sentAt ?? operation.requestedAt;
  const ageMs = now - since;
  const end = (result: Outcome['result'], code: OutcomeCode): Judgment => ({
    next: 'end',
    outcome: { result, code },
  });
  const pollAgain = (): Judgment => {
    if (ageMs > timings.patienceMs)
      return end(observed.status === 'unknown' ? 'unknown' : 'failed', 'no-end');
    return { next: 'poll', slow: ageMs > Math.max(operation.longMs ?? 0, timings.slowAfterMs) };
  };

  if (observed.status === 'gone' || observed.status === 'deleting' || observed.status === 'deleted')
    return end('failed', 'gone');
  // The list may lag behind the answer: for a moment it shows what was before.
  const mayLag = execution.state === 'accepted' && observed.status === operation.subject.status;
  if (mayLag && ageMs < timings.staleMs && observed.status !== TARGETS[power]) return { next: 'poll' };
  if (observed.status === 'paused') return end('failed', 'paused');
  if (observed.status === 'error' || observed.status === 'deploy_failed') {
    // It may have been broken before, and the lost call never have arrived.
    if (
      execution.state === 'unknown' &&
      operation.subject.status === observed.status &&
      !execution.hasProgressed
    ) {
      return judgeUnchanged(power, operation, now, timings, pollAgain, end);
    }
    return end('failed', 'broken');
  }
  if (power === 'restart') return judgeRestart(operation, observed, ageMs, timings, pollAgain, end);
  if (observed.status === TARGETS[power]) {
    const isAccepted = execution.state === 'accepted';
    if (operation.subject.status !== observed.status || execution.hasProgressed)
      return end('done', isAccepted ? 'done' : 'found-done');
    // It was so before the call, and nothing shows that the call did anything.
    if (isAccepted) return end('asked', 'accepted');
    return now - (execution.sentAt ?? 0) < timings.settleMs ? { next: 'poll' } : end('unknown', 'as-before');
  }
  const isMoving = WAYS[power].includes(observed.status) || BUSY.includes(observed.status);
  if (isMoving || execution.hasProgressed || execution.state === 'accepted') return pollAgain();
  return judgeUnchanged(power, operation, now, timings, pollAgain, end);
}

type End = (result: Outcome['result'], code: OutcomeCode) => Judgment;

function judgeRestart(
  operation: Operation,
  observed: ObservedState,
  ageMs: number,
  timings: Timings,
  pollAgain: () => Judgment,
  end: End,
): Judgment {
  const { execution } = operation;
  const isUp = observed.status === 'running';
  const isWell = observed.health !== 'unhealthy';
  if (observed.action?.state === 'running') return pollAgain();
  if (observed.action?.state === 'done') return isUp && isWell ? end('done', 'done') : pollAgain();
  // Twice, because one poll may lag behind the answer; after a while one is enough.
  const isSure = execution.polls >= 2 || ageMs >= 3 * timings.pollEveryMs;
  if (isUp && execution.hasProgressed && isWell && isSure)
    return end('done', execution.state === 'accepted' ? 'done' : 'found-done');
  if (!isUp || execution.hasProgressed) return pollAgain();
  if (execution.state === 'accepted') {
    return ageMs >= timings.staleMs && execution.polls >= 2 ? end('asked', 'accepted') : { next: 'poll' };
  }
  // No answer told, and no poll shows it: it is never asked again.
  if (ageMs < timings.settleMs) return { next: 'poll' };
  return observed.begun === 'none' ? end('failed', 'not-begun') : end('unknown', 'no-answer');
}

/** No answer told and nothing has moved: start and stop name a target, so they may be asked again. */
function judgeUnchanged(
  power: Power,
  operation: Operation,
  now: number,
  timings: Timings,
  pollAgain: () => Judgment,
  end: End,
): Judgment {
  const { execution } = operation;
  if (now - (execution.sentAt ?? 0) < timings.settleMs) return pollAgain();
  if (power === 'restart') return end('unknown', 'no-answer');
  return maySendAgain(operation, now, timings) ? { next: 'send' } : end('unknown', 'no-answer');
}

/**
 * Which power action is worth offering after one that failed or whose end is unknown; undefined where none is possible.
 * Pure.
 */
export function nextPower(power: Power, { execution }: Operation, outcome: Outcome): Power | undefined {
  const status = execution.lastState?.status;
  if (outcome.code === 'gone' || status === 'gone' || status === 'deleting' || status === 'deleted')
    return undefined;
  if (status !== undefined && ON_THE_WAY.includes(status)) return undefined;
  return power === 'restart' && status === 'stopped' ? 'start' : power;
}

/** What an answer "wrong state" means, with the state that was read after it, if it could be. Pure. */
export function judgeRefusedPower(
  power: Power,
  operation: Operation,
  observed: ObservedState | undefined,
  said: string | undefined,
): Omit<Outcome, 'at'> | 'under way' {
  if (observed?.status === 'gone') return { result: 'failed', code: 'gone' };
  const askedBefore = operation.execution.sends > 1;
  if (power !== 'restart' && observed?.status === TARGETS[power]) {
    if (!askedBefore) return { result: 'done', code: 'already' };
    const hasChanged = operation.subject.status !== observed.status || operation.execution.hasProgressed;
    // Asked more than once: the first call did it after all, if anything shows that.
    return hasChanged ? { result: 'done', code: 'found-done' } : { result: 'unknown', code: 'as-before' };
  }
  if (askedBefore && observed && WAYS[power].includes(observed.status)) return 'under way';
  // The call before may still do it, whatever is said to this one.
  if (askedBefore && observed?.status !== 'paused')
    return { result: 'unknown', code: 'no-answer', ...(said ? { said } : {}) };
  return {
    result: 'failed',
    code: observed?.status === 'paused' ? 'paused' : 'wrong-state',
    ...(said ? { said } : {}),
  };
}
