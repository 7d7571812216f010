import { Refusal } from '../../core/refusal.ts';
import { type Phrase, say } from '../../platform/slack/phrase.ts';

/** Throws a Refusal where words follow a verb that takes none: dropped, they would make the answer one to another question. */
export function refuseWords(words: readonly string[], instead: Phrase): void {
  if (words.length === 0) return;
  throw new Refusal('bad-option', say`I don't know "${words.join(' ')}" here. ${instead}`);
}
