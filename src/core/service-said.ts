import { type Phrase, plain, say } from '../platform/slack/phrase.ts';

const MAX_SHOWN = 200;

/** What a service said itself, as a sentence to append; empty where it said nothing. */
export function serviceSaid(said: string | undefined): Phrase {
  return said === undefined ? say`` : say` The service said: "${plain(said, MAX_SHOWN)}".`;
}
