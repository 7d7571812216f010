import type { Message } from '../../platform/slack/message.ts';
import type { Ask } from '../ask/ask.ts';
import type { Offers } from '../offers/offers.ts';
import { findWords, keepWords } from './kept-words.ts';

/** A pick, with the words that it completes. */
export async function completePick(offers: Offers, ask: Ask): Promise<Ask> {
  if (ask.picked === undefined) return ask;
  const { value, ...pick } = ask;
  const words = value === undefined ? undefined : await findWords(offers, value);
  const at = value === undefined ? {} : { pickedIn: value };
  return { ...pick, ...at, words: [...(words ?? [])] };
}

/** An answer whose picker keeps the words that were typed. */
export async function keepTyped(offers: Offers, ask: Ask, answer: Message): Promise<Message> {
  const { picker } = answer;
  if (!picker || ask.words.length === 0) return answer;
  const keeps = await keepWords(offers, ask.words);
  return keeps === undefined ? answer : { ...answer, picker: { ...picker, keeps } };
}
