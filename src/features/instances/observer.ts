import type { HostingService, Instance } from '../../platform/hosting/service.ts';
import type { Operation, Seen } from '../../core/operations/operation.ts';
import type { Observer } from '../../core/operations/observer.ts';
import type { RedisClock } from '../../platform/redis/clock.ts';

/** A list read for those who were due first serves who is due so soon after them, too. */
const TOGETHER_MS = 250;

/** How instances are looked at: alone by their id, or several in one list, whichever takes fewer calls. */
export function createInstanceObserver(hosting: HostingService, clock: RedisClock): Observer {
  const seenOf = (instance: Instance | undefined): Seen =>
    instance
      ? {
          status: instance.status,
          word: instance.statusWord,
          ...(instance.health === undefined ? {} : { health: instance.health }),
          at: clock.now(),
        }
      : { status: 'gone', word: 'gone', at: clock.now() };
  const alone = async (operation: Operation): Promise<Seen> =>
    seenOf(await hosting.findInstance(operation.subject.id, { turn: 'look' }));

  /** The last list, and when its reading began. */
  let last: { readonly begunAt: number; readonly byId: ReadonlyMap<string, Instance> } | undefined;
  const list = async (): Promise<NonNullable<typeof last>> => {
    const begunAt = clock.now();
    const { instances } = await hosting.listInstances({ freshMs: 0, turn: 'look', isNew: true });
    return (last = { begunAt, byId: new Map(instances.map((instance) => [instance.id, instance])) });
  };

  return {
    look: async (operations) => {
      // After a look the next one is later than that, so none is served twice by one list.
      const isServed = ({ execution }: Operation): boolean =>
        last !== undefined && execution.nextAt <= last.begunAt + TOGETHER_MS;
      const due = operations.filter((operation) => !isServed(operation));
      const pages = due.length > 1 ? await hosting.countListPages() : 1;
      const isListed = due.length > 1 && due.length >= pages;
      const { byId } = isListed ? await list() : (last ?? { byId: new Map<string, Instance>() });
      const inList = new Set(isListed ? operations : operations.filter(isServed));
      // What is not in the list is looked up by its id before it is called gone.
      return async (operation) => {
        const instance = inList.has(operation) ? byId.get(operation.subject.id) : undefined;
        return instance ? seenOf(instance) : alone(operation);
      };
    },
  };
}
