import { type Phrase, plain, say } from '../platform/slack/phrase.ts';

const MAX_SHOWN = 200;

/** What a service said itself, as a sentence to append; empty where it said nothing. */
export function serviceSaid(said: string | undefined): Phrase {
  if (said === undefined) return say``;
  const shown = plain(said, MAX_SHOWN);
  // A sentence of its own has its stop already.
  return /[.!?…]$/u.test(shown) ? say` The service said: "${shown}"` : say` The service said: "${shown}".`;
}
