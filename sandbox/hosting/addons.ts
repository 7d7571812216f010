import type { Account } from './account.ts';
import { addonRecord, findOffered, isAttached, type Addon } from './addon.ts';
import type { Instance } from './instance.ts';
import { badFields, notFound, wrongState, type Outcome } from './outcome.ts';

/** Every add-on of the customer, the canceled ones too. */
export function listAddons(account: Account): Outcome {
  const items = [...account.addons.values()].map((each) => addonRecord(each, nameOf(account, each)));
  return { kind: 'list', of: 'addons', items };
}

/** Attaches an add-on; 422 with details for fields that make no sense. */
export function addAddon(
  account: Account,
  instance: Instance,
  body: unknown,
  id: number,
  now: number,
): Outcome {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    return badFields({ body: 'is not a JSON object' });
  }
  const type = 'addon_type' in body ? body.addon_type : undefined;
  const tier = 'tier' in body ? body.tier : null;
  if (typeof type !== 'string') return badFields({ addon_type: 'is required' });
  if (tier !== null && typeof tier !== 'string') return badFields({ tier: 'is not a string' });
  const offered = findOffered(type, tier);
  if (typeof offered === 'string') return badFields({ [offered]: 'is not known' });
  if (instance.status === 'deleting') return wrongState('Instance is being deleted');
  if ([...account.addons.values()].some((each) => isSame(each, instance.id, type))) {
    return badFields({ addon_type: 'is active already' });
  }
  const addon: Addon = {
    ...offered,
    id,
    type,
    instanceId: instance.id,
    currentUsage: 0,
    createdAt: now,
    status: 'active',
  };
  account.addons.set(id, addon);
  return { kind: 'one', of: 'addon', status: 201, record: addonRecord(addon, instance.name) };
}

/** Cancels an add-on; a second time is 422. */
export function cancelAddon(account: Account, id: number | null): Outcome {
  const addon = id === null ? undefined : account.addons.get(id);
  if (addon === undefined) return notFound('Add-on not found');
  if (addon.status === 'canceled') return wrongState('Add-on is canceled already');
  addon.status = 'canceled';
  return { kind: 'one', of: 'addon', status: 200, record: addonRecord(addon, nameOf(account, addon)) };
}

function isSame(addon: Addon, instanceId: number, type: string): boolean {
  return addon.instanceId === instanceId && addon.type === type && isAttached(addon);
}

// An add-on goes with its instance (account.ts), so the instance is always there.
function nameOf(account: Account, addon: Addon): string {
  return account.instances.get(addon.instanceId)?.name ?? '';
}
