import { parseFilters } from '../../core/lookup/filter.ts';
import type { Access } from '../../core/policy/access.ts';
import type { Target } from '../../core/policy/grant.ts';
import type { Instance } from '../../platform/hosting/service.ts';
import type { Watch } from './watch.ts';

/** Whether an instance is one of those that a watch names, no matter who may see it. `now`: Unix ms. Pure. */
export function isNamedBy(
  { filters, instances }: Pick<Watch, 'filters' | 'instances'>,
  now: number,
): (instance: Instance) => boolean {
  const passes = parseFilters(filters, now);
  const ids = new Set(instances.map(({ id }) => id));
  return (instance) => (ids.size > 0 ? ids.has(instance.id) : passes(instance));
}

/**
 * What a watch may show in its channel: what the person who set it may see there at this moment. `no`: nothing any more;
 * `unknown` where nobody can tell just now.
 */
export async function mayShow(
  access: Pick<Access, 'check' | 'decisions'>,
  { setBy, channelId }: Pick<Watch, 'setBy' | 'channelId'>,
): Promise<((target: Target) => boolean | 'unknown') | 'no' | 'unknown'> {
  const any = await access.check(setBy, 'instances:read', { channelId });
  if (!any.allowed) return any.reason === 'not checked' ? 'unknown' : 'no';
  const decisionOf = await access.decisions(setBy, 'instances:read', { channelId });
  return (target) => {
    const decision = decisionOf(target);
    if (decision.allowed) return true;
    return decision.reason === 'not checked' ? 'unknown' : false;
  };
}
