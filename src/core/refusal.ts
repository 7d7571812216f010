import type { Message } from '../platform/slack/message.ts';
import type { Phrase } from '../platform/slack/phrase.ts';
import { type Instead, oneOf } from './ask/mend-words.ts';
import type { RefusalCode } from './refusal-words.ts';

/** A no that the person can act on. Its words are shown as they are; it is never retried. */
export class Refusal extends Error {
  readonly code: RefusalCode;
  readonly answer: Message;
  /** What may have been meant in its place. */
  readonly instead: Instead;

  constructor(code: RefusalCode, answer: Phrase | Message, instead: Instead = oneOf()) {
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
