import type { Message } from '../platform/slack/message.ts';
import type { Phrase } from '../platform/slack/phrase.ts';
import type { RefusalCode } from './refusal-words.ts';

/**
 * What is missing among the words of a request, and how it is asked for: as one of all people or channels, as a text that is
 * one word however long it is, or in words as they are typed in a request.
 */
export interface Gap {
  readonly asks: 'person' | 'channel' | 'text' | 'words';
  /** Its name, and for words an example of them. */
  readonly label: string;
}

/**
 * What may have been meant by the words after a verb that were refused: each list in their place, as a button beside the refusal,
 * and one with a gap as what fills it. None where nobody can tell. Pure.
 */
export type Instead = (words: readonly string[]) => readonly (readonly (string | Gap)[])[];

/** A no that the person can act on. Its words are shown as they are; it is never retried. */
export class Refusal extends Error {
  readonly code: RefusalCode;
  readonly answer: Message;
  /** What may have been meant in its place. */
  readonly instead: Instead;

  constructor(code: RefusalCode, answer: Phrase | Message, instead: Instead = () => []) {
    // Nobody reads its stack, and a stack takes as long as finding the word that was meant.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(code);
    Error.stackTraceLimit = stackTraceLimit;
    this.name = 'Refusal';
    this.code = code;
    this.instead = instead;
    this.answer = 'lines' in answer ? answer : { lines: [answer] };
  }
}
