import type { Adapter, ListRead, ServiceRead } from './adapter.ts';
import { type Calls, checkId } from './calls.ts';
import { createActionReads } from './action-reads.ts';
import { createListTransactions } from './list-transactions.ts';
import { createExplainPaused } from './explain-paused.ts';
import { createOfferedRead, notOffered, orNotFound } from './offered.ts';
import { HostingError } from './hosting-error.ts';
import { building } from './unreadable.ts';
import { faultOfOne, listsOf, readList, readLists } from './read-list.ts';
import { createInstanceList, type Sharing } from './instance-list.ts';
import { readPage } from './pages.ts';
import type {
  AddonPage,
  BillList,
  ChargeList,
  HostingReads,
  Incomplete,
  Instance,
  InstanceList,
  ReadOptions,
} from './service.ts';
import { createSharedRead, type ReadPriority, type SharedRead } from './shared-read.ts';
import { BoundedMap } from '../bounded-map.ts';
import { errorOfBody } from './errors.ts';
import { inOneCurrency } from './one-currency.ts';
import type { Bill, Spending } from './month.ts';

/**
 * What changes nothing. `forget` lets go of what several readers share, since a write may change it. `sharing`: what a long
 * list is shared over; without it, it is read like a short one.
 */
export function createHostingReads(
  calls: Calls,
  sharedForMs: number,
  sharing?: Sharing,
): { reads: HostingReads; forget: () => void } {
  const { instances: ofInstances, addons: ofAddons, billing } = calls.adapter;
  const prepaid = billing?.kind === 'prepaid' ? billing : undefined;

  const instances = createInstanceList(async (priority, onPage) => {
    const begunAt = performance.now();
    const { items, ...rest } = await readLists(
      calls,
      ofInstances.list,
      'listing instances',
      priority,
      onPage,
    );
    const all = await explainPaused(items.filter(isLiving).map(withNamedLabels), priority, begunAt);
    return { instances: all, ...rest, ...gapOf(ofInstances) };
  }, sharing);

  const each = createInstanceReads(calls);

  const balance = createSharedRead((priority) =>
    readOffered(calls, 'reading the balance', prepaid?.balance, priority),
  );
  const usage = createSharedRead((priority) => readOffered(calls, 'reading usage', prepaid?.usage, priority));
  const readAddons = (priority: ReadPriority): Promise<AddonPage | undefined> =>
    orNotFound(async () => {
      if (!ofAddons) return undefined;
      const { items, pages: _, ...rest } = await readList(calls, ofAddons.list, 'listing add-ons', priority);
      return { addons: items, ...rest };
    });
  const addons = createSharedRead(readAddons);

  const freshness = ({ freshMs = sharedForMs, priority = 'read' }: ReadOptions = {}): [
    number,
    ReadPriority,
  ] => [freshMs, priority];

  const month = createMonthReads(calls, freshness);

  const getBalance = createOfferedRead((options?: ReadOptions) => balance.get(...freshness(options)));

  const explainPaused = createExplainPaused(billing, getBalance, (id, priority) => each.get(id, 0, priority));

  const reads: HostingReads = {
    listInstances: (options) => instances.get(...freshness(options), options),

    findLastList: instances.findLast,

    countListPages: instances.countPages,

    listEveryMs: instances.everyMs,

    ...createKeyCheck(calls, async () => (await instances.findLast())?.instances),

    findInstance: async (instanceId, { priority = 'read' } = {}) => {
      const begunAt = performance.now();
      const instance = await each.get(instanceId, priority === 'read' ? sharedForMs : 0, priority);
      return instance && (await explainPaused([withNamedLabels(instance)], priority, begunAt))[0];
    },

    ...createActionReads(calls),

    getBalance,

    ...month.reads,

    getUsage: (options) => usage.get(...freshness(options)),

    listTransactions: createListTransactions(calls),

    listAddons: (options) => (options ? addons.get(...freshness(options)) : readAddons('read')),
  };
  return {
    reads,
    forget: () => [instances, each, balance, usage, month, addons].forEach((read) => read.forget()),
  };
}

/** Whether the key is taken, and what it has shown. `findLast`: the list as it was read last. */
function createKeyCheck(
  calls: Calls,
  findLast: HostingReads['findShown'],
): Pick<HostingReads, 'checkKey' | 'findShown'> {
  const { list } = calls.adapter.instances;
  let checked: readonly Instance[] | undefined;
  return {
    checkKey: async () => {
      let shown: readonly Instance[] = [];
      let fault: HostingError | undefined;
      for (const one of listsOf(list)) {
        const reading = readPage(calls, one, { doing: 'checking the key' }, calls.firstPage(one));
        const page = await reading.catch(faultOfOne);
        if (page instanceof HostingError) fault ??= page;
        else shown = page.items;
        // An empty one doesn't show whose the key is.
        if (shown.length > 0) break;
      }
      // Of an empty list and one that didn't come nobody knows whose the key is.
      if (fault && shown.length === 0) throw fault;
      checked = shown;
      return shown;
    },
    findShown: async () => (await findLast()) ?? checked,
  };
}

