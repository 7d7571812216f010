import { Refusal, unlessAway } from '../../../core/refusal.ts';
import { isOf } from '../../../core/lookup/addon.ts';
import { compare, parseAmount, ZERO } from '../../../core/money/amount.ts';
import type { HostingService, Instance, Usage } from '../../../platform/hosting/service.ts';
import { USAGE_NOT_OFFERED } from '../balance/offered.ts';

/** What each instance costs a day, by its id; nothing where the service does not offer it: some say it of the instance itself. */
type Costs = ReadonlyMap<string | undefined, string | undefined>;

/** What each instance costs a day, by usage that was read. Pure. */
export function costsIn({ instances }: Pick<Usage, 'instances'>): Costs {
  return new Map(instances.map(({ id, dailyCredits }) => [id, dailyCredits]));
}

/** What those that don't run would cost stands in their details alone: so many are read. */
const MAX_DETAILS = 20;

/** What each of these costs a day while it runs, by its id, as far as the service says it. */
export async function runningCostsOf(
  hosting: HostingService,
  instances: readonly Instance[],
): Promise<ReadonlyMap<string, string | undefined>> {
  const unsaid = instances.filter(
    ({ status, dailyCostCredits }) => status !== 'running' && dailyCostCredits === undefined,
  );
  const read = await Promise.all(
    unsaid.slice(0, MAX_DETAILS).map(({ id }) => unlessAway(hosting.findInstance(id), undefined)),
  );
  return new Map(
    [...instances, ...read].flatMap((one) => (one ? [[one.id, one.dailyCostCredits] as const] : [])),
  );
}

/** Whether add-ons of one of these cost something: of what is stopped, they may cost nothing either. Pure. */
export function haveAddons(
  { addons }: Pick<Usage, 'addons'>,
  instances: readonly Pick<Instance, 'id' | 'name'>[],
): boolean {
  return addons.some(
    (addon) =>
      compare(parseAmount(addon.dailyCredits) ?? ZERO, ZERO) > 0 && instances.some((one) => isOf(addon, one)),
  );
}

/** How a cost is told that leaves them out. */
export const WITHOUT_ADDONS = ', not counting add-ons';

/** What costs; nothing where the service does not offer that. Throws HostingError. */
export async function usageOf(hosting: HostingService): Promise<Usage> {
  try {
    return await hosting.getUsage();
  } catch (error) {
    if (error instanceof Refusal && error.code === USAGE_NOT_OFFERED) return { instances: [], addons: [] };
    throw error;
  }
}
