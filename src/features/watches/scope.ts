import { parseFilters, partsOf, toldBy } from '../../core/instances/filter.ts';
import type { Sight } from '../../core/lookup/sight.ts';
import type { Access } from '../../core/policy/access.ts';
import type { PolicyTarget } from '../../core/policy/pattern.ts';
import { areFiltersWithin } from '../../core/policy/narrow.ts';
import type { Actor } from '../../platform/slack/ids.ts';
import type { Instance } from '../../platform/hosting/service.ts';
import type { Watch } from './watch.ts';

/** Fields that say which instances are meant. A label may be given and taken away: what has it is read again at each look. */
export const WATCHED_FIELDS: readonly string[] = ['name', 'tier', 'region', 'label'];

/** Whether an instance is one of those that a watch names; `untold` where the service doesn't say of it what would decide that. */
export type Membership = (instance: Instance) => 'in' | 'out' | 'untold';

/** Which instances a watch names, no matter who may see them. `now`: Unix ms. Pure. */
export function membershipOf(
  { filters, instances }: Pick<Watch, 'filters' | 'instances'>,
  now: number,
): Membership {
  const ids = new Set(instances.map(({ id }) => id));
  if (ids.size > 0) return ({ id }) => (ids.has(id) ? 'in' : 'out');
  const parts = filters.map((word) => ({
    passes: parseFilters([word], now),
    told: toldBy(partsOf(word).field),
  }));
  return (instance) => {
    const undecided = parts.filter(({ passes }) => !passes(instance));
    if (undecided.length === 0) return 'in';
    return undecided.every(({ told }) => told && told(instance) === undefined) ? 'untold' : 'out';
  };
}

/** Whether somebody may end or set a watch: it is about nothing but instances that they may watch. */
export async function mayManage(
  access: Pick<Access, 'within' | 'which'>,
  actor: Actor,
  channelId: string,
  { filters, instances }: Pick<Watch, 'filters' | 'instances'>,
): Promise<boolean> {
  const [may, within] = await Promise.all([
    access.which(actor, 'instances:watch', channelId),
    access.within(actor, 'instances:watch', channelId),
  ]);
  return instances.length > 0
    ? instances.every(may)
    : areFiltersWithin(filters, (on) => within({ on, in: [channelId] }) !== undefined);
}

/** A watch as far as somebody may know of it; undefined where that is nothing. */
export function asKnown(watch: Watch, actor: Actor, { maySee, mayKnow }: Sight): Watch | undefined {
  const { filters, instances, setBy } = watch;
  if (setBy.userId === actor.userId) return watch;
  if (instances.length === 0) return mayKnow({ words: filters, savedBy: setBy.userId }) ? watch : undefined;
  const theirs = instances.filter(maySee);
  return theirs.length === 0 ? undefined : { ...watch, instances: theirs };
}

/**
 * What a watch may show in its channel: what the person who set it may see and watch there at this moment. `no`: nothing any more;
 * `unknown` where nobody can tell just now.
 */
export async function mayShow(
  access: Pick<Access, 'check' | 'decisions'>,
  { setBy, channelId }: Pick<Watch, 'setBy' | 'channelId'>,
): Promise<((target: PolicyTarget) => boolean | 'unknown') | 'no' | 'unknown'> {
  const both = ['instances:read', 'instances:watch'] as const;
  for (const permission of both) {
    const any = await access.check(setBy, permission, 'any', { channelId });
    if (!any.allowed) return any.reason === 'not checked' ? 'unknown' : 'no';
  }
  const decisions = await Promise.all(both.map((one) => access.decisions(setBy, one, { channelId })));
  return (target) => {
    const no = decisions.map((decisionOf) => decisionOf(target)).find(({ allowed }) => !allowed);
    if (!no || no.allowed) return true;
    return no.reason === 'not checked' ? 'unknown' : false;
  };
}
