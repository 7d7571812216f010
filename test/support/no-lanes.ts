import type { SharedMessages } from '../../src/core/operations/post-messages.ts';
import type { Lanes } from '../../src/core/outbox/lanes.ts';

/** Lanes in which nobody waits. */
export const noLanes: Lanes = { take: async () => 'now', pause: async () => undefined };

/** No board: each operation has a card of its own. */
export const noBoards: SharedMessages = { assign: async () => undefined, setRow: async () => undefined };
