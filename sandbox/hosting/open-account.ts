import type { WorldAddon, WorldCustomer } from '../world.ts';
import type { Account, StatusChange } from './account.ts';
import { findOffer, type Addon } from './addon.ts';
import { dayEntries, midnightBefore } from './charging.ts';
import { createInstance } from './instance.ts';
import { createLedger, type Entry } from './ledger.ts';
import { isCharged } from './status.ts';

const dayMs = 86_400_000;

/** What numbers new records: one sequence for all accounts, so that an id is never somebody else's too. */
export interface Ids {
  transaction(): number;
  addon(): number;
}

/** Opens a described customer's account, with a history that ends in exactly the described balance. */
export function openAccount(
  customer: WorldCustomer,
  now: number,
  ids: Ids,
  announce: (change: StatusChange) => void,
): Account {
  const account: Account = {
    name: customer.name,
    apiKey: customer.apiKey,
    subscriptionTier: customer.subscriptionTier,
    instances: new Map(customer.instances.map((each) => [each.id, createInstance(each, now)])),
    addons: new Map(),
    ledger: createLedger(() => ids.transaction()),
    chargedThrough: midnightBefore(now),
    announce,
  };
  for (const each of customer.addons) {
    const addon = createAddon(each, now, ids.addon());
    account.addons.set(addon.id, addon);
  }
  writeHistory(account, customer, now);
  return account;
}

// The opening purchase is what makes opening + credits - usage come out at the described balance.
function writeHistory(account: Account, customer: WorldCustomer, now: number): void {
  const first = account.chargedThrough - (customer.historyDays - 1) * dayMs;
  const entries: Entry[] = customer.topUps.map(({ credits, daysAgo }) =>
    purchase(credits, now - daysAgo * dayMs),
  );
  for (let midnight = first; midnight <= account.chargedThrough; midnight += dayMs) {
    for (const instance of account.instances.values()) {
      if (!isCharged(instance.status) || instance.createdAt > midnight) continue;
      entries.push(...dayEntries(account, instance, midnight));
    }
  }
  entries.sort((one, other) => one.at - other.at);
  const opening = customer.balanceCredits - entries.reduce((sum, entry) => sum + entry.amount, 0);
  const openedAt = Math.min(first, entries[0]?.at ?? first, now) - 3_600_000;
  if (opening !== 0) account.ledger.add(purchase(opening, openedAt));
  for (const entry of entries) {
    account.ledger.add(entry);
    if (account.ledger.balance() < 0) {
      throw new Error(`world: ${customer.name} would have been out of credit before today`);
    }
  }
}

function purchase(credits: number, at: number): Entry {
  return { type: 'purchase', amount: credits, description: 'Credit package', instanceId: null, at };
}

// What the catalogue doesn't have is described in full: a service may list what it no longer sells.
function createAddon(described: WorldAddon, now: number, nextId: number): Addon {
  const { type, tier = null, instanceId, currentUsage = 0, status = 'active' } = described;
  const offer = findOffer(type, tier);
  const isOffered = typeof offer !== 'string';
  if (!isOffered && described.dailyCredits === undefined)
    throw new Error(`world: no add-on ${[type, tier ?? []].flat().join(' ')}, and no price for one`);
  const usageLimit = isOffered ? offer.usageLimit : null;
  return {
    id: described.id ?? nextId,
    type,
    tier: isOffered ? offer.tier : tier,
    instanceId,
    dailyCredits: described.dailyCredits ?? (isOffered ? offer.dailyCredits : 0),
    currentUsage,
    usageLimit: described.usageLimit === undefined ? usageLimit : described.usageLimit,
    createdAt: now - 30 * dayMs,
    status,
  };
}
