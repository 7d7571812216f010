import type { HostingService } from './service.ts';
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
