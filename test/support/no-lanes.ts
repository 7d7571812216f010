import type { Lanes } from '../../src/core/outbox/lanes.ts';

/** Lanes in which nobody waits. */
export const noLanes: Lanes = { take: async () => 'now', pause: async () => undefined };
