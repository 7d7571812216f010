import type { Ask } from '../../src/core/ask/ask.ts';

/** A request of somebody in a channel, with what a test wants otherwise. */
export const anAsk = (over: Partial<Ask> = {}): Ask => ({
  id: 'a'.repeat(22),
  route: 'r',
  words: [],
  actor: { userId: 'U1' },
  place: { channelId: 'C1' },
  replaces: false,
  askedAt: 0,
  ...over,
});
