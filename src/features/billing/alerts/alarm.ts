import { z } from 'zod';
import { addresseeSchema, slackId } from '../../../core/outbox/message-source.ts';
import { outboxMessageSchema, newOutboxMessage } from '../../../core/outbox/outbox-message.ts';
import { LEVELS, type Level } from './level.ts';
import { seenSchema } from './seen.ts';

/**
 * What is known and reported of the account's money, as it is written down: one record for the account. It is changed before
 * anything is posted, and what is posted is read from it. Times are Redis' clock, Unix ms.
 */

/**
 * Readings that contradict the last one that counts, before they are believed: a service may answer from a copy that lags
 * behind, or by mistake. How many say so, and how many said otherwise meanwhile.
 */
const doubtSchema = z.object({
  to: z.enum(['worse', 'better']),
  count: z.number(),
  against: z.number(),
});
type Doubt = z.infer<typeof doubtSchema>;

/** What a reading says against the last that counts. */
export type Says = Doubt['to'] | 'same';

/** So many readings make it worse, of which one in between may say otherwise; so many in a row make it better. */
const NEEDED = { worse: 2, better: 3 } as const;
const MOST_AGAINST = { worse: 1, better: 0 } as const;

/** What to do with a reading: it counts, it doesn't, or the account is to be looked at again soon, with this in mind. */
type Verdict = 'counts' | 'dropped' | Doubt;

/**
 * What becomes of a reading that says that, after `doubt`. What is worse is believed sooner than what is better: two copies
 * that contradict each other lead to one warning, and to its end only once they agree. Pure.
 */
export function weighed(doubt: Doubt | undefined, says: Says): Verdict {
  if (!doubt) return says === 'same' ? 'counts' : { to: says, count: 1, against: 0 };
  if (says === doubt.to) {
    const count = doubt.count + 1;
    return count >= NEEDED[says] ? 'counts' : { ...doubt, count };
  }
  if (doubt.to === 'better' && says === 'worse') return { to: says, count: 1, against: 0 };
  const against = doubt.against + 1;
  if (against <= MOST_AGAINST[doubt.to]) return { ...doubt, against };
  return says === 'same' ? 'counts' : 'dropped';
}

/**
 * One message about an episode. `card` is edited as long as its episode lasts, and what asks for somebody as long as it stands; the
 * others stay as they were posted.
 */
const noticeSchema = z.object({
  kind: z.enum([
    'card',
    'worse',
    'escalation',
    'still',
    'snooze-over',
    'topped-up',
    'running-again',
    'recovered',
    'unknown',
    'seen-again',
  ]),
  to: addresseeSchema,
  /** Its episode goes on there: this message says so, and nothing else any more. */
  movedTo: addresseeSchema.optional(),
  at: z.number(),
  /** What it tells of, as things stood then. */
  level: z.enum(LEVELS).optional(),
  seen: seenSchema.optional(),
  /** Whom it speaks to. */
  personId: slackId.optional(),
  message: outboxMessageSchema,
});
export type Notice = z.infer<typeof noticeSchema>;

/** How an episode ends: `off` also where the service is another one now, and there is nothing left to judge. */
const ENDINGS = [
  'recovered',
  'off',
  'other thresholds',
  'month over',
  'another budget',
  'no budget',
] as const;
export type Ending = (typeof ENDINGS)[number];

