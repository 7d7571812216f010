import type { WorldAddon, WorldCustomer } from '../world.ts';
import type { Account, StatusChange } from './account.ts';
import { findOffered, type Addon } from './addon.ts';
import { dayEntries, midnightBefore } from './charging.ts';
import { createInstance, isCharged } from './instance.ts';
import { sumOf } from './exact-sum.ts';
import { createLedger, type Entry, type Ledger } from './ledger.ts';
import { createPast } from './past.ts';

const dayMs = 86_400_000;

/** What numbers new records: one sequence for all accounts, so that an id is never somebody else's too. */
export interface Ids {
  transaction(): number;
  /** Sets so many aside that follow one another, and gives the first. */
  transactions(count: number): number;
  addon(): number;
}

/** Opens a described customer's account, with a history that ends in exactly the described balance. */
export function openAccount(
  customer: WorldCustomer,
  now: number,
  ids: Ids,
  announce: (change: StatusChange) => void,
): Account {
  const account: Omit<Account, 'ledger'> = {
    name: customer.name,
    apiKey: customer.apiKey,
    subscriptionTier: customer.subscriptionTier,
    subscriptionStatus: customer.subscriptionStatus ?? 'active',
    instances: new Map(customer.instances.map((each) => [each.id, createInstance(each, now)])),
    addons: new Map(),
    hasBilling: !customer.hasNoBilling,
    balanceFault: customer.balanceFault,
    chargedThrough: midnightBefore(now),
    announce,
  };
  for (const each of customer.addons) {
    const addon = createAddon(each, now, ids.addon());
    account.addons.set(addon.id, addon);
  }
  return { ...account, ledger: openLedger(account, customer, now, ids) };
}

// The opening is what makes opening + credits - usage come out at the described balance.
function openLedger(
  account: Omit<Account, 'ledger'>,
  customer: WorldCustomer,
  now: number,
  ids: Ids,
): Ledger {
  const { historyDays, balanceCredits, pastTransactions: length, pastEveryMs: everyMs } = customer;
  const first = account.chargedThrough - (historyDays - 1) * dayMs;
  const entries = historyOf(account, customer, first, now);
  const opening = sumOf([balanceCredits, ...entries.map((entry) => -entry.amount)]);
  const openedAt = Math.min(first, entries[0]?.at ?? first, now) - 3_600_000;
  const past =
    length === 0
      ? undefined
      : createPast({ length, closing: opening, firstId: ids.transactions(length), endAt: openedAt, everyMs });
  const ledger = createLedger(() => ids.transaction(), past);
  if (past === undefined && opening !== 0) ledger.add(purchase(opening, openedAt));
  for (const entry of entries) {
    ledger.add(entry);
    if (ledger.balance() < 0 && balanceCredits >= 0) {
      throw new Error(`world: ${customer.name} would have been out of credit before today`);
    }
  }
  return ledger;
}

/** What was bought, adjusted and charged since `first`, oldest first. */
function historyOf(
  account: Omit<Account, 'ledger'>,
  customer: WorldCustomer,
  first: number,
  now: number,
): readonly Entry[] {
  const entries: Entry[] = [
    ...customer.topUps.map(({ credits, daysAgo }) => purchase(credits, now - daysAgo * dayMs)),
    ...customer.adjustments.map(({ credits, daysAgo }) => adjustment(credits, now - daysAgo * dayMs)),
    ...customer.garbledCharges.map(({ credits, daysAgo }) => garbled(credits, now - daysAgo * dayMs)),
  ];
  for (let midnight = first; midnight <= account.chargedThrough; midnight += dayMs) {
    for (const instance of account.instances.values()) {
      if (!isCharged(instance) || instance.createdAt > midnight) continue;
      entries.push(...dayEntries(account, instance, midnight));
    }
  }
  return entries.toSorted((one, other) => one.at - other.at);
}

function purchase(credits: number, at: number): Entry {
  return { type: 'purchase', amount: credits, description: 'Credit package', instanceId: null, at };
}

/** A charge whose amount nobody can read. */
function garbled(credits: number, at: number): Entry {
  const written = 'about a hundred';
  return {
    type: 'addon_charge',
    amount: -credits,
    written,
    description: 'Add-on llm: by use',
    instanceId: null,
    at,
  };
}

/** What support puts right: more or less, and below zero too. */
export function adjustment(credits: number, at: number): Entry {
  return { type: 'adjustment', amount: credits, description: 'Adjustment by support', instanceId: null, at };
}

// What the catalog doesn't have is described in full: a service may list what it no longer sells.
function createAddon(described: WorldAddon, now: number, nextId: number): Addon {
  const { type, tier = null, instanceId, currentUsage = 0, status = 'active' } = described;
  const offered = findOffered(type, tier);
  const isOffered = typeof offered !== 'string';
  if (!isOffered && described.dailyCredits === undefined)
    throw new Error(`world: no add-on ${[type, tier ?? []].flat().join(' ')}, and no price for one`);
  const usageLimit = isOffered ? offered.usageLimit : null;
  return {
    id: described.id ?? nextId,
    type,
    tier: isOffered ? offered.tier : tier,
    instanceId,
    dailyCredits: described.dailyCredits ?? (isOffered ? offered.dailyCredits : 0),
    currentUsage,
    usageLimit: described.usageLimit === undefined ? usageLimit : described.usageLimit,
    createdAt: now - 30 * dayMs,
    status,
  };
}
