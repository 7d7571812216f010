import { BoundedMap } from '../bounded-map.ts';
import { building } from './building.ts';
import { type Calls, checkId } from './calls.ts';
import { errorOfBody } from './errors.ts';
import { orNotFound } from './offered.ts';
import type { Instance } from './service.ts';
import { createSharedRead, type ReadPriority, type SharedRead } from './shared-read.ts';

/** Single instances, each read once for all who ask for it together. */
interface InstanceReads {
  /** Undefined when there is none of this id. `freshMs`: how old an answer may be. Throws HostingError. */
  get(instanceId: string, freshMs: number, priority: ReadPriority): Promise<Instance | undefined>;
  /** Forgets the last answers, after a write. */
  forget(): void;
}

/** A reading is shared of so many instances; the one that was asked for longest ago is read by itself again. */
const MAX_SHARED = 1_000;

export function createInstanceReads(calls: Calls): InstanceReads {
  const each = new BoundedMap<string, SharedRead<Instance | undefined>>(MAX_SHARED);

  const read = (instanceId: string, priority: ReadPriority): Promise<Instance | undefined> =>
    orNotFound(async () => {
      const doing = `reading instance ${instanceId}`;
      checkId(doing, instanceId);
      const call = building(doing, () => calls.adapter.instances.one(instanceId));
      const instance = await calls.read(doing, call, priority);
      if (instance.id !== instanceId) throw errorOfBody(doing, 'another instance in the answer');
      return instance;
    });

  return {
    get: (instanceId, freshMs, priority) => {
      const shared = each.get(instanceId) ?? createSharedRead((as) => read(instanceId, as));
      each.set(instanceId, shared);
      return shared.get(freshMs, priority);
    },
    forget: () => each.forEach((shared) => shared.forget()),
  };
}