/** One alert from raise to its end, or one time in which the money couldn't be read. */
const episodeSchema = z.object({
  id: z.string(),
  kind: z.enum(['low', 'unknown']),
  openedAt: z.number(),
  level: z.enum(LEVELS),
  /** What its card shows; read again from time to time, so that the card is not edited at every look. */
  shown: seenSchema.optional(),
  /** The least that was there, by which a recovery is measured. */
  lowest: z.string().optional(),
  /** The most of which was said that it is there while something is paused for want of it. */
  toldOf: z.string().optional(),
  /** Since when nobody has been on it at this level. */
  unacknowledgedSince: z.number(),
  ack: z.object({ by: slackId, at: z.number(), askedAt: z.number().optional() }).optional(),
  snooze: z.object({ by: slackId, until: z.number() }).optional(),
  /** Who was on it before nobody was; `by`: who said so, where it wasn't silence. */
  handedBack: z.object({ from: slackId, by: slackId.optional(), at: z.number() }).optional(),
  /** Who has been told that nobody is on it: people, and the channel where all of them are away. */
  escalatedTo: z.array(slackId).optional(),
  /** How it ended. */
  closed: z
    .object({
      at: z.number(),
      how: z.enum(ENDINGS),
      by: slackId.optional(),
      seen: seenSchema.optional(),
    })
    .optional(),
  /** How many notices there have been, for their marks. */
  count: z.number(),
  notices: z.array(noticeSchema),
});
export type Episode = z.infer<typeof episodeSchema>;

/** What was set in Slack; what is set in the configuration stands above it. Thresholds as typed: `5d`, `500`; the budget a decimal. */
const settingsSchema = z.object({
  warn: z.string().optional(),
  critical: z.string().optional(),
  /** What a month may cost, where it is paid afterwards. */
  budget: z.string().optional(),
  channelId: slackId.optional(),
  /** Channels that an admin chose, so that everybody in them may see the figures. */
  allowed: z.array(slackId).optional(),
  isOff: z.boolean().optional(),
});
export type Settings = z.infer<typeof settingsSchema>;

export const alarmSchema = z.object({
  settings: settingsSchema,
  level: z.enum(LEVELS),
  /** When somebody last looked, whatever came of it. */
  checkedAt: z.number(),
  /** What was read last; nothing before the first reading, or since alerts were switched off. */
  seen: seenSchema.optional(),
  /** What was read last before alerts were switched off: it only tells what was paused. */
  before: seenSchema.optional(),
  /** Readings since then that contradict it, and don't count before others confirm them. */
  doubt: doubtSchema.optional(),
  failingSince: z.number().optional(),
  /** The service has no balance to read, and never had one. */
  isNotOffered: z.boolean().optional(),
  episodes: z.array(episodeSchema),
});
export type Alarm = z.infer<typeof alarmSchema>;

/** Nothing known yet. */
export const NO_ALARM: Alarm = { settings: {}, level: 'ok', checkedAt: 0, episodes: [] };

/** Whether a notice is its episode's own message, that stands for it as long as it lasts. */
export function isMain(kind: Notice['kind']): boolean {
  return kind === 'card' || kind === 'unknown';
}

/** Whether a notice asks for somebody who sees to it. */
export function asksForSomebody(kind: Notice['kind']): boolean {
  return kind === 'worse' || kind === 'escalation' || kind === 'still' || kind === 'snooze-over';
}

/**
 * Whether a notice shows how things are now: the episode's own message, and the last one in each place that asks for somebody. A
 * channel that the episode has left is no such place.
 */
export function isStanding(
  { closed, notices }: Episode,
  { kind, to, movedTo: away, message }: Notice,
): boolean {
  if (closed !== undefined || away !== undefined) return false;
  if (!asksForSomebody(kind)) return isMain(kind);
  const last = notices.findLast((one) => asksForSomebody(one.kind) && isSamePlace(one.to, to));
  const main = notices.findLast((one) => isMain(one.kind) && one.movedTo === undefined);
  const isThere = 'userId' in to || (main !== undefined && isSamePlace(main.to, to));
  return last?.message.key === message.key && isThere;
}

function isSamePlace(one: Notice['to'], other: Notice['to']): boolean {
  return 'userId' in one
    ? 'userId' in other && one.userId === other.userId
    : 'channelId' in other && one.channelId === other.channelId;
}

/** The open episode of a kind; there is at most one. */
export function findOpen(alarm: Alarm, kind: Episode['kind']): Episode | undefined {
  return alarm.episodes.find((one) => one.kind === kind && one.closed === undefined);
}

