import { nameOf } from '../instances/messages.ts';
import type { Fingerprint } from '../instances/fingerprint.ts';
import type { Actor } from '../../platform/slack/ids.ts';
import { person, type Phrase, say } from '../../platform/slack/phrase.ts';

/** Somebody else pressed what was asked of one person, who `can` do it still. `done`: what was not, as of an answer to a question. */
export function foreign(
  { userId }: Actor,
  can = 'confirm it',
  done = 'done for you; ask yourself if you want it',
): Phrase {
  return say`That was asked of ${person(userId)}, who can still ${can}. Nothing was ${done}.`;
}

/** What was shown first is kept no longer, or not as it was. `again`: how it is shown anew. */
export function outOfDate(done: 'done' | 'changed' | 'saved', again: string): Phrase {
  return say`What you were shown is out of date, so nothing was ${done}. ${again}`;
}

/** Confirmed too late. */
export function expired(instance?: Fingerprint): Phrase {
  const what = instance ? say` about ${nameOf(instance)}` : say``;
  return say`That question${what} has expired, so nothing was done. Ask again.`;
}
