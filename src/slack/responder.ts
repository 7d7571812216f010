import { setTimeout as wait } from 'node:timers/promises';
import type { Ask } from '../feature.ts';
import { slackErrorOf } from './errors.ts';
import type { Message, Modal } from './message.ts';
import type { Messenger } from './messenger.ts';
import { respond } from './response-url.ts';

/**
 * Private answers: as a modal where the answer has one and Slack opens it, else over the response_url while it serves,
 * else as an ephemeral message where it was asked, else as a direct message.
 */
export interface Responder {
  /**
   * Tries again for a while when neither way works: told twice is a nuisance, told never is a person left waiting.
   * Throws SlackError in the end.
   */
  tell(
    ask: Pick<Ask, 'id' | 'responseUrl' | 'replaces' | 'actor' | 'place' | 'triggerId'>,
    message: Message,
  ): Promise<void>;
}

const PAUSES_MS = [250, 500, 1_000, 2_000];

export function createResponder(messenger: Messenger, timeoutMs: number): Responder {
  /** A client or workspace that refuses a chart gets the same without one. */
  const tellOnce: Responder['tell'] = async (ask, { chart, ...plainly }) => {
    if (chart) {
      try {
        return await tellPlainly(ask, { ...plainly, chart });
      } catch (error) {
        if (slackErrorOf(error).code !== 'invalid_blocks') throw error;
      }
    }
    await tellPlainly(ask, plainly);
  };
  const tellPlainly: Responder['tell'] = async (ask, message) => {
    if (ask.responseUrl !== undefined) {
      try {
        await respond(ask.responseUrl, message, { replaces: ask.replaces, timeoutMs });
        return;
      } catch (error) {
        // What was refused for its blocks would be so anywhere.
        if (slackErrorOf(error).code === 'invalid_blocks') throw error;
        // Expired or used up: an ephemeral message says the same.
      }
    }
    try {
      await messenger.whisper(ask.place, ask.actor.userId, message);
    } catch (error) {
      const fault = slackErrorOf(error);
      if (!fault.dead || fault.code === 'invalid_blocks') throw fault;
      // A channel that the bot can't write to, or that the person left.
      await messenger.post({ channelId: await messenger.directChannel(ask.actor.userId) }, message, ask.id);
    }
  };
  /** Whether the modal stands open; where not, the message says the same, with a button that opens it. */
  const opens = async (triggerId: string, modal: Modal, place: Ask['place']): Promise<boolean> => {
    try {
      await messenger.openModal(triggerId, modal, place);
      return true;
    } catch (error) {
      // Used up: by a first try whose answer got lost.
      return slackErrorOf(error).code === 'exchanged_trigger_id';
    }
  };
  return {
    tell: async (ask, message) => {
      if (
        message.modal &&
        ask.triggerId !== undefined &&
        (await opens(ask.triggerId, message.modal, ask.place))
      )
        return;
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
