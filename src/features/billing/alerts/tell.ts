import { type MessageSource, type Addressee, contentHash } from '../../../core/outbox/message-source.ts';
import { channelOf } from '../../../core/outbox/reach.ts';
import { createDeliver } from '../../../core/outbox/deliver.ts';
import {
  type OutboxMessage,
  type OutboxStep,
  lastStep,
  nextStep,
  stepDueAt,
} from '../../../core/outbox/outbox-message.ts';
import type { JobHandler } from '../../../platform/queue/run-job.ts';
import { type Alarm, type Episode, isMain, type Notice, asksForSomebody, isStanding } from './alarm.ts';
import type { Billing } from '../billing.ts';
import type { Message } from '../../../platform/slack/message.ts';
import type { Timings } from '../../../core/timings.ts';

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
function forgotten(alarm: Alarm, words: Words, timings: Timings): Alarm {
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

export const TELL_JOB = 'billing.tell';

/** Sends what the alarm's record says is to be sent, message by message, until nothing is due. */
export function createTell(deps: Billing, words: Words): JobHandler {
  const { alarms, admins, clock, timings } = deps;
  const deliver = createDeliver(deps);

  const sourceOf = ({ notice: { message, kind } }: Telling, channelId: string): MessageSource<Alarm> => {
    const { key } = message;
    const getFrom = (alarm: Alarm): FoundAlert => {
      const found = find(alarm, key);
      if (!found) throw new Error(`no notice ${key}`);
      return found;
    };
    return {
      of: { alert: key },
      name: kind,
      messageOf: (alarm) => getFrom(alarm).notice.message,
      contentOf: (alarm) => words(getFrom(alarm).episode, getFrom(alarm).notice),
      contentKeyOf: (alarm) => contentHash(words(getFrom(alarm).episode, getFrom(alarm).notice)),
      // By the record: the alert may have moved since `channelId` was looked up.
      addressOf: (alarm) => {
        const { to, message: now } = getFrom(alarm).notice;
        return { channelId: now.fallback ?? ('channelId' in to ? to.channelId : channelId) };
      },
      sinceOf: (alarm) => getFrom(alarm).notice.at,
      fallbacksOf: (alarm) => fallbacksOf(admins(), getFrom(alarm)),
      // Better warned twice than not at all.
      isBetterTwice: true,
      change: (move, beside) =>
        alarms.change((alarm) => withMessage(alarm, key, (now) => move(now, alarm)), beside),
    };
  };

  const tell = async (telling: Telling): Promise<void> => {
    const { notice, step } = telling;
    const alarm = await alarms.get();
    const { key } = notice.message;
    const found = find(alarm, key);
    if (!found) return;
    const { to, at: since, message } = found.notice;
    const sent = { of: { alert: key }, to, since, message, fallbacks: fallbacksOf(admins(), found) };
    const channelId = await channelOf(deps, sent, (move) =>
      alarms.change((now) => withMessage(now, key, move)),
    );
    if (channelId !== undefined) await deliver(sourceOf(telling, channelId), alarm, step);
  };

  return async (_id, signal) => {
    while (!signal.aborted) {
      const alarm = await alarms.get();
      const [next] = tellings(alarm, words, timings);
      if (!next) {
        if (JSON.stringify(forgotten(alarm, words, timings)) !== JSON.stringify(alarm))
          await alarms.change((now) => forgotten(now, words, timings));
        return undefined;
      }
      const waitMs = next.dueAt - clock.now();
      if (waitMs > 0) return Math.ceil(waitMs);
      await tell(next);
    }
    return undefined;
  };
}

interface FoundAlert {
  readonly episode: Episode;
  readonly notice: Notice;
}

/** Who is told in place of who can't be: the admins, then everybody where the alert stands. Pure. */
function fallbacksOf(
  admins: readonly string[],
  { episode, notice: { to } }: FoundAlert,
): readonly Addressee[] {
  const main = episode.notices.findLast(({ kind, movedTo }) => isMain(kind) && movedTo === undefined);
  const others: readonly Addressee[] = [...admins.map((userId) => ({ userId })), ...(main ? [main.to] : [])];
  return others.filter((one) => JSON.stringify(one) !== JSON.stringify(to));
}

function find(alarm: Alarm, key: string): FoundAlert | undefined {
  for (const episode of alarm.episodes) {
    const notice = episode.notices.find(({ message }) => message.key === key);
    if (notice) return { episode, notice };
  }
  return undefined;
}

/** The alarm with one message moved; undefined where it is no longer there or the move does not apply. */
function withMessage(
  alarm: Alarm,
  key: string,
  move: (message: OutboxMessage) => OutboxMessage | undefined,
): Alarm | undefined {
  const mine = find(alarm, key);
  const message = mine && move(mine.notice.message);
  if (!message) return undefined;
  const episodes = alarm.episodes.map((episode) =>
    episode !== mine.episode
      ? episode
      : {
          ...episode,
          notices: episode.notices.map((one) => (one === mine.notice ? { ...one, message } : one)),
        },
  );
  return { ...alarm, episodes };
}
