import { type DeliveryStep, lastStep, nextStep, stepDueAt } from '../../../core/outbox/delivery.ts';
import { contentHash } from '../../../core/outbox/content-hash.ts';
import type { Message } from '../../../platform/slack/message.ts';
import type { Timings } from '../../../core/timings.ts';
import { type Alarm, type Episode, isMain, type Notice } from './alarm.ts';

/** What is to be told of an alarm, as pure functions. `Words` gives the message of a notice as things stand. */
export type Words = (episode: Episode, notice: Notice) => Message;

/** The next thing to do for one message, and when. */
export interface Telling {
  readonly episode: Episode;
  readonly notice: Notice;
  readonly step: DeliveryStep;
  readonly dueAt: number;
}

/** Everything that is to be told, the soonest first. */
export function tellings(alarm: Alarm, words: Words, timings: Timings): Telling[] {
  return alarm.episodes
    .flatMap((episode) =>
      episode.notices.flatMap((notice) => tellingOf(episode, notice, words, timings) ?? []),
    )
    .toSorted((one, other) => one.dueAt - other.dueAt);
}

function tellingOf(episode: Episode, notice: Notice, words: Words, timings: Timings): Telling | undefined {
  const { delivery, kind, movedTo } = notice;
  // Only the card is edited, and what moved; what was posted stays as it was true then.
  const isEdited = kind === 'card' || movedTo !== undefined;
  const face = isEdited ? contentHash(words(episode, notice)) : (delivery.shown ?? '');
  const isPosted = !isEdited && delivery.state === 'sent';
  const step = (isPosted ? undefined : nextStep(delivery, face)) ?? lastStep(delivery);
  return step && { episode, notice, step, dueAt: stepDueAt(delivery, step, face, timings) };
}

/** The alarm without what nobody has to hear of any more. */
export function forgotten(alarm: Alarm, words: Words, timings: Timings): Alarm {
  const open = new Set(tellings(alarm, words, timings).map(({ notice }) => notice.delivery.key));
  const episodes = alarm.episodes
    .map((episode) => ({
      ...episode,
      notices: episode.notices.filter(
        ({ kind, delivery, movedTo }) =>
          open.has(delivery.key) || (isMain(kind) && movedTo === undefined && episode.closed === undefined),
      ),
    }))
    .filter(({ closed, notices }) => closed === undefined || notices.length > 0);
  return { ...alarm, episodes };
}
