import type { BotAnswer } from '../bot/door.ts';
import type { Json } from '../json.ts';
import type { Channel } from '../workspace/channel.ts';
import type { PostedMessage } from '../workspace/posted-message.ts';

/** What is known of a person's act besides the bot's answer. */
export interface InteractionDetails {
  readonly channel?: Channel;
  readonly userId: string;
  readonly since: number;
  readonly triggerId?: string;
  readonly responseUrl?: string;
  readonly message?: PostedMessage;
  readonly errors?: Json;
}

/** One act of a person and what came of it. `status` is 0 when the bot was not asked or did not answer. */
export class Interaction {
  readonly status: number;
  readonly body: string;
  /** What the person reads when the bot failed: `operation_timeout` or `dispatch_failed`. */
  readonly error: string | undefined;
  /** For `slack.replay` and `slack.retry`; undefined when nothing was sent. */
  readonly requestId: string | undefined;
  readonly triggerId: string | undefined;
  readonly responseUrl: string | undefined;
  /** What the person said, if it became a message. */
  readonly message: PostedMessage | undefined;
  /** The faults that a submitted view came back with, by block id. */
  readonly errors: Json | undefined;
  readonly #details: InteractionDetails;

  constructor(answer: BotAnswer | undefined, details: InteractionDetails) {
    this.status = answer?.status ?? 0;
    this.body = answer?.body ?? '';
    this.error = answer && (answer.error ?? (answer.status === 200 ? undefined : 'dispatch_failed'));
    this.requestId = answer?.requestId;
    this.triggerId = details.triggerId;
    this.responseUrl = details.responseUrl;
    this.message = details.message;
    this.errors = details.errors;
    this.#details = details;
  }

  /** What was shown to this person alone since they acted; grows as the bot answers. */
  get ephemeral(): PostedMessage[] {
    const { channel, since, userId } = this.#details;
    const shown = channel?.history.slice(since) ?? [];
    return shown.filter((message) => message.ephemeralFor === userId && !message.deleted);
  }
}