/** A new episode with nothing sent yet. */
export function openEpisode(id: string, kind: Episode['kind'], level: Level, now: number): Episode {
  return { id, kind, openedAt: now, level, unacknowledgedSince: now, count: 0, notices: [] };
}

/** The episode with one more message to be sent, at `dueAt` at the earliest. Its mark follows from the episode, so that it is sent once. */
export function withNotice(
  episode: Episode,
  notice: Omit<Notice, 'message' | 'at'>,
  now: number,
  dueAt = now,
): Episode {
  const message = newOutboxMessage(`${episode.id}-${episode.count}`, dueAt);
  return {
    ...episode,
    count: episode.count + 1,
    notices: [...episode.notices, { ...notice, at: now, message }],
  };
}

/** The episode with what waits for a later moment to be sent now. */
export function withoutDelay(episode: Episode, now: number): Episode {
  const isDelayed = (one: Notice): boolean => isHeld(one, now);
  if (!episode.notices.some(isDelayed)) return episode;
  const notices = episode.notices.map((one) =>
    isDelayed(one) ? { ...one, message: { ...one.message, nextAt: now } } : one,
  );
  return { ...episode, notices };
}

/** The episode without what is held back and said of a level that it has left. */
export function withoutHeldWorse(episode: Episode, hasLeft: boolean, now: number): Episode {
  if (!hasLeft) return episode;
  const notices = episode.notices.filter((one) => one.kind !== 'worse' || !isHeld(one, now));
  return { ...episode, notices };
}

function isHeld({ message }: Notice, now: number): boolean {
  const { state, nextAt, tries, lanePlace } = message;
  return state === 'waiting' && nextAt > now && tries === 0 && lanePlace === undefined;
}

/** The alarm with an episode put in place of the one of its id, or added. */
export function withEpisode(alarm: Alarm, episode: Episode): Alarm {
  const isNew = alarm.episodes.every(({ id }) => id !== episode.id);
  const episodes = isNew
    ? [...alarm.episodes, episode]
    : alarm.episodes.map((one) => (one.id === episode.id ? episode : one));
  return { ...alarm, episodes };
}

type Place = { readonly channelId: string };

/**
 * The alarm with every open alert posted in this channel from now on: what Slack has not taken yet goes there, what stands
 * elsewhere says where it went, and its like is posted there. Once more changes nothing. Pure.
 */
export function movedTo(alarm: Alarm, to: Place, now: number): Alarm {
  return alarm.episodes
    .filter(({ closed }) => closed === undefined)
    .reduce((all, episode) => withEpisode(all, moved(episode, to, now)), alarm);
}

function moved(episode: Episode, to: Place, now: number): Episode {
  const notices = episode.notices.map((one) => (isUntouched(one) ? { ...one, to } : one));
  const main = notices.findLast(({ kind, movedTo: away }) => isMain(kind) && away === undefined);
  if (!main || standsIn(main, to)) return { ...episode, notices };
  const { kind, level, seen } = main;
  const left = notices.map((one) => (one === main ? { ...one, movedTo: to } : one));
  const facts = { level, seen };
  return withNotice({ ...episode, notices: left }, { kind, to, ...facts }, now);
}

/** Whether nothing of it can be in Slack. Who is called alone is called wherever the alert is. */
function isUntouched({ kind, movedTo: away, message }: Notice): boolean {
  const { state, repostedAt, fallback } = message;
  const isUnsent = state === 'waiting' && repostedAt === undefined && fallback === undefined;
  return kind !== 'escalation' && away === undefined && isUnsent;
}

/** Whether it stands in that channel or is on its way there, and has not ended up anywhere else. */
function standsIn({ to, message }: Notice, { channelId }: Place): boolean {
  const isThere = 'channelId' in to && to.channelId === channelId;
  return isThere && message.fallback === undefined && message.state !== 'dead-lettered';
}
