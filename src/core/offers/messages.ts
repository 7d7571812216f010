import { nameOf } from '../instances/messages.ts';
import type { Fingerprint } from '../instances/fingerprint.ts';
import type { Actor } from '../../platform/slack/ids.ts';
import { person, type Phrase, say } from '../../platform/slack/phrase.ts';

/** Somebody else pressed what was asked of one person. */
export function foreign({ userId }: Actor): Phrase {
  return say`That was asked of ${person(userId)}, who can still confirm it. Nothing was done for you; ask yourself if you want it.`;
}

/** Confirmed too late. */
export function expired(instance?: Fingerprint): Phrase {
  const what = instance ? say` about ${nameOf(instance)}` : say``;
  return say`That question${what} has expired, so nothing was done. Ask again.`;
}
