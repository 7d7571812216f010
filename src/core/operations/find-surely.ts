import type { Operation } from './operation.ts';
import type { HostingService, Instance } from '../../platform/hosting/service.ts';

/**
 * What the list has of an instance that its own address knows nothing of: one of the two is wrong, and what a service says
 * once is no fact. Undefined where the list hasn't got it, or is a long one that was read before `since` (Redis' time, Unix
 * ms) and tells nothing of now. Throws HostingError.
 */
export async function findInList(
  hosting: Pick<HostingService, 'listInstances'>,
  instanceId: string,
  since: number,
): Promise<Instance | undefined> {
  const { instances, readAtMs = since } = await hosting.listInstances({ freshMs: 0, priority: 'poll' });
  return readAtMs < since ? undefined : instances.find(({ id }) => id === instanceId);
}

/**
 * An instance as it is before a call leaves that is about it. Undefined where it is certainly gone: its address has said so
 * twice, and the list hasn't got it. `requestedAt`: when the call was asked for (Redis' time, Unix ms). Throws HostingError.
 */
export async function findSurely(
  hosting: Pick<HostingService, 'findInstance' | 'listInstances'>,
  { subject: { id }, requestedAt }: Pick<Operation, 'subject' | 'requestedAt'>,
): Promise<Instance | undefined> {
  return (
    (await hosting.findInstance(id)) ??
    (await hosting.findInstance(id, { priority: 'poll' })) ??
    (await findInList(hosting, id, requestedAt))
  );
}
