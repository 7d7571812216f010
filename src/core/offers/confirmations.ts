import { Refusal } from '../refusal.ts';
import type { Ask } from '../ask/ask.ts';
import type { RedisClock } from '../../platform/redis/clock.ts';
import type { Timings } from '../timings.ts';
import { type Confirmation, objectionTo } from './confirmation.ts';
import type { ConfirmationStore } from './confirmation-store.ts';
import { expired, foreign } from './messages.ts';

/** The one door to confirmations: whatever must be confirmed is shown first, and counts for who was shown it alone. */
export interface Confirmations {
  /** Writes down what `ask` shows its person; gives the id for the button or the modal. */
  create(ask: Ask, shown: Omit<Confirmation, 'routeId' | 'actor' | 'expiresAt'>): Promise<string>;
  /**
   * The confirmation that `ask` brings; undefined when it brings none. Throws a Refusal where it is somebody else's,
   * which leaves it to them, or too old.
   */
  find(ask: Ask): Promise<Confirmation | undefined>;
}

export function createConfirmations(deps: {
  store: ConfirmationStore;
  clock: RedisClock;
  timings: Timings;
}): Confirmations {
  const { store, clock, timings } = deps;
  return {
    create: (ask, shown) =>
      store.create({
        ...shown,
        routeId: ask.route,
        actor: ask.actor,
        expiresAt: clock.now() + timings.confirmWithinMs,
      }),
    find: async (ask) => {
      if (ask.value === undefined) return undefined;
      const confirmation = await store.find(ask.value);
      if (!confirmation) {
        if (ask.typed === undefined) return undefined;
        throw new Refusal('confirmation-expired', expired());
      }
      const objection = objectionTo(confirmation, ask);
      if (objection === 'foreign') throw new Refusal('confirmation-foreign', foreign(confirmation));
      if (objection === 'expired') throw new Refusal('confirmation-expired', expired(confirmation));
      return confirmation;
    },
  };
}
