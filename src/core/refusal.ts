import type { Message } from '../platform/slack/message.ts';
import type { Phrase } from '../platform/slack/phrase.ts';
import type { RefusalCode } from './refusal-words.ts';

/**
 * What may have been meant by the words after a verb that were refused: each list in their place, as a button beside the refusal.
 * None where nobody can tell. Pure.
 */
export type Instead = (words: readonly string[]) => readonly (readonly string[])[];

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
