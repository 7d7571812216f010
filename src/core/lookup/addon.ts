import type {
  Addon,
  HostingService,
  Incomplete,
  Instance,
  ReadOptions,
} from '../../platform/hosting/service.ts';
import { plain } from '../../platform/slack/phrase.ts';

/** Every add-on that the service lists. `canChange`: false where it has no add-on endpoints, and they are read from usage. */
export interface AddonList {
  readonly addons: readonly Addon[];
  readonly canChange: boolean;
  readonly incomplete?: Incomplete;
}

/**
 * The add-ons, or what usage reports of them where the service has no such endpoint. `options`: how old they may be;
 * without, the add-ons are read now. Throws HostingError.
 */
export async function readAddons(
  hosting: Pick<HostingService, 'listAddons' | 'getUsage'>,
  options?: ReadOptions,
): Promise<AddonList> {
  const list = await hosting.listAddons(options);
  if (list) return { ...list, canChange: true };
  const usage = await hosting.getUsage(options);
  return {
    canChange: false,
    addons: usage.addons.map((addon) => ({ ...addon, id: addon.id ?? '', type: addon.type ?? '(no type)' })),
  };
}

/** What an add-on is doing: `over` is what no longer runs or costs and stays listed at some services. */
export type AddonState = 'active' | 'on the way' | 'asleep' | 'suspended' | 'over' | 'unknown';

const WORDS: readonly { readonly state: AddonState; readonly words: readonly string[] }[] = [
  { state: 'active', words: ['active', 'running', 'enabled', 'ready', 'available', 'ok'] },
  {
    state: 'on the way',
    words: ['pending', 'provisioning', 'creating', 'starting', 'removing', 'deleting', 'canceling'],
  },
  { state: 'asleep', words: ['hibernating', 'hibernated', 'sleeping', 'paused', 'stopped', 'disabled'] },
  { state: 'suspended', words: ['suspended', 'past_due', 'locked', 'over_limit'] },
  { state: 'over', words: ['canceled', 'cancelled', 'deleted', 'removed', 'expired', 'ended', 'inactive'] },
];

/** What an add-on is doing, by the service's word. A service that names no status lists only what is active. */
export function addonState({ status }: Pick<Addon, 'status'>): AddonState {
  if (status === undefined || status.trim() === '') return 'active';
  const word = status.toLowerCase().replaceAll(/[\s-]+/g, '_');
  return WORDS.find(({ words }) => words.includes(word))?.state ?? 'unknown';
}

/** Whether it is still there to be removed, whatever it is doing: an unknown status doesn't mean that it is over. */
export function isAttached(addon: Pick<Addon, 'status'>): boolean {
  return addonState(addon) !== 'over';
}

/** Whether more of an add-on is used than it allows. */
export function isOverLimit({ used = 0, limit }: Pick<Addon, 'used' | 'limit'>): boolean {
  return limit !== undefined && used > 0 && used > limit;
}

/** Whether an add-on is listed as one of an instance's. Usage may name its instance by name alone. */
export function isOf(
  addon: Pick<Addon, 'instanceId' | 'instanceName'>,
  instance: Pick<Instance, 'id' | 'name'>,
): boolean {
  return addon.instanceId === undefined
    ? addon.instanceName === instance.name
    : addon.instanceId === instance.id;
}

/** Whether an add-on is attached to an instance. */
export function isOn(addon: Addon, instance: Pick<Instance, 'id' | 'name'>): boolean {
  return isOf(addon, instance) && isAttached(addon);
}

/** "backup", or "llm (standard)". */
export function addonName({ type, tier }: Pick<Addon, 'type' | 'tier'>): string {
  return tier === undefined ? plain(type, 60) : `${plain(type, 60)} (${plain(tier, 40)})`;
}
