import { moveTo, settleInstances, type Account } from './account.ts';
import { isAttached, type Addon } from './addon.ts';
import { sumOf } from './exact-sum.ts';
import { isCharged, type Instance } from './instance.ts';
import type { Entry } from './ledger.ts';

const dayMs = 86_400_000;

/** The midnight (UTC) at or before a time. */
export function midnightBefore(at: number): number {
  return Math.floor(at / dayMs) * dayMs;
}

/** Brings an account up to `now`: the steps that are due, and a charge for each midnight that has passed. */
export function settle(account: Account, now: number): void {
  for (let midnight = account.chargedThrough + dayMs; midnight <= now; midnight += dayMs) {
    settleInstances(account, midnight);
    chargeDay(account, midnight);
    account.chargedThrough = midnight;
  }
  settleInstances(account, now);
}

/** The add-ons of one instance that cost. */
export function addonsOf(account: Pick<Account, 'addons'>, instance: Instance): readonly Addon[] {
  return [...account.addons.values()].filter(
    (addon) => addon.instanceId === instance.id && isAttached(addon),
  );
}

/** What one day of an instance and its add-ons puts into the ledger. */
export function dayEntries(
  account: Pick<Account, 'addons'>,
  instance: Instance,
  at: number,
): readonly Entry[] {
  const own: Entry = {
    type: 'daily_charge',
    amount: -instance.dailyCredits,
    description: `Daily charge: ${instance.name} (${instance.tier})`,
    instanceId: instance.id,
    at,
  };
  const addons = addonsOf(account, instance).map((addon): Entry => ({
    type: 'addon_charge',
    amount: -addon.dailyCredits,
    description: `Add-on ${addon.type}: ${instance.name}`,
    instanceId: instance.id,
    at,
  }));
  return [own, ...addons];
}

/** Pauses everything that costs credits, because there are none left. */
export function pauseAll(account: Account, at: number): void {
  for (const instance of account.instances.values()) {
    if (isCharged(instance)) pause(account, instance, at);
  }
}

/**
 * Puts one day of all that costs into the ledger. An instance that can't be paid for is paused and costs nothing, so that
 * charges never take a balance below zero.
 */
export function chargeDay(account: Account, at: number): void {
  for (const instance of account.instances.values()) {
    if (!isCharged(instance)) continue;
    const entries = dayEntries(account, instance, at);
    const cost = -sumOf(entries.map((entry) => entry.amount));
    if (cost > account.ledger.balance()) pause(account, instance, at);
    else entries.forEach((entry) => account.ledger.add(entry));
  }
  if (account.ledger.balance() <= 0) pauseAll(account, at);
}

function pause(account: Account, instance: Instance, at: number): void {
  instance.plan = [];
  moveTo(account, instance, 'paused', at);
}