/** Some services list for an hour what is no more, with the name that its successor has. */
function isLiving({ status }: Instance): boolean {
  return status !== 'deleted';
}

/** Without labels whose name nobody can see: nothing can be said with them. */
function withNamedLabels(instance: Instance): Instance {
  const { labels } = instance;
  return !labels || labels.every(hasName) ? instance : { ...instance, labels: labels.filter(hasName) };
}

/** Whether something is to be seen of it before its value. */
function hasName(label: string): boolean {
  return /^[^=]*[^=\s\p{Cc}\p{Cf}\p{DI}\u2800]/u.test(label);
}

/** What the list of instances never has. */
function gapOf({ leavesOut }: Adapter['instances']): Pick<InstanceList, 'leavesOut'> {
  return leavesOut === undefined ? {} : { leavesOut };
}

/** Reads what only some services offer. Throws HostingError. */
async function readOffered<T>(
  calls: Calls,
  doing: string,
  call: ServiceRead<T> | undefined,
  priority: ReadPriority,
): Promise<T> {
  if (!call) throw notOffered(doing);
  return calls.read(doing, call, priority);
}

/** Single instances, each read once for all who ask for it together. */
interface InstanceReads {
  /** Undefined when there is none of this id. `freshMs`: how old an answer may be. Throws HostingError. */
  get(instanceId: string, freshMs: number, priority: ReadPriority): Promise<Instance | undefined>;
  /** Forgets the last answers, after a write. */
  forget(): void;
}

/** A reading is shared of so many instances; the one that was asked for longest ago is read by itself again. */
const MAX_SHARED = 1_000;

function createInstanceReads(calls: Calls): InstanceReads {
  const each = new BoundedMap<string, SharedRead<Instance | undefined>>(MAX_SHARED);

  const read = (instanceId: string, priority: ReadPriority): Promise<Instance | undefined> =>
    orNotFound(async () => {
      const doing = `reading instance ${instanceId}`;
      checkId(doing, instanceId);
      const call = building(doing, () => calls.adapter.instances.one(instanceId));
      const instance = await calls.read(doing, call, priority);
      if (instance.id !== instanceId) throw errorOfBody(doing, 'another instance in the answer');
      return instance;
    });

  return {
    get: (instanceId, freshMs, priority) => {
      const shared = each.get(instanceId) ?? createSharedRead((as) => read(instanceId, as));
      each.set(instanceId, shared);
      return shared.get(freshMs, priority);
    },
    forget: () => each.forEach((shared) => shared.forget()),
  };
}

/** What is read of a month that is paid afterwards. `freshness`: how old an answer may be, and who waits for it. */
function createMonthReads(
  calls: Calls,
  freshness: (options?: ReadOptions) => [number, ReadPriority],
): {
  reads: Pick<HostingReads, 'getSpending' | 'listCharges' | 'listBills'>;
  forget: () => void;
} {
  const { billing } = calls.adapter;
  const postpaid = billing?.kind === 'postpaid' ? inOneCurrency(billing) : undefined;
  const listOffered = async <T extends { readonly id: string }>(
    doing: string,
    list: ListRead<T> | undefined,
    priority: ReadPriority,
  ): Promise<{ items: T[]; incomplete?: Incomplete }> => {
    if (!list) throw notOffered(doing);
    const { pages: _, ...rest } = await readList(calls, list, doing, priority);
    return rest;
  };
  const spending = createSharedRead(async (priority): Promise<Spending> => {
    const doing = 'reading this month';
    if (!postpaid) throw notOffered(doing);
    return calls.read(doing, postpaid.spending, priority);
  });
  const charges = createSharedRead(async (priority): Promise<ChargeList> => {
    const { items, ...rest } = await listOffered('reading charges', postpaid?.charges, priority);
    return { charges: items, ...rest };
  });
  const bills = createSharedRead(async (priority): Promise<BillList> => {
    const { items, ...rest } = await listOffered('reading bills', postpaid?.bills, priority);
    return { ...newestFirst(items, rest.incomplete !== undefined), ...rest };
  });
  return {
    reads: {
      getSpending: (options) => spending.get(...freshness(options)),
      listCharges: (options) => charges.get(...freshness(options)),
      listBills: (options) => bills.get(...freshness(options)),
    },
    forget: () => [spending, charges, bills].forEach((read) => read.forget()),
  };
}

/** Bills by their time: no service promises an order. A part of a list, or times that can't be read, stay as they came. Pure. */
function newestFirst(bills: readonly Bill[], isPart: boolean): Pick<BillList, 'bills' | 'isNewestFirst'> {
  const timeOf = ({ at }: Bill): number => Date.parse(at);
  if (isPart || bills.some((bill) => Number.isNaN(timeOf(bill)))) return { bills, isNewestFirst: false };
  return { bills: bills.toSorted((one, other) => timeOf(other) - timeOf(one)), isNewestFirst: true };
}
