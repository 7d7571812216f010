import { isId } from '../../platform/hosting/address.ts';
import type { HostingService, Incomplete, Instance, InstanceList } from '../../platform/hosting/service.ts';
import type { Found } from './find.ts';

/** A name read a second ago serves as well: what is asked then goes to the id, and a re-created name has another. */
const FRESH_MS = 1_000;

/**
 * What `find` finds of `typed` in the list. That there is none is said of a list read now, for it may be new; where that
 * is incomplete, what was typed may be the id of one that is not in it.
 */
export async function findInList(
  hosting: HostingService,
  typed: string,
  find: (instances: readonly Instance[]) => Found,
): Promise<{ found: Found; instances: readonly Instance[]; incomplete: Incomplete | undefined }> {
  const { instances, incomplete } = await hosting.listInstances({ freshMs: FRESH_MS });
  const found = find(instances);
  if (found.found !== 'none') return { found, instances, incomplete };
  const now = await hosting.listInstances({ freshMs: 0 });
  const outside = await findOutside(hosting, typed, now);
  return {
    found: outside ? { found: 'one', instance: outside } : find(now.instances),
    instances: now.instances,
    incomplete: now.incomplete,
  };
}

/** The instance of that id which a list that is incomplete doesn't have. */
export async function findOutside(
  hosting: HostingService,
  typed: string,
  { instances, incomplete }: InstanceList,
): Promise<Instance | undefined> {
  if (!incomplete || !isId(typed) || instances.some(({ id }) => id === typed)) return undefined;
  return hosting.findInstance(typed);
}
