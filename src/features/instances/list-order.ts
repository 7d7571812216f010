import { byName } from '../../core/instances/by-name.ts';
import type { Instance } from '../../platform/hosting/service.ts';

/** What needs somebody comes first, the worst first. */
const TROUBLE: readonly ((instance: Instance) => boolean)[] = [
  ({ status }) => status === 'error' || status === 'deploy_failed',
  ({ health }) => health === 'unhealthy',
  ({ status }) => status === 'paused',
  ({ status }) => status === 'unknown' || status === 'pending_configuration',
];

/** Instances in the order of a list: trouble first, then by name. Pure. */
export function inListOrder(instances: readonly Instance[]): readonly Instance[] {
  return instances
    .map((instance) => ({ instance, trouble: troubleOf(instance) }))
    .toSorted(
      (one, other) =>
        one.trouble - other.trouble ||
        byName(one.instance.name, other.instance.name) ||
        byName(one.instance.id, other.instance.id),
    )
    .map(({ instance }) => instance);
}

/** Whether somebody has to look at it. */
export function isInTrouble(instance: Instance): boolean {
  return troubleOf(instance) < TROUBLE.length;
}

function troubleOf(instance: Instance): number {
  const found = TROUBLE.findIndex((isSo) => isSo(instance));
  return found < 0 ? TROUBLE.length : found;
}
