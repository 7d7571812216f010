import { setTimeout as wait } from 'node:timers/promises';
import type { Ask } from '../feature.ts';
import { slackErrorOf } from './errors.ts';
import type { Message } from './message.ts';
import type { Messenger } from './messenger.ts';
import { respond } from './response-url.ts';

/** Private answers: over the response_url while it serves, else as an ephemeral message where it was asked. */
export interface Responder {
  /**
   * Tries again for a while when neither way works: told twice is a nuisance, told never is a person left waiting.
   * Throws SlackError in the end.
   */
  tell(ask: Pick<Ask, 'responseUrl' | 'replaces' | 'actor' | 'place'>, message: Message): Promise<void>;
}

const PAUSES_MS = [250, 500, 1_000, 2_000, 4_000];

export function createResponder(messenger: Messenger, timeoutMs: number): Responder {
  const tellOnce: Responder['tell'] = async (ask, message) => {
    if (ask.responseUrl !== undefined) {
      try {
        await respond(ask.responseUrl, message, { replaces: ask.replaces, timeoutMs });
        return;
      } catch {
        // Expired or used up: an ephemeral message says the same.
      }
    }
    await messenger.whisper(ask.place, ask.actor.userId, message);
  };
  return {
    tell: async (ask, message) => {
      for (const pauseMs of PAUSES_MS) {
        try {
          return await tellOnce(ask, message);
        } catch (error) {
          const { dead, retryAfterMs } = slackErrorOf(error);
          if (dead) throw error;
          await wait(retryAfterMs ?? pauseMs);
        }
      }
      await tellOnce(ask, message);
    },
  };
}
