import type { HostingService, Instance } from '../../platform/hosting/service.ts';
import type { Operation, Seen } from '../../core/operations/operation.ts';
import type { Observer } from '../../core/operations/observer.ts';
import type { RedisClock } from '../../platform/redis/clock.ts';

/** How instances are looked at: alone by their id, and several in one list. */
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
  return {
    look: async (operations) => {
      if (operations.length === 1) return alone;
      const { instances } = await hosting.listInstances({ freshMs: 0, turn: 'look' });
      const byId = new Map(instances.map((instance) => [instance.id, instance]));
      // What is not in the list is looked up by its id before it is called gone.
      return async (operation) => {
        const instance = byId.get(operation.subject.id);
        return instance ? seenOf(instance) : alone(operation);
      };
    },
  };
}
