import type { Addon, HostingService, Incomplete, Instance } from '../hosting/service.ts';
import type { AddonRef } from '../operations/operation.ts';
import { plain } from '../slack/phrase.ts';

/** Every add-on the service tells of. `canChange`: false where it has no add-on endpoints, and usage told of them. */
export interface AddonList {
  readonly addons: readonly Addon[];
  readonly canChange: boolean;
  readonly incomplete?: Incomplete;
}

/** The add-ons, or what usage reports of them where the service has no such endpoint. Throws HostingError. */
export async function readAddons(hosting: HostingService): Promise<AddonList> {
  const list = await hosting.listAddons();
  if (list) return { ...list, canChange: true };
  const usage = await hosting.getUsage();
  return {
    canChange: false,
    addons: usage.addons.map((addon) => ({ ...addon, id: addon.id ?? '', type: addon.type ?? '(no type)' })),
  };
}

/** What no longer runs or costs stays listed at some services. */
const OVER = new Set(['canceled', 'cancelled', 'deleted', 'removed', 'expired', 'ended', 'inactive']);

/** Whether an add-on still does its work. A service that names no status lists only those that do. */
export function isActive(addon: Addon): boolean {
  return addon.status === undefined || !OVER.has(addon.status.toLowerCase());
}

/** Whether an add-on is attached to an instance and active. Usage may name its instance by name alone. */
export function isOn(addon: Addon, instance: Pick<Instance, 'id' | 'name'>): boolean {
  const isIts =
    addon.instanceId === undefined ? addon.instanceName === instance.name : addon.instanceId === instance.id;
  return isIts && isActive(addon);
}

/** "backup", or "llm (standard)". */
export function addonName({ type, tier }: Pick<AddonRef, 'type' | 'tier'>): string {
  return tier === undefined ? plain(type, 60) : `${plain(type, 60)} (${plain(tier, 40)})`;
}
