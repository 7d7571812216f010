import { notReadable, wordsForgotten } from './messages.ts';
import { findKept, keepWords } from './kept-words.ts';
import type { Offers } from '../offers/offers.ts';
import { isRedisAway } from '../../platform/redis/away.ts';
import type { Button } from '../../platform/slack/message.ts';
import type { Phrase } from '../../platform/slack/phrase.ts';
import type { Ask } from '../ask/ask.ts';

/** The part of an ask that typed words give. */
type TypedAsk = Pick<Ask, 'words' | 'letters' | 'isVerbless' | 'line'>;

/** What stands before the id of words, in the value of a button. */
const MARK = 'typed:';

/**
 * A button that asks what was typed, as if its presser typed it: rights, the instance and all else are checked then.
 * Undefined where the words can't be kept.
 */
export async function typedButton(
  offers: Offers,
  label: string,
  { route, words, letters, isVerbless, line }: TypedAsk & Pick<Ask, 'route'>,
): Promise<Button | undefined> {
  const id = await keepWords(offers, words, { letters, isVerbless, line });
  return id === undefined ? undefined : { label, routeId: route, value: `${MARK}${id}` };
}

/** What a button's value asks for: the words that it stands for, or the value itself. `no`: the words can't be had. */
export async function askedByValue(
  offers: Pick<Offers, 'find'>,
  value: string | undefined,
): Promise<(TypedAsk & Pick<Ask, 'value'>) | { readonly no: Phrase }> {
  if (!value?.startsWith(MARK)) return { words: [], value };
  try {
    const kept = await findKept(offers, value.slice(MARK.length));
    return kept === undefined ? { no: wordsForgotten() } : kept;
  } catch (error) {
    if (!isRedisAway(error)) throw error;
    return { no: notReadable(error) };
  }
}
