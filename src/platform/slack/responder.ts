import { setTimeout as wait } from 'node:timers/promises';
import { isWithin } from './incoming-request.ts';
import { type Actor, isDirect, type SlackPlace } from './ids.ts';
import { slackErrorOf } from './errors.ts';
import { inFormsTaken } from './forms.ts';
import type { Message, Modal } from './message.ts';
import type { Messenger, Posted } from './messenger.ts';
import { createPartsTaken } from './parts-taken.ts';
import { acknowledgement, type AnswerOptions, respond } from './response-url.ts';

/** Who is answered, and the ways to them. */
export interface Recipient {
  /** Marks a direct message, so that it can be found. */
  readonly id: string;
  readonly actor: Actor;
  readonly place: SlackPlace;
  readonly responseUrl?: string;
  /** With it Slack opens a modal, once and for three seconds. */
  readonly triggerId?: string;
  /** Whether the answer takes the place of the private message whose element was pressed. */
  readonly replaces: boolean;
}

/**
 * Private answers: as a modal where the answer has one and Slack opens it, else over the response_url while it serves,
 * else as an ephemeral message where it was asked, else as a direct message. In direct messages it is an ordinary one:
 * nobody else reads there, and it stays until the person looks.
 */
export interface Responder {
  /**
   * Tries again for a while when neither way works: an answer that comes twice is a nuisance, one that never comes leaves a
   * person waiting. Gives what stands in direct messages, where people can go on below it. Throws SlackError in the end.
   */
  tell(recipient: Recipient, message: Message): Promise<Posted | undefined>;
  /**
   * Whether a message can be sent with an acknowledgement of at most so many bytes: nobody hears whether Slack takes that, so it holds nothing that
   * Slack has not taken before.
   */
  fitsAcknowledgement(message: Message, maxBytes: number): boolean;
}

const PAUSES_MS = [250, 500, 1_000, 2_000];
/** A job does not sleep for longer: what Slack puts off further is sent by a later try. */
const MAX_PAUSE_MS = 5_000;

export function createResponder(messenger: Messenger, options: AnswerOptions): Responder {
  const taken = createPartsTaken();
  const tellOnce: Responder['tell'] = async ({ id, responseUrl, replaces, place, actor }, message) => {
    if (responseUrl !== undefined) {
      try {
        await inFormsTaken(message, async (form) => {
          await respond(responseUrl, message, { ...options, replaces, form });
          taken.add(message, form);
        });
        return undefined;
      } catch {
        // Expired or used up: an ephemeral message says the same.
      }
    }
    if (isDirect(place.channelId)) {
      return inFormsTaken(message, (form) => messenger.post(place, message, id, form));
    }
    try {
      await inFormsTaken(message, (form) => messenger.whisper(place, actor.userId, message, form));
      return undefined;
    } catch (error) {
      if (!slackErrorOf(error).dead) throw error;
      // A channel that the bot can't write to, or that the person left.
      const direct = { channelId: await messenger.directChannel(actor.userId) };
      return inFormsTaken(message, (form) => messenger.post(direct, message, id, form));
    }
  };
  /** Whether the modal stands open; where not, the message says the same, with a button that opens it. */
  const opens = async (triggerId: string, modal: Modal, place: SlackPlace): Promise<boolean> => {
    try {
      await messenger.openModal(triggerId, modal, place);
      return true;
    } catch (error) {
      // Used up: by a first try whose answer got lost.
      return slackErrorOf(error).code === 'exchanged_trigger_id';
    }
  };
  return {
    fitsAcknowledgement: (message, maxBytes) =>
      !message.modal && taken.has(message) && isWithin(maxBytes, acknowledgement(message)),
    tell: async (recipient, message) => {
      const { triggerId, place } = recipient;
      if (message.modal && triggerId !== undefined && (await opens(triggerId, message.modal, place)))
        return undefined;
      for (const pauseMs of PAUSES_MS) {
        try {
          return await tellOnce(recipient, message);
        } catch (error) {
          const { dead, retryAfterMs } = slackErrorOf(error);
          if (dead || (retryAfterMs ?? 0) > MAX_PAUSE_MS) throw error;
          await wait(retryAfterMs ?? pauseMs);
        }
      }
      return tellOnce(recipient, message);
    },
  };
}
