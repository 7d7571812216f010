import type { Message } from '../../platform/slack/message.ts';
import type { Ask } from '../ask/ask.ts';
import type { Offers } from '../offers/offers.ts';
import { CANCEL_QUESTION } from '../ask/question.ts';
import { answerKept, askedOf, keepWords } from './kept-words.ts';

/** A pick, with the words that it completes. Throws a Refusal where what asked for it was canceled. */
export async function completePick(offers: Offers, ask: Ask): Promise<Ask> {
  if (ask.picked === undefined) return ask;
  const { value, ...pick } = ask;
  const kept = value === undefined ? undefined : await answerKept(offers, value, ask);
  const at = value === undefined ? {} : { pickedIn: value };
  return { ...pick, ...at, words: [...(kept?.words ?? [])] };
}

/** An answer whose picker keeps the words that were typed, and whom it asks. */
export async function keepTyped(offers: Offers, ask: Ask, answer: Message): Promise<Message> {
  const { picker, buttons = [] } = answer;
  const isQuestion = buttons.some(({ routeId }) => routeId === CANCEL_QUESTION);
  if (!picker || (ask.words.length === 0 && !isQuestion)) return answer;
  const keeps = await keepWords(offers, ask.words, isQuestion ? askedOf(ask) : {});
  return keeps === undefined ? answer : { ...answer, picker: { ...picker, keeps } };
}
