import type { Adapter, Read } from './adapter.ts';
import type { Calls } from './calls.ts';
import { createActionReads } from './action-reads.ts';
import { createListTransactions } from './list-transactions.ts';
import { createExplainPaused } from './explain-paused.ts';
import { createOfferedRead, notOffered, orNotFound } from './offered.ts';
import { createMonthReads } from './month-reads.ts';
import { HostingError } from './hosting-error.ts';
import { faultOfOne, listsOf, readList, readLists } from './read-list.ts';
import { createInstanceList, type Sharing } from './instance-list.ts';
import { readPage } from './pages.ts';
import type { AddonPage, HostingReads, Instance, InstanceList, ReadOptions } from './service.ts';
import { createInstanceReads } from './instance-reads.ts';
import { createSharedRead, type ReadPriority } from './shared-read.ts';

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
  return /^[^=]*[^=\s\p{Cc}\p{Cf}]/u.test(label);
}

/** What the list of instances never has. */
function gapOf({ leavesOut }: Adapter['instances']): Pick<InstanceList, 'leavesOut'> {
  return leavesOut === undefined ? {} : { leavesOut };
}

/** Reads what only some services offer. Throws HostingError. */
async function readOffered<T>(
  calls: Calls,
  doing: string,
  call: Read<T> | undefined,
  priority: ReadPriority,
): Promise<T> {
  if (!call) throw notOffered(doing);
  return calls.read(doing, call, priority);
}
