import type { Endpoints } from './endpoints.ts';
import { errorOfBody } from './errors.ts';
import { HostingError } from './hosting-error.ts';
import { createListTransactions } from './list-transactions.ts';
import { createOfferedRead } from './offered.ts';
import { oneIn } from './read.ts';
import { readList } from './read-list.ts';
import { addonFrom, balanceFrom, instanceFrom, usageFrom } from './records.ts';
import { createInstanceList, type Sharing } from './instance-list.ts';
import { readPage } from './pages.ts';
import type { AddonPage, Balance, HostingReads, ReadOptions, Usage } from './service.ts';
import { createSharedRead, type Reader } from './shared-read.ts';

/**
 * What changes nothing. `forget` lets go of what several readers share, since a write may change it. `sharing`: what a long
 * list is shared over; without it, it is read like a short one.
 */
export function createHostingReads(
  endpoints: Endpoints,
  sharedForMs: number,
  sharing?: Sharing,
): { reads: HostingReads; forget: () => void } {
  const { adapter, requester, callOf } = endpoints;

  const instances = createInstanceList(async (turn, onPage) => {
    const doing = 'listing instances';
    const { items, ...rest } = await readList(endpoints, 'listInstances', doing, turn, onPage);
    return { instances: items.map((item) => instanceFrom(adapter, item, doing)), ...rest };
  }, sharing);

  const balance = createSharedRead(async (turn): Promise<Balance> => {
    const doing = 'reading the balance';
    const { body } = await requester.read({ ...callOf('getBalance', doing), turn });
    return balanceFrom(adapter, body, doing);
  });

  const usage = createSharedRead(async (turn): Promise<Usage> => {
    const doing = 'reading usage';
    return usageFrom((await requester.read({ ...callOf('getUsage', doing), turn })).body, doing);
  });

  const readAddons = (turn: Reader): Promise<AddonPage | undefined> => {
    const doing = 'listing add-ons';
    return orNotFound(async () => {
      const { items, pages: _, ...rest } = await readList(endpoints, 'listAddons', doing, turn);
      return { addons: items.map((item) => addonFrom(item, doing)), ...rest };
    });
  };
  const addons = createSharedRead(readAddons);

  const freshness = ({ freshMs = sharedForMs, turn = 'read' }: ReadOptions = {}): [number, Reader] => [
    freshMs,
    turn,
  ];

  const reads: HostingReads = {
    listInstances: (options) => instances.get(...freshness(options), options),

    countListPages: instances.countPages,

    checkKey: async () => {
      const call = callOf('listInstances', 'checking the key');
      await readPage(endpoints, call, { path: call.path });
    },

    findInstance: async (instanceId, { turn = 'read' } = {}) => {
      const doing = `reading instance ${instanceId}`;
      return orNotFound(async () => {
        const answer = await requester.read({ ...callOf('getInstance', doing, instanceId), turn });
        const record = oneIn(adapter, answer.body);
        if (record === undefined) throw errorOfBody(doing, 'no instance in the answer');
        const instance = instanceFrom(adapter, record, doing);
        if (instance.id !== instanceId) throw errorOfBody(doing, 'another instance in the answer');
        return instance;
      });
    },

    getBalance: createOfferedRead((options?: ReadOptions) => balance.get(...freshness(options))),

    getUsage: (options) => usage.get(...freshness(options)),

    listTransactions: createListTransactions(endpoints),

    listAddons: (options) => (options ? addons.get(...freshness(options)) : readAddons('read')),
  };
  return { reads, forget: () => [instances, balance, usage, addons].forEach((read) => read.forget()) };
}

/** What a read gives; undefined where the service knows nothing of it. */
async function orNotFound<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof HostingError && error.fault === 'not-found') return undefined;
    throw error;
  }
}
