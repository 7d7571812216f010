import { HostingError } from '../errors.ts';
import type { EndpointName, HostingAdapter } from './adapters/instance-hosting.ts';
import { baseOf, pathOf } from './address.ts';
import { errorOfBody } from './errors.ts';
import { type NextPage, nextPage } from './next-page.ts';
import { at, listIn, oneIn, renamed, statusOf } from './read.ts';
import { addonFrom, balanceFrom, instanceFrom, transactionsFrom, usageFrom } from './records.ts';
import type { Answer, Requester } from './request.ts';
import type { HostingService, InstanceList, WriteAnswer, WriteOptions } from './service.ts';
import { createSharedRead } from './shared-read.ts';

const MOST_PAGES = 50;
const MOST_ITEMS = 10_000;

/** The hosting service behind one base URL, as its adapter's table describes it. Throws HostingError only. */
export function createHostingClient(
  adapter: HostingAdapter,
  url: string,
  requester: Requester,
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
    instances.forget();
    return requester
      .write({
        ...callOf(name, doing, id),
        beforeSend: options.beforeSend,
        ...(body === undefined ? {} : { body }),
      })
      .finally(() => instances.forget());
  };

  /** Follows pages to the end, a repeated page, an empty one or a cap. */
  const readAll = async (
    name: EndpointName,
    doing: string,
    isLook = false,
  ): Promise<{ items: unknown[]; cut: boolean }> => {
    const items: unknown[] = [];
    const seen = new Set<string>();
    const first = callOf(name, doing);
    let path: string | undefined = first.path;
    while (path !== undefined && !seen.has(path)) {
      if (seen.size >= MOST_PAGES || items.length >= MOST_ITEMS) return { items, cut: true };
      seen.add(path);
      const answer: Answer = await requester.read({ ...first, path, turn: isLook ? 'look' : 'read' });
      const page = listIn(adapter, answer.body);
      if (page === undefined) throw errorOfBody(doing, 'no list in the answer');
      items.push(...page);
      const next: NextPage = page.length === 0 ? 'none' : nextPage(adapter, base.origin, path, answer);
      if (next === 'elsewhere') return { items, cut: true };
      path = next === 'none' ? undefined : next.path;
    }
    return { items: items.slice(0, MOST_ITEMS), cut: items.length > MOST_ITEMS };
  };

  const instances = createSharedRead(async (isLook: boolean): Promise<InstanceList> => {
    const doing = 'listing instances';
    const { items, cut } = await readAll('listInstances', doing, isLook);
    const all = items.map((item) => instanceFrom(adapter, item, doing));
    // One that moved between two pages while they were read is still one.
    return { instances: [...new Map(all.map((one) => [one.id, one])).values()], cut };
  });

  const writeAnswer = (doing: string, answer: Answer): WriteAnswer => {
    // A page of a proxy with status 200 says nothing about the instance.
    if (typeof answer.body === 'string') throw errorOfBody(doing, 'no JSON in the answer');
    // An action object's own status isn't the instance's: only a record of the instance counts.
    const record = oneIn(adapter, answer.body);
    const isInstance = record && ('name' in record || 'can_start' in record);
    const word = isInstance ? at(renamed(adapter, record), 'status') : undefined;
    return typeof word === 'string' ? { status: statusOf(adapter, word) } : {};
  };

  return {
    listInstances: (options = {}) => instances.get(options.freshMs ?? 0, options.isLook ?? false),

    findInstance: async (instanceId, options = {}) => {
      const doing = `reading instance ${instanceId}`;
      try {
        const answer = await requester.read({
          ...callOf('getInstance', doing, instanceId),
          turn: options.isLook ? 'look' : 'read',
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

    getBalance: async () => {
      const doing = 'reading the balance';
      return balanceFrom(adapter, (await requester.read(callOf('getBalance', doing))).body, doing);
    },

    getUsage: async () => {
      const doing = 'reading usage';
      return usageFrom((await requester.read(callOf('getUsage', doing))).body, doing);
    },

    listTransactions: async (page, perPage, { isBulk = false } = {}) => {
      const doing = 'listing transactions';
      const call = callOf('listTransactions', doing);
      const path = `${call.path}?page=${page}&per_page=${perPage}`;
      const answer = await requester.read({ ...call, path, turn: isBulk ? 'bulk' : 'read' });
      const items = listIn(adapter, answer.body);
      if (items === undefined) throw errorOfBody(doing, 'no list in the answer');
      return {
        transactions: transactionsFrom(items, doing),
        hasMore: items.length > 0 && nextPage(adapter, base.origin, path, answer) !== 'none',
      };
    },

    listAddons: async () => {
      const doing = 'listing add-ons';
      try {
        return (await readAll('listAddons', doing)).items.map((item) => addonFrom(item, doing));
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
