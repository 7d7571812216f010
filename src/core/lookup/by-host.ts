import { HostingError } from '../../platform/hosting/hosting-error.ts';
import type { HostingService, Instance } from '../../platform/hosting/service.ts';
import { findInText, perhapsByHost } from './in-text.ts';

type Hosting = Pick<HostingService, 'findInstance'>;

/** So many are looked at by themselves for their host names at most. */
const MAX_ASKED = 5;

/**
 * The instances that a text names by name, id, host name or address. A list may not have the host names that its cards have:
 * those of a few that may be meant are looked up by the id.
 */
export async function findNamed(
  hosting: Hosting,
  text: string,
  instances: readonly Instance[],
): Promise<readonly Instance[]> {
  const found = new Set(findInText(text, instances));
  const perhaps = perhapsByHost(
    text,
    instances.filter((one) => !found.has(one)),
  ).slice(0, MAX_ASKED);
  if (perhaps.length === 0) return [...found];
  const read = await Promise.all(perhaps.map(({ id }) => addressOf(hosting, id)));
  const addresses = new Map(perhaps.map(({ id }, at) => [id, read[at]]));
  return findInText(
    text,
    instances.map((one) => {
      const address = addresses.get(one.id);
      return address === undefined ? one : { ...one, address };
    }),
  );
}

/** Its host name; undefined where it has none, or that can't be read now. */
async function addressOf(hosting: Hosting, instanceId: string): Promise<string | undefined> {
  try {
    return (await hosting.findInstance(instanceId))?.address;
  } catch (error) {
    if (error instanceof HostingError) return undefined;
    throw error;
  }
}
