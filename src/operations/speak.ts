import type { Log } from '../log/log.ts';
import type { RedisClock } from '../redis/clock.ts';
import { type SlackError, slackErrorOf } from '../slack/errors.ts';
import type { Message } from '../slack/message.ts';
import type { Address, Messenger } from '../slack/messenger.ts';
import type { Timings } from '../timings.ts';
import type { Lane } from './drive.ts';
import type { Operation } from './operation.ts';
import type { Operations } from './operations.ts';
import * as speech from './speech.ts';

export interface SpeakDeps {
  readonly operations: Operations;
  readonly messenger: Messenger;
  readonly clock: RedisClock;
  readonly timings: Timings;
  readonly log: Log;
}

/** The lane that speaks: one card, edited to its end, and one reply. Posts are written down before they leave. */
export function createSpeak(deps: SpeakDeps): Lane {
  const { operations, messenger, clock, timings, log } = deps;

  const messageOf = (operation: Operation, part: speech.Part): Message =>
    part === 'card' ? operations.cardOf(operation) : operations.replyOf(operation);

  const addressOf = (operation: Operation, part: speech.Part): Address => {
    const { place, card } = operation;
    const { fallback } = operation[part];
    if (fallback !== undefined) return { channelId: fallback };
    if (part === 'card') return place;
    // Where the card is gone, the reply stands by itself.
    if (card.state !== 'sent' || card.channelId === undefined) return place;
    const threadTs = card.fallback === undefined ? (place.threadTs ?? card.ts) : card.ts;
    return { channelId: card.channelId, threadTs };
  };

  const post = async (operation: Operation, part: speech.Part): Promise<void> => {
    const { id } = operation;
    const before = performance.now();
    const written = await operations.change(id, (now) =>
      speech.startPosting(now, part, speech.digest(messageOf(now, 'card')), clock.now()),
    );
    if (!written) return;
    const { postingAt } = written[part];
    if (performance.now() - before > timings.sendWithinMs) {
      await operations.change(id, (now) => speech.notPosted(now, part, postingAt, undefined, clock.now()));
      return;
    }
    try {
      const at = await messenger.post(addressOf(written, part), messageOf(written, part), written[part].key);
      await operations.change(id, (now) => speech.posted(now, part, postingAt, at, clock.now()));
    } catch (error) {
      const fault = faultOf(operation, `posting the ${part}`, error);
      // An answer that was lost is looked up later; what certainly did not arrive goes out again.
      if (fault.outcome === 'unknown') return;
      const next = fault.dead ? await redirect(written, part, fault) : fault;
      if (next)
        await operations.change(id, (now) => speech.notPosted(now, part, postingAt, next, clock.now()));
    }
  };

  /**
   * A channel the bot can't post to: the message goes to the asker alone rather than to nobody. Gives what stands
   * in the way, if anything does.
   */
  const redirect = async (
    operation: Operation,
    part: speech.Part,
    fault: SlackError,
  ): Promise<SlackError | undefined> => {
    if (operation[part].fallback !== undefined) return fault;
    try {
      const channelId = await messenger.directChannel(operation.actor.userId);
      log.warn({ operation: operation.id, code: fault.code }, 'posting to direct messages instead');
      await operations.change(operation.id, (now) =>
        speech.redirected(now, part, operation[part].postingAt, channelId, clock.now()),
      );
      return undefined;
    } catch (error) {
      return faultOf(operation, 'opening direct messages', error);
    }
  };

  const find = async (operation: Operation, part: speech.Part): Promise<void> => {
    const { id } = operation;
    const delivery = operation[part];
    try {
      const found = await messenger.findAll(
        addressOf(operation, part),
        delivery.key,
        delivery.postingAt ?? 0,
      );
      await operations.change(id, (now) =>
        speech.lookedUp(now, part, delivery.postingAt, found, clock.now()),
      );
    } catch (error) {
      const fault = faultOf(operation, `looking for the ${part}`, error);
      await operations.change(id, (now) =>
        speech.notFound(now, part, delivery.postingAt, fault, clock.now()),
      );
    }
  };

  /** Takes away what stands beside the message that the record knows. */
  const tidy = async (operation: Operation, part: speech.Part): Promise<void> => {
    const { id } = operation;
    const { key, strayAt = 0, ts } = operation[part];
    try {
      const found = await messenger.findAll(addressOf(operation, part), key, strayAt);
      for (const one of found.filter((stray) => stray.ts !== ts)) await messenger.remove(one);
      await operations.change(id, (now) => speech.tidied(now, part, strayAt));
    } catch (error) {
      const fault = faultOf(operation, `looking for a second ${part}`, error);
      await operations.change(id, (now) => speech.notTidied(now, part, strayAt, fault, clock.now()));
    }
  };

  const edit = async (operation: Operation): Promise<void> => {
    const { id } = operation;
    const before = performance.now();
    const written = await operations.change(id, (now) => speech.startEditing(now, clock.now(), timings));
    if (!written) return;
    const { editingAt } = written.card;
    // Whoever slept meanwhile must not put an old face over a newer one.
    if (performance.now() - before > timings.sendWithinMs) {
      await operations.change(id, (now) => speech.notEditing(now, editingAt));
      return;
    }
    const { card } = written;
    if (card.channelId === undefined || card.ts === undefined)
      throw new Error(`operation ${id}: a card without address`);
    const message = messageOf(written, 'card');
    try {
      await messenger.update({ channelId: card.channelId, ts: card.ts }, message, card.key);
      await operations.change(id, (now) =>
        speech.edited(now, editingAt, speech.digest(message), clock.now()),
      );
    } catch (error) {
      const fault = faultOf(operation, 'editing the card', error);
      await operations.change(id, (now) => speech.notEdited(now, editingAt, fault, clock.now(), timings));
    }
  };

  const faultOf = (operation: Operation, doing: string, error: unknown): SlackError => {
    const fault = slackErrorOf(error);
    log.warn({ operation: operation.id, code: fault.code, outcome: fault.outcome }, doing);
    return fault;
  };

  return async (operation) => {
    const face = speech.digest(messageOf(operation, 'card'));
    const step = speech.nextSpeech(operation, face, clock.now(), timings);
    if (!step) return false;
    if (step.do === 'post') await post(operation, step.part);
    else if (step.do === 'find') await find(operation, step.part);
    else if (step.do === 'tidy') await tidy(operation, step.part);
    else if (step.do === 'edit') await edit(operation);
    else await operations.change(operation.id, (now) => speech.closed(now, clock.now()));
    return true;
  };
}
