import type { HostingService, ReadOptions } from './service.ts';
import type { ReadPriority } from './shared-read.ts';

/**
 * The same service for a check that nobody waits for: its first reading yields to everybody, and those that follow go on with
 * its priority.
 */
export function inBackground(hosting: HostingService): HostingService {
  let priority: ReadPriority = 'background';
  const continuing = async <T>(reading: Promise<T>): Promise<T> => {
    const answer = await reading;
    priority = 'continued';
    return answer;
  };
  return {
    ...hosting,
    listInstances: (options) => continuing(hosting.listInstances({ priority, ...options })),
    getBalance: (options) => continuing(hosting.getBalance({ priority, ...options })),
    getUsage: (options) => continuing(hosting.getUsage({ priority, ...options })),
    getSpending: (options) => continuing(hosting.getSpending({ priority, ...options })),
  };
}

/**
 * The same for the check that alerts hang on: the money is read now and with calls of its own, whatever people ask meanwhile.
 */
export function forAlerts(hosting: HostingService): HostingService {
  const ofMoney = { priority: 'alert', freshMs: 0 } as const;
  return {
    ...hosting,
    // A check again soon finds its small part used up: it waits, unless others leave no room at all.
    listInstances: (options) => hosting.listInstances({ priority: 'continued', ...options }),
    getBalance: (options) => hosting.getBalance({ ...ofMoney, ...options }),
    getSpending: (options) => hosting.getSpending({ ...ofMoney, ...options }),
  };
}

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
