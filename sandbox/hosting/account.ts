import type { Addon } from './addon.ts';
import type { Fault } from './behavior.ts';
import { recreated, type Instance, type Step } from './instance.ts';
import type { Ledger } from './ledger.ts';
import type { Status } from './status.ts';

/** One change of one instance's status, reported when it is noticed (steps are taken when somebody looks). */
export interface StatusChange {
  readonly instanceId: number;
  readonly from: Status;
  readonly to: Status | 'gone';
  readonly at: number;
}

/** A customer and everything that is theirs. */
export interface Account {
  readonly name: string;
  apiKey: string;
  readonly subscriptionTier: string;
  readonly subscriptionStatus: string;
  readonly instances: Map<number, Instance>;
  readonly addons: Map<number, Addon>;
  readonly ledger: Ledger;
  /** Whether the paths about money are there. */
  readonly hasBilling: boolean;
  /** How reading the balance goes wrong, while it does. */
  balanceFault: Fault | undefined;
  /** The last midnight (UTC, Unix milliseconds) that has been charged. */
  chargedThrough: number;
  readonly announce: (change: StatusChange) => void;
}

/** Moves an instance to a status; `gone` removes it with its add-ons, as a deletion does. */
export function moveTo(account: Account, instance: Instance, to: Status | 'gone', at: number): void {
  const from = instance.status;
  if (to === 'gone') {
    account.instances.delete(instance.id);
    for (const addon of account.addons.values()) {
      if (addon.instanceId === instance.id) account.addons.delete(addon.id);
    }
  } else {
    instance.status = to;
    if (to === 'running') instance.provisionedAt ??= at;
  }
  if (from !== to) account.announce({ instanceId: instance.id, from, to, at });
}

/** Puts another of the same description in place of an instance, under a new id, created at that time. */
export function recreate(account: Account, instance: Instance, newId: number, at: number): void {
  instance.plan = [];
  moveTo(account, instance, 'gone', at);
  account.instances.set(newId, recreated(instance, newId, at));
}

function isDue(step: Step | undefined, now: number): step is Step {
  return step !== undefined && step.at <= now && step.isShownFirst !== true;
}

/** Takes every planned step whose time has come. */
export function settleInstances(account: Account, now: number): void {
  for (const instance of account.instances.values()) {
    for (let step = instance.plan[0]; isDue(step, now); step = instance.plan[0]) {
      instance.plan = instance.plan.slice(1);
      const newId = instance.status === 'deleting' ? instance.behavior.comesBackAs : undefined;
      if (step.status === 'gone' && newId !== undefined) recreate(account, instance, newId, step.at);
      else moveTo(account, instance, step.status, step.at);
    }
  }
}
