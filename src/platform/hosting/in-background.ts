import type { HostingService } from './service.ts';
import type { Reader } from './shared-read.ts';

/**
 * The same service for one look that nobody waits for: its first reading yields to everybody, and what follows one that
 * got its turn goes on with it.
 */
export function inBackground(hosting: HostingService): HostingService {
  let turn: Reader = 'background';
  const continuing = async <T>(reading: Promise<T>): Promise<T> => {
    const answer = await reading;
    turn = 'continued';
    return answer;
  };
  return {
    ...hosting,
    listInstances: (options) => continuing(hosting.listInstances({ turn, ...options })),
    getBalance: (options) => continuing(hosting.getBalance({ turn, ...options })),
    getUsage: (options) => continuing(hosting.getUsage({ turn, ...options })),
    getSpending: (options) => continuing(hosting.getSpending({ turn, ...options })),
  };
}

/**
 * The same for the look that alerts hang on: the money is read now and in a turn of its own, whatever people ask meanwhile.
 */
export function forAlerts(hosting: HostingService): HostingService {
  const ofMoney = { turn: 'alert', freshMs: 0 } as const;
  return {
    ...hosting,
    // A look again soon finds its small part used up: it is waited for, unless others leave no room at all.
    listInstances: (options) => hosting.listInstances({ turn: 'continued', ...options }),
    getBalance: (options) => hosting.getBalance({ ...ofMoney, ...options }),
    getSpending: (options) => hosting.getSpending({ ...ofMoney, ...options }),
  };
}
