import type { HostingService, ReadOptions } from './service.ts';
import type { ReadPriority } from './shared-read.ts';

/** The same service, read with `priority` wherever a call names none itself. */
export function withPriority<
  H extends Pick<HostingService, 'findInstance' | 'listInstances' | 'listAddons' | 'listBegun'>,
>(hosting: H, priority: ReadPriority): H {
  const as = <O extends Pick<ReadOptions, 'priority'>>(options: O): O & { priority: ReadPriority } => ({
    ...options,
    priority: options.priority ?? priority,
  });
  return {
    ...hosting,
    findInstance: (id, options = {}) => hosting.findInstance(id, as(options)),
    listInstances: (options = {}) => hosting.listInstances(as(options)),
    // Without options it is read now, by a call of its own.
    listAddons: (options = { freshMs: 0 }) => hosting.listAddons(as(options)),
    listBegun: (id, options = {}) => hosting.listBegun(id, as(options)),
  };
}
