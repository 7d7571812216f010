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
