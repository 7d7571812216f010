import { nameOf } from '../instances/messages.ts';
import { person, type Phrase, say } from '../../platform/slack/phrase.ts';
import type { Confirmation } from './confirmation.ts';

/** Somebody else pressed what was asked of one person. */
export function foreign(confirmation: Confirmation): Phrase {
  return say`That was asked of ${person(confirmation.actor.userId)}, who can still confirm it. Nothing was done for you; ask yourself if you want it.`;
}

/** Confirmed too late. */
export function expired(confirmation?: Confirmation): Phrase {
  const what = confirmation ? say` about ${nameOf(confirmation.instance)}` : say``;
  return say`That question${what} has expired, so nothing was done. Ask again.`;
}
