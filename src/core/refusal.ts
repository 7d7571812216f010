import type { Message } from '../platform/slack/message.ts';
import type { Phrase } from '../platform/slack/phrase.ts';
import type { RefusalCode } from './refusal-words.ts';

/** A no that the person can act on. Its words are shown as they are; it is never retried. */
export class Refusal extends Error {
  readonly code: RefusalCode;
  readonly answer: Message;

  constructor(code: RefusalCode, answer: Phrase | Message) {
    // Nobody reads its stack, and a stack takes as long as finding the word that was meant.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(code);
    Error.stackTraceLimit = stackTraceLimit;
    this.name = 'Refusal';
    this.code = code;
    this.answer = 'lines' in answer ? answer : { lines: [answer] };
  }
}
