import type { HostingService } from './service.ts';
import type { Reader } from './shared-read.ts';

/** The same service, whose shared readings are taken in another turn than a person's. */
export function inTurn(hosting: HostingService, turn: Reader): HostingService {
  return {
    ...hosting,
    listInstances: (options) => hosting.listInstances({ turn, ...options }),
    getBalance: (options) => hosting.getBalance({ turn, ...options }),
    getUsage: (options) => hosting.getUsage({ turn, ...options }),
  };
}
