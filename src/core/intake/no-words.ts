import { oneOf } from '../ask/mend-words.ts';
import { Refusal } from '../refusal.ts';
import { say } from '../../platform/slack/phrase.ts';
import type { Route } from './route.ts';

/** Throws a Refusal for words after a route that takes none: dropped, they would make the answer one to another question. */
export function refuseWordsAfter(
  { usage, verb, instead = say`${verb} takes no words.` }: Pick<Route, 'usage' | 'verb' | 'instead'>,
  words: readonly string[],
): void {
  if (usage !== '' || words.length === 0) return;
  throw new Refusal('bad-option', say`I don't know "${words.join(' ')}" here. ${instead}`, oneOf([]));
}
