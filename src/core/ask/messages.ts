import { type Phrase, say } from '../../platform/slack/phrase.ts';

/** What was asked came to its turn too late to be done without asking again. */
export function tooLate(): Phrase {
  return say`It took me too long to get to what you asked for, so nothing was done. Ask again if you still want it.`;
}
