import { HostingError, isDown } from '../../platform/hosting/hosting-error.ts';
import type { HostingService, InstanceList, LastList } from '../../platform/hosting/service.ts';
import { atMost } from '../../platform/time/wait.ts';
import { Refusal } from '../refusal.ts';
import type { Instances } from './sight.ts';

/** The service with what is kept of it for when it is down. */
export type Kept = Instances & Pick<HostingService, 'findLastList'>;

/** The list; the last one that was read, as `last` too, where the service is `down`. Throws HostingError where there is none. */
export async function listOrLast(
  hosting: Pick<Kept, 'listInstances' | 'findLastList'>,
  options?: Parameters<Instances['listInstances']>[0],
): Promise<{ readonly list: InstanceList; readonly last?: LastList; readonly down?: HostingError }> {
  try {
    return { list: await hosting.listInstances(options) };
  } catch (error) {
    const last = isDown(error) ? await hosting.findLastList() : undefined;
    if (!last || !isDown(error)) throw error;
    return { list: last, last, down: error };
  }
}

/** Refusals that say of an instance that there is none: nobody knows that while the service is down. */
const NONE: ReadonlySet<string> = new Set(['no-such-name', 'no-such-instance', 'gone', 'changed']);

/**
 * What `find` finds of the instances; among those that were read `last` where the service is down, or hasn't answered within
 * `patienceMs`. Throws what `find` throws, and HostingError where what is sought isn't among those either.
 */
export async function findOrLast<T>(
  hosting: Kept,
  find: (instances: Instances) => Promise<T>,
  patienceMs?: number,
): Promise<{ readonly found: T; readonly last?: LastList }> {
  try {
    return { found: await soon(find(hosting), patienceMs) };
  } catch (error) {
    const last = isDown(error) ? await hosting.findLastList() : undefined;
    if (!last) throw error;
    try {
      return { found: await find(only(last)), last };
    } catch (none) {
      throw none instanceof Refusal && NONE.has(none.code) ? error : none;
    }
  }
}

/** The service as if it had answered with this. */
function only(last: LastList): Instances {
  return {
    listInstances: async () => last,
    findInstance: async (instanceId) => last.instances.find(({ id }) => id === instanceId),
  };
}

async function soon<T>(work: Promise<T>, limitMs: number | undefined): Promise<T> {
  if (limitMs === undefined) return work;
  const ended = await atMost(
    limitMs,
    work.then(
      (value) => ({ value }),
      (error: unknown) => ({ error }),
    ),
  );
  if (!ended) throw noAnswer();
  if ('error' in ended) throw ended.error;
  return ended.value;
}

function noAnswer(): HostingError {
  return new HostingError('waiting for an answer', {
    fault: 'no-answer',
    outcome: 'unknown',
    retryable: true,
  });
}
