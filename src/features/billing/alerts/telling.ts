import { type OutboxStep, lastStep, nextStep, stepDueAt } from '../../../core/outbox/outbox-message.ts';
import { contentHash } from '../../../core/outbox/content-hash.ts';
import type { Message } from '../../../platform/slack/message.ts';
import type { Timings } from '../../../core/timings.ts';
import { type Alarm, asksForSomebody, type Episode, isStanding, type Notice } from './alarm.ts';

/** What is to be sent of an alarm, as pure functions. `Words` gives the message of a notice as things stand. */
export type Words = (episode: Episode, notice: Notice) => Message;

/** The next thing to do for one message, and when. */
export interface Telling {
  readonly episode: Episode;
  readonly notice: Notice;
  readonly step: OutboxStep;
  readonly dueAt: number;
}

/** Everything that is to be sent, the soonest first. */
export function tellings(alarm: Alarm, words: Words, timings: Timings): Telling[] {
  return alarm.episodes
    .flatMap((episode) =>
      episode.notices.flatMap((notice) => tellingOf(episode, notice, words, timings) ?? []),
    )
    .toSorted((one, other) => one.dueAt - other.dueAt);
}

function tellingOf(episode: Episode, notice: Notice, words: Words, timings: Timings): Telling | undefined {
  const { message, kind, movedTo } = notice;
  // The card is edited, what asks for somebody and what moved; what else was posted stays as it was true then.
  const isEdited = kind === 'card' || asksForSomebody(kind) || movedTo !== undefined;
  const contentKey = isEdited ? contentHash(words(episode, notice)) : (message.shown ?? '');
  const isPosted = !isEdited && message.state === 'sent';
  const step = (isPosted ? undefined : nextStep(message, contentKey)) ?? lastStep(message);
  return step && { episode, notice, step, dueAt: stepDueAt(message, step, contentKey, timings) };
}

/** The alarm without what nobody has to hear of any more. */
export function forgotten(alarm: Alarm, words: Words, timings: Timings): Alarm {
  const open = new Set(tellings(alarm, words, timings).map(({ notice }) => notice.message.key));
  const episodes = alarm.episodes
    .map((episode) => ({
      ...episode,
      notices: episode.notices.filter(
        (notice) => open.has(notice.message.key) || isStanding(episode, notice),
      ),
    }))
    .filter(({ closed, notices }) => closed === undefined || notices.length > 0);
  return { ...alarm, episodes };
}
