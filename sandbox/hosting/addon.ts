import type { AddonWire } from '../../src/platform/hosting/table/records.ts';
import { isoTime } from './instance.ts';

/** Something extra attached to an instance. A canceled one stays listed, at no cost. */
export interface Addon {
  readonly id: number;
  readonly type: string;
  readonly tier: string | null;
  readonly instanceId: number;
  readonly dailyCredits: number;
  readonly currentUsage: number;
  readonly usageLimit: number | null;
  readonly createdAt: number;
  /** `active`, `canceled`, or a word that the contract doesn't know either. */
  status: string;
}

/** What can be bought: the tiers of each type (the first is the default), or null where it has none. */
const catalog: Readonly<Record<string, readonly OfferedAddon[]>> = {
  llm: [
    { tier: 'standard', dailyCredits: 45, usageLimit: 10_000 },
    { tier: 'premium', dailyCredits: 120, usageLimit: 50_000 },
  ],
  backup: [{ tier: null, dailyCredits: 12, usageLimit: null }],
  monitoring: [{ tier: null, dailyCredits: 8, usageLimit: null }],
  storage: [
    { tier: 'small', dailyCredits: 10, usageLimit: 50 },
    { tier: 'large', dailyCredits: 30, usageLimit: 500 },
  ],
};

interface OfferedAddon {
  readonly tier: string | null;
  readonly dailyCredits: number;
  readonly usageLimit: number | null;
}

/** The offer for a type and tier, or the name of the field that is wrong. */
export function findOffered(type: string, tier: string | null): OfferedAddon | 'addon_type' | 'tier' {
  const ofType = Object.hasOwn(catalog, type) ? catalog[type] : undefined;
  if (ofType === undefined) return 'addon_type';
  return ofType.find((offered) => tier === null || offered.tier === tier) ?? 'tier';
}

/** Whether an add-on costs credits while its instance does; what isn't canceled does. */
export function isAttached(addon: Addon): boolean {
  return addon.status !== 'canceled';
}

/** The record of an add-on under the contract's names. */
export function addonRecord(addon: Addon, instanceName: string): AddonWire {
  return {
    id: addon.id,
    addon_type: addon.type,
    instance_id: addon.instanceId,
    instance_name: instanceName,
    tier: addon.tier,
    status: addon.status,
    current_usage: addon.currentUsage,
    usage_limit: addon.usageLimit,
    daily_claws: isAttached(addon) ? addon.dailyCredits : 0,
    created_at: isoTime(addon.createdAt),
  };
}
