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
  if (isOverUnsaid(episode, notice)) return undefined;
  const { message, kind, movedTo } = notice;
  // The card is edited, what asks for somebody and what moved; what else was posted stays as it was true then.
  const isEdited = kind === 'card' || asksForSomebody(kind) || movedTo !== undefined;
  const contentKey = isEdited ? contentHash(words(episode, notice)) : (message.shown ?? '');
  const isPosted = !isEdited && message.state === 'sent';
  const step = (isPosted ? undefined : nextStep(message, contentKey)) ?? lastStep(message);
  return step && { episode, notice, step, dueAt: stepDueAt(message, step, contentKey, timings) };
}

/** What says that an episode is over. */
const ENDS: ReadonlySet<Notice['kind']> = new Set(['recovered', 'seen-again']);

/**
 * Whether its episode ended while it was on its way, and Slack didn't take it; of an end, whether nobody has heard of what ended, as far
 * as is known by now.
 */
function isOverUnsaid({ closed, notices }: Episode, notice: Notice): boolean {
  if (closed === undefined || notice.message.state !== 'waiting') return false;
  if (!ENDS.has(notice.kind)) return true;
  const others = notices.filter(({ kind }) => !ENDS.has(kind));
  return (
    others.length > 0 && others.every(({ message: { state } }) => state === 'waiting' || state === 'posting')
  );
}

/** The alarm without what nobody has to hear of any more. */
export function forgotten(alarm: Alarm, words: Words, timings: Timings): Alarm {
  const open = new Set(tellings(alarm, words, timings).map(({ notice }) => notice.message.key));
  const episodes = alarm.episodes
    .map((episode) => {
      // What waits for how another fares is kept with that.
      const isOpen = episode.notices.some(({ message }) => open.has(message.key));
      const isKept = (notice: Notice): boolean =>
        open.has(notice.message.key) ||
        isStanding(episode, notice) ||
        (isOpen && notice.message.state === 'waiting');
      return { ...episode, notices: episode.notices.filter(isKept) };
    })
    .filter(({ closed, notices }) => closed === undefined || notices.length > 0);
  return { ...alarm, episodes };
}
