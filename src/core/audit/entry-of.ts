import type { Ask } from '../ask/ask.ts';
import { asTyped } from '../ask/words.ts';
import type { Entry } from './entry.ts';

/** What an entry keeps of a request: who, where, what, in which words. `now`: Redis' clock, Unix ms. Pure. */
export function entryOf(ask: Ask, what: Entry['what'], now: number, more: Partial<Entry> = {}): Entry {
  const { id, route, words, actor, place } = ask;
  return {
    what,
    at: now,
    requestId: id,
    by: actor.userId,
    ...(actor.through ? { agent: actor.through.agent } : {}),
    channelId: place.channelId,
    route,
    ...(words.length > 0 ? { words: asTyped(words) } : {}),
    ...more,
  };
}
