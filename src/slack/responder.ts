import type { Ask } from '../feature.ts';
import type { Message } from './message.ts';
import type { Messenger } from './messenger.ts';
import { respond } from './response-url.ts';

/** Private answers: over the response_url while it serves, else as an ephemeral message where it was asked. */
export interface Responder {
  /** Throws SlackError when neither way works. */
  tell(ask: Pick<Ask, 'responseUrl' | 'replaces' | 'actor' | 'place'>, message: Message): Promise<void>;
}

export function createResponder(messenger: Messenger, timeoutMs: number): Responder {
  return {
    tell: async (ask, message) => {
      if (ask.responseUrl !== undefined) {
        try {
          await respond(ask.responseUrl, message, { replaces: ask.replaces, timeoutMs });
          return;
        } catch {
          // Expired or used up: an ephemeral message says the same.
        }
      }
      await messenger.whisper(ask.place, ask.actor.userId, message);
    },
  };
}
