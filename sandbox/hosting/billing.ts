import type { BalanceWire, UsageWire } from '../../src/platform/hosting/table/records.ts';
import type { Account } from './account.ts';
import { addonRecord } from './addon.ts';
import { addonsOf } from './charging.ts';
import { hundredthsOf, sumOf } from './exact-sum.ts';
import { isCharged } from './instance.ts';
import { costs } from './status.ts';

/** From how many days of credit on the service itself calls a balance low. */
const lowBalanceDays = 3;

/** The balance and what a day costs; days_remaining is null while nothing costs anything. */
export function billingSummary(account: Account): BalanceWire {
  const balance = account.ledger.balance();
  const daily = dailyTotal(account);
  const days = daily === 0 ? null : Math.floor(hundredthsOf(balance) / hundredthsOf(daily));
  const instances = [...account.instances.values()];
  return {
    claws_balance: balance,
    daily_claw_cost: daily,
    days_remaining: days,
    low_balance: balance <= 0 || (days !== null && days < lowBalanceDays),
    subscription_status: account.subscriptionStatus,
    subscription_tier: account.subscriptionTier,
    instances_count: instances.length,
    running_instances_count: instances.filter((each) => each.status === 'running').length,
  };
}

/** What each instance and add-on will cost at the next midnight if nothing changes; the total is their sum. */
export function usage(account: Account): UsageWire {
  const instances = [...account.instances.values()];
  return {
    daily_total: dailyTotal(account),
    instances: instances.map((each) => ({
      id: each.id,
      name: each.name,
      tier: each.tier,
      daily_claws: costs(each.status) ? each.dailyCredits : 0,
      status: each.status,
      billing_mode: each.billingMode,
    })),
    addons: instances.flatMap((each) =>
      addonsOf(account, each).map((addon) => ({
        id: addon.id,
        addon_type: addon.type,
        instance_name: each.name,
        // The contract has neither as null here: what an add-on lacks is left out.
        ...(addon.tier === null ? {} : { tier: addon.tier }),
        ...(addon.usageLimit === null ? {} : { usage_limit: addon.usageLimit }),
        current_usage: addon.currentUsage,
        daily_claws: isCharged(each) ? (addonRecord(addon, each.name).daily_claws ?? 0) : 0,
      })),
    ),
  };
}

function dailyTotal(account: Account): number {
  const charged = [...account.instances.values()].filter((each) => isCharged(each));
  return sumOf(
    charged.flatMap((each) => [
      each.dailyCredits,
      ...addonsOf(account, each).map((addon) => addon.dailyCredits),
    ]),
  );
}
