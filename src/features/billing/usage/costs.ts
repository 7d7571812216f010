import { Refusal } from '../../../core/refusal.ts';
import type { HostingService } from '../../../platform/hosting/service.ts';
import { USAGE_NOT_OFFERED } from '../balance/offered.ts';

/**
 * What each instance costs a day, by its id; nothing where the service does not offer it: some say it of the instance
 * itself. Throws HostingError.
 */
export async function costsOf(
  hosting: HostingService,
): Promise<ReadonlyMap<string | undefined, string | undefined>> {
  try {
    const { instances } = await hosting.getUsage();
    return new Map(instances.map(({ id, dailyCredits }) => [id, dailyCredits]));
  } catch (error) {
    if (error instanceof Refusal && error.code === USAGE_NOT_OFFERED) return new Map();
    throw error;
  }
}
