import { moveTo, type Account } from './account.ts';
import type { Ending } from './behavior.ts';
import { detailRecord, powerRecord, takes, type Instance, type Step } from './instance.ts';
import { wrongState, type Outcome } from './outcome.ts';
import { allows, type PowerAction, type Status } from './status.ts';

/** How long things take, in milliseconds, and whether the way there can be seen. */
export interface Pace {
  readonly style: 'transitional' | 'documented';
  readonly powerMs: Readonly<Record<PowerAction, number>>;
  /** Whether a restart ends only once it was shown after its time. */
  readonly restartsAreShown: boolean;
  readonly deleteMs: number;
  readonly provisionMs: number;
}

const roads: Readonly<Record<PowerAction, { via: Status; target: Status; done: string }>> = {
  start: { via: 'starting', target: 'running', done: 'started' },
  stop: { via: 'stopping', target: 'stopped', done: 'stopped' },
  restart: { via: 'restarting', target: 'running', done: 'restarted' },
};

/** Starts, stops or restarts an instance; 422 where its status doesn't allow it. */
export function powerInstance(
  account: Account,
  instance: Instance,
  action: PowerAction,
  pace: Pace,
  now: number,
): Outcome {
  const { via, target, done } = roads[action];
  if (!takes(instance, action)) {
    return wrongState(`Instance cannot be ${done} in its current state`);
  }
  if (action !== 'restart' && instance.status === target) {
    return { kind: 'changed', change: action, record: powerRecord(instance) };
  }
  const end = endOf(instance.behavior.endings?.[action] ?? 'as-asked', target);
  const atOnce = pace.style === 'documented' && end !== null;
  const endsAt = atOnce || end === 'gone' ? now : now + (instance.behavior.powerMs ?? pace.powerMs[action]);

  const isShownFirst = action === 'restart' && pace.restartsAreShown;
  // Who is gone has answered as if nothing were wrong: the 404 comes with the next look.
  const shown = end === 'gone' ? target : end;
  moveTo(account, instance, atOnce && shown !== null ? shown : via, now);
  instance.plan = end === null || instance.status === end ? [] : [{ at: endsAt, status: end, isShownFirst }];
  if (action === 'restart') instance.unhealthyUntil = endsAt;
  return { kind: 'changed', change: action, record: powerRecord(instance) };
}

/** Begins a deletion; 422 while one is under way and in the statuses that don't allow it. */
export function deleteInstance(account: Account, instance: Instance, pace: Pace, now: number): Outcome {
  if (!allows(instance.status, 'delete')) {
    return wrongState('Instance cannot be deleted in its current state');
  }
  moveTo(account, instance, 'deleting', now);
  instance.plan = [{ at: now + (instance.behavior.deleteMs ?? pace.deleteMs), status: 'gone' }];
  return { kind: 'changed', change: 'delete', record: detailRecord(instance, now) };
}

/** Wakes what was paused, after a top-up: provisioning, then deploying, then running. */
export function wakePaused(account: Account, pace: Pace, now: number): void {
  for (const instance of account.instances.values()) {
    if (instance.status !== 'paused') continue;
    moveTo(account, instance, 'provisioning', now);
    instance.plan = [
      { at: now + pace.provisionMs, status: 'deploying' },
      { at: now + 2 * pace.provisionMs, status: 'running' },
    ];
  }
}

function endOf(ending: Ending, target: Status): Step['status'] | null {
  if (ending === 'never') return null;
  return ending === 'as-asked' ? target : ending;
}
