import { HostingError } from './hosting-error.ts';
import type { EndpointName, HostingAdapter } from './adapters/instance-hosting.ts';
import { baseOf, pathOf } from './address.ts';
import { errorOfBody } from './errors.ts';
import { incompleteOf } from './incomplete.ts';
import { type Paging, readPaging } from './next-page.ts';
import type {
  Balance,
  HostingService,
  Incomplete,
  InstanceList,
  PageRef,
  ReadOptions,
  Usage,
  WriteAnswer,
  WriteOptions,
} from './service.ts';
import { createOfferedRead } from './offered.ts';
import { at, isObject, listIn, oneIn, renamed, statusOf } from './read.ts';
import { addonFrom, balanceFrom, instanceFrom, transactionsFrom, usageFrom } from './records.ts';
import type { Answer, Requester } from './request.ts';
import { createSharedRead, type Reader } from './shared-read.ts';

const MOST_PAGES = 50;
const MOST_ITEMS = 10_000;

/**
 * The hosting service behind one base URL, as its adapter's table describes it. Throws HostingError only. `sharedForMs`:
 * how old a reading may be that several people, or the bot itself, get without another call.
 */
export function createHostingClient(
  adapter: HostingAdapter,
  url: string,
  requester: Requester,
  { sharedForMs = 0 }: { sharedForMs?: number } = {},
): HostingService {
  const base = baseOf(url, adapter.prefix);

  const callOf = (
    name: EndpointName,
    doing: string,
    id?: string,
  ): { doing: string; method: 'GET' | 'POST' | 'DELETE'; path: string } => {
    const endpoint = adapter.endpoints[name];
    return { doing, method: endpoint.method, path: pathOf(doing, base.path, endpoint.path, id) };
  };

  const write = (
    name: EndpointName,
    doing: string,
    id: string,
    options: WriteOptions = {},
    body?: unknown,
  ): Promise<Answer> => {
    forgetAll();
    return requester
      .write({
        ...callOf(name, doing, id),
        beforeSend: options.beforeSend,
        ...(body === undefined ? {} : { body }),
      })
      .finally(forgetAll);
  };

  /** Follows pages to the end, an empty one, one that brings nothing new, or a cap. */
  const readAll = async (
    name: EndpointName,
    doing: string,
    turn: Reader,
  ): Promise<{ items: unknown[]; incomplete?: Incomplete }> => {
    // One that moved between two pages while they were read is still one.
    const items = new Map<unknown, unknown>();
    const first = callOf(name, doing);
    let total: number | undefined;
    let here: PageRef = { path: first.path };
    for (let pages = 1; ; pages++) {
      const isContinued = pages > 1 && turn === 'background';
      const answer = await requester.read({ ...first, ...here, turn: isContinued ? 'continued' : turn });
      const page = listIn(adapter, answer.body);
      if (page === undefined) throw errorOfBody(doing, 'no list in the answer');
      const before = items.size;
      for (const item of page) items.set(keyOf(item), item);
      const paging: Paging = readPaging(adapter, base.origin, here, answer, page.length);
      total = paging.total ?? total;
      if (items.size > MOST_ITEMS) total = Math.max(total ?? 0, items.size);
      const isCapped = pages === MOST_PAGES || items.size >= MOST_ITEMS;
      if (typeof paging.next === 'object' && items.size > before && !isCapped) {
        here = paging.next;
        continue;
      }
      const read = Math.min(items.size, MOST_ITEMS);
      const incomplete = incompleteOf({ read, total, end: endOf(paging, page.length), isAlone: pages === 1 });
      return { items: [...items.values()].slice(0, MOST_ITEMS), ...(incomplete ? { incomplete } : {}) };
    }
  };

  const instances = createSharedRead(async (turn): Promise<InstanceList> => {
    const doing = 'listing instances';
    const { items, ...rest } = await readAll('listInstances', doing, turn);
    return { instances: items.map((item) => instanceFrom(adapter, item, doing)), ...rest };
  });

  const balance = createSharedRead(async (turn): Promise<Balance> => {
    const doing = 'reading the balance';
    const { body } = await requester.read({ ...callOf('getBalance', doing), turn });
    return balanceFrom(adapter, body, doing);
  });

  const usage = createSharedRead(async (turn): Promise<Usage> => {
    const doing = 'reading usage';
    return usageFrom((await requester.read({ ...callOf('getUsage', doing), turn })).body, doing);
  });

  const forgetAll = (): void => [instances, balance, usage].forEach((read) => read.forget());

  const freshness = ({ freshMs = sharedForMs, turn = 'read' }: ReadOptions = {}): [number, Reader] => [
    freshMs,
    turn,
  ];

  const writeAnswer = (doing: string, answer: Answer): WriteAnswer => {
    // A page of a proxy with status 200 says nothing about the instance.
    if (typeof answer.body === 'string') throw errorOfBody(doing, 'no JSON in the answer');
    // An action object's own status isn't the instance's: only a record of the instance counts.
    const record = oneIn(adapter, answer.body);
    const isInstance = record && ('name' in record || 'can_start' in record);
    const word = isInstance ? at(renamed(adapter, record), 'status') : undefined;
    return typeof word === 'string' ? { status: statusOf(adapter, word) } : {};
  };

  const findBalance = createOfferedRead((options?: ReadOptions) => balance.get(...freshness(options)));

  return {
    listInstances: (options) => instances.get(...freshness(options)),

    findInstance: async (instanceId, options = {}) => {
      const doing = `reading instance ${instanceId}`;
      try {
        const answer = await requester.read({
          ...callOf('getInstance', doing, instanceId),
          turn: options.turn ?? 'read',
        });
        const record = oneIn(adapter, answer.body);
        if (record === undefined) throw errorOfBody(doing, 'no instance in the answer');
        const instance = instanceFrom(adapter, record, doing);
        if (instance.id !== instanceId) throw errorOfBody(doing, 'another instance in the answer');
        return instance;
      } catch (error) {
        if (error instanceof HostingError && error.fault === 'not-found') return undefined;
        throw error;
      }
    },

    powerInstance: async (instanceId, power, options) => {
      const doing = `asking for ${power} of instance ${instanceId}`;
      return writeAnswer(doing, await write(power, doing, instanceId, options));
    },

    deleteInstance: async (instanceId, options) => {
      const doing = `deleting instance ${instanceId}`;
      return writeAnswer(doing, await write('deleteInstance', doing, instanceId, options));
    },

    getBalance: findBalance,

    getUsage: (options) => usage.get(...freshness(options)),

    listTransactions: async (page, perPage, { turn = 'read', at: place } = {}) => {
      const doing = 'listing transactions';
      const call = callOf('listTransactions', doing);
      const here = place ?? { path: `${call.path}?page=${page}&per_page=${perPage}` };
      const answer = await requester.read({ ...call, ...here, turn }).catch((error: unknown) => {
        // Some services have no page past the last one, and a page asked for by its number may be that.
        const isPastLast = page > 1 && place === undefined;
        if (isPastLast && error instanceof HostingError && error.status === 404) return undefined;
        throw error;
      });
      if (!answer) return { transactions: [], hasMore: false };
      const items = listIn(adapter, answer.body);
      if (items === undefined) throw errorOfBody(doing, 'no list in the answer');
      const paging = readPaging(adapter, base.origin, here, answer, items.length);
      const next = items.length > 0 && typeof paging.next === 'object' ? paging.next : undefined;
      return {
        transactions: transactionsFrom(items, doing),
        hasMore: next !== undefined || (place === undefined && hasPageAfter(paging, page, items.length)),
        ...(next === undefined ? {} : { next }),
        ...(paging.total === undefined ? {} : { total: paging.total }),
      };
    },

    listAddons: async () => {
      const doing = 'listing add-ons';
      try {
        const { items, ...rest } = await readAll('listAddons', doing, 'read');
        return { addons: items.map((item) => addonFrom(item, doing)), ...rest };
      } catch (error) {
        if (error instanceof HostingError && error.fault === 'not-found') return undefined;
        throw error;
      }
    },

    addAddon: async (instanceId, addon, options) => {
      const doing = `adding an add-on to instance ${instanceId}`;
      const body = { addon_type: addon.type, ...(addon.tier === undefined ? {} : { tier: addon.tier }) };
      const record = oneIn(adapter, (await write('addAddon', doing, instanceId, options, body)).body);
      return record && addonFrom(record, doing);
    },

    removeAddon: async (addonId, options) => {
      const doing = `removing add-on ${addonId}`;
      const record = oneIn(adapter, (await write('removeAddon', doing, addonId, options)).body);
      return record && addonFrom(record, doing);
    },

    close: () => requester.close(),
  };
}

/** Whether the next page is to be asked for by its number, which a service that names no other way may understand. */
function hasPageAfter({ next, total, isFull }: Paging, page: number, count: number): boolean {
  if (count === 0 || next === 'last') return false;
  if (next === 'lost') return true;
  return total === undefined ? isFull : page * count < total;
}

/** How a list ends at this page: a page that it names all the same was read before, is past a cap, or empty pages follow. */
function endOf(paging: Paging, count: number): Paging {
  const { next } = paging;
  if (count === 0) return { ...paging, next: 'last' };
  return typeof next === 'object' ? { ...paging, next: 'lost' } : paging;
}

/** What tells one item from another: its id, or itself where it has none. */
function keyOf(item: unknown): unknown {
  const id = isObject(item) ? item['id'] : undefined;
  return typeof id === 'string' || typeof id === 'number' ? String(id) : item;
}
