import type { Write } from './adapter.ts';
import { type Calls, checkId } from './calls.ts';
import { notOffered } from './offered.ts';
import type { HostingWrites, WriteOptions } from './service.ts';
import { reading, building } from './unreadable.ts';

/** What changes something, each sent at most once. `forget` is called before and after: what was read may be old then. */
export function createHostingWrites(
  { adapter: { instances, addons }, requester, at }: Calls,
  forget: () => void,
): HostingWrites {
  const write = async <T>(
    doing: string,
    id: string,
    call: ((id: string) => Write<T>) | undefined,
    { beforeSend, answered, isCounted = false }: WriteOptions = {},
    filled: readonly string[] = [],
  ): Promise<T> => {
    checkId(doing, id);
    if (!call) throw notOffered(doing);
    const { method, path, headers, body, decode } = building(doing, () => call(id));
    forget();
    const answer = await requester
      .write({
        doing,
        method,
        path: at(path),
        route: routeOf(path, [id, ...filled]),
        beforeSend,
        answered,
        isCounted,
        headers,
        body,
      })
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
      const doing = `forcing ${power} of instance ${instanceId}`;
      return write(doing, instanceId, instances.force?.[power], options);
    },

    deleteInstance: (instanceId, options) =>
      write(`deleting instance ${instanceId}`, instanceId, instances.remove, options),

    addAddon: (instanceId, addon, options) => {
      const add = addons?.add;
      const doing = `adding an add-on to instance ${instanceId}`;
      const filled = [addon.type, addon.tier ?? ''];
      return write(doing, instanceId, add && ((id) => add(id, addon)), options, filled);
    },

    removeAddon: (addonId, options) => write(`removing add-on ${addonId}`, addonId, addons?.remove, options),
  };
}

/** A path with `{id}` for each of its parts that was filled in, and without a query. Pure. */
function routeOf(path: string, filled: readonly string[]): string {
  const [bare = ''] = path.split('?');
  const isFilled = (part: string): boolean =>
    filled.some((one) => one !== '' && encodeURIComponent(one) === part);
  return bare
    .split('/')
    .map((part) => (isFilled(part) ? '{id}' : part))
    .join('/');
}
