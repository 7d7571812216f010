import type { Write } from './adapter.ts';
import { type Calls, checkId } from './calls.ts';
import { notOffered } from './offered.ts';
import type { HostingWrites, WriteOptions } from './service.ts';
import { reading } from './unreadable.ts';

/** What changes something, each sent at most once. `forget` is called before and after: what was read may be old then. */
export function createHostingWrites(
  { adapter: { instances, addons }, requester, at }: Calls,
  forget: () => void,
): HostingWrites {
  const write = async <T>(
    doing: string,
    id: string,
    call: ((id: string) => Write<T>) | undefined,
    { beforeSend, isCounted = false }: WriteOptions = {},
  ): Promise<T> => {
    checkId(doing, id);
    if (!call) throw notOffered(doing);
    const { method, path, body, decode } = call(id);
    forget();
    const answer = await requester
      .write({ doing, method, path: at(path), beforeSend, isCounted, body })
      .finally(forget);
    return reading(doing, answer, decode);
  };

  return {
    powerInstance: (instanceId, power, options) =>
      write(
        `asking for ${power} of instance ${instanceId}`,
        instanceId,
        (id) => instances.power(id, power),
        options,
      ),

    forceInstance: (instanceId, power, options) => {
      const { force } = instances;
      const doing = `forcing ${power} of instance ${instanceId}`;
      return write(doing, instanceId, force && ((id) => force(id, power)), options);
    },

    deleteInstance: (instanceId, options) =>
      write(`deleting instance ${instanceId}`, instanceId, instances.remove, options),

    addAddon: (instanceId, addon, options) => {
      const add = addons?.add;
      const doing = `adding an add-on to instance ${instanceId}`;
      return write(doing, instanceId, add && ((id) => add(id, addon)), options);
    },

    removeAddon: (addonId, options) => write(`removing add-on ${addonId}`, addonId, addons?.remove, options),
  };
}
