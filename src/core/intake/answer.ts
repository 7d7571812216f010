import type { Ask } from '../ask/ask.ts';
import { slackErrorOf } from '../../platform/slack/errors.ts';
import type { Message } from '../../platform/slack/message.ts';
import type { Phrase } from '../../platform/slack/phrase.ts';
import type { Recipient, Responder } from '../../platform/slack/responder.ts';
import { createDecide, type Decide } from './decide.ts';
import type { Route } from './route.ts';
import { sayAbout, type SayNoDeps } from './say-no.ts';
import type { ReadSentence } from './sentence.ts';

/** The request edge. */
export interface Answer {
  readonly decide: Decide;
  /** A no that was decided elsewhere, which says what it is about. Never throws. */
  refuse(ask: Ask, route: Route, no: Phrase): Promise<Message>;
  /**
   * Tells the person alone. `not yet`: Slack is in trouble, and another try may get through; `never`: it won't. Never
   * throws: a fault is logged.
   */
  tell(recipient: Recipient, reply: Message): Promise<'delivered' | 'not yet' | 'never'>;
  /** Whether a reply can be sent with the acknowledgement of its request. */
  fitsAcknowledgement(reply: Message): boolean;
}

export function createAnswer(
  deps: SayNoDeps & { readonly responder: Responder; readonly readSentence: ReadSentence },
): Answer {
  const { responder, log } = deps;
  return {
    decide: createDecide(deps),
    fitsAcknowledgement: (reply) => responder.fitsAcknowledgement(reply),
    refuse: (ask, route, no) => sayAbout(deps, ask, route, { lines: [no] }, true, 'refuse'),
    tell: async (recipient, reply) => {
      try {
        await responder.tell(recipient, reply);
        return 'delivered';
      } catch (error) {
        const { code, dead } = slackErrorOf(error);
        log.warn({ request: recipient.id, by: recipient.actor.userId, code }, 'answering the person');
        return dead ? 'never' : 'not yet';
      }
    },
  };
}
