import { z } from 'zod';
import { addresseeSchema, slackId } from '../../../core/outbox/addressee.ts';
import { outboxMessageSchema, newOutboxMessage } from '../../../core/outbox/outbox-message.ts';
import { doubtSchema } from './doubt.ts';
import { LEVELS, type Level } from './level.ts';
import { seenSchema } from './seen.ts';

/**
 * What is known and reported of the account's money, as it is written down: one record for the account. It is changed before
 * anything is posted, and what is posted is read from it. Times are Redis' clock, Unix ms.
 */

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
export function isStanding({ closed, notices }: Episode, { kind, to, movedTo, message }: Notice): boolean {
  if (closed !== undefined || movedTo !== undefined) return false;
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
