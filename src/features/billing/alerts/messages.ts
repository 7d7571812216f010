import { storyButton } from '../../../core/operations/messages.ts';
import { type Button, type Message, twoAndMenu } from '../../../platform/slack/message.ts';
import { ago, channel, person, type Phrase, say, time } from '../../../platform/slack/phrase.ts';
import { type Episode, isStanding, type Notice } from './alarm.ts';
import type { Face } from './face.ts';
import { type Level, rank } from './level.ts';
import { ALERT_ROUTES } from './routes.ts';

export const ICONS: Readonly<Record<Level, string>> = {
  ok: '✅',
  warn: '🟡',
  critical: '🔴',
  empty: '⛔',
  paused: '⛔',
};
/** A critical alert is offered the first three: a day at most. */
const SNOOZES = { '1h': 'an hour', '4h': 'four hours', '1d': 'a day', '3d': 'three days' } as const;

/** What a notice says as things stand, in the words of what it is about. `storyRoute`: what tells how it came to that. */
export function noticeMessage(episode: Episode, notice: Notice, face: Face, storyRoute: string): Message {
  if (notice.movedTo) return movedMessage(notice.movedTo);
  const { seen } = notice;
  switch (notice.kind) {
    case 'card':
      return cardMessage(episode, face, storyButton(storyRoute, episode.id));
    case 'worse':
      return worseMessage(episode, notice, face);
    case 'escalation':
      return escalationMessage(episode, notice, face);
    case 'still':
      return stillMessage(episode, notice, face);
    case 'snooze-over':
      return snoozeOverMessage(episode, notice, face);
    case 'topped-up':
      return {
        lines: [face.outageWords(notice.kind, seen), ...face.figureLines(seen)],
        ...face.asOf(seen),
        ...(face.cures.length > 0 ? { buttons: face.cures } : {}),
      };
    case 'running-again':
      return {
        lines: [face.outageWords(notice.kind, seen), ...face.matterLines(notice.level ?? 'warn', seen)],
        ...face.asOf(seen),
        ...(face.cures.length > 0 ? { buttons: face.cures } : {}),
      };
    case 'recovered':
      return {
        lines: [face.recoveredWords(episode, seen), ...face.figureLines(seen)],
        ...face.asOf(seen),
      };
    case 'unknown':
      return { lines: face.unknownLines(episode, seen) };
    case 'seen-again':
      return {
        lines: [say`👀 ${face.seenAgainWords}`, ...face.figureLines(seen)],
        ...face.asOf(seen),
      };
  }
}

/** What stays where an alert was before it moved. */
function movedMessage(to: NonNullable<Notice['movedTo']>): Message {
  const where = 'channelId' in to ? channel(to.channelId) : person(to.userId);
  return { lines: [say`➡️ This alert moved to ${where}.`] };
}

/** The one card of an alert, from raise to its end. */
function cardMessage(episode: Episode, face: Face, story: Button): Message {
  const { shown, closed, level } = episode;
  if (closed) {
    const last = closed.seen ?? shown;
    return { lines: [face.overWords(closed), ...face.figureLines(last)], ...face.asOf(last), menu: [story] };
  }
  return {
    lines: [...face.matterLines(level, shown), heedWords(episode)],
    ...face.asOf(shown),
    ...pressable(heedButton(episode), face.remedies(episode, shown), face, {
      snoozes: snoozes(episode),
      details: [...face.details.slice(0, MAX_DETAILS), story],
    }),
  };
}

function worseMessage(episode: Episode, notice: Notice, face: Face): Message {
  const { level = 'warn', seen, personId = '' } = notice;
  const isAsked = isUnanswered(episode, notice);
  return {
    lines: [
      ...face.matterLines(level, seen),
      ...heeded(episode, notice, isAsked ? say`${person(personId)}, are you still on it?` : undefined),
    ],
    ...face.asOf(seen),
    ...answers(
      episode,
      notice,
      pressable(
        isAsked ? alertButton('Still on it', 'still', episode) : heedButton(episode),
        face.remedies(episode, seen),
        face,
        { snoozes: snoozes(episode) },
      ),
    ),
  };
}

function escalationMessage(episode: Episode, notice: Notice, face: Face): Message {
  const { level = 'critical', seen } = notice;
  const { ack, snooze, unacknowledgedSince } = episode;
  const isOpen = isStanding(episode, notice) && ack === undefined && snooze === undefined;
  // First, since who reads the channel as well has seen the rest there.
  const why =
    'channelId' in notice.to
      ? isOpen
        ? say`🔔 Unacknowledged since ${time(unacknowledgedSince)}. Everyone on call has paused their notifications, so they may not see it.`
        : say`🔔 Nobody had acknowledged this alert, and everyone on call had paused their notifications.`
      : level === 'paused'
        ? say`🔔 This is an outage, so I'm telling you directly.`
        : isOpen
          ? say`🔔 Unacknowledged since ${time(unacknowledgedSince)}, so I'm telling you directly.`
          : say`🔔 Nobody had acknowledged this alert, so I told you directly.`;
  return {
    lines: [why, ...face.matterLines(level, seen), ...(isOpen ? [] : heeded(episode, notice))],
    ...face.asOf(seen),
    ...answers(episode, notice, pressable(heedButton(episode), face.remedies(episode, seen), face)),
  };
}

function stillMessage(episode: Episode, notice: Notice, face: Face): Message {
  const { level = 'warn', seen, personId = '' } = notice;
  const isAsked = isUnanswered(episode, notice);
  return {
    lines: [
      isAsked
        ? say`${person(personId)}, are you still on ${face.about}? Without an answer I'll assume that nobody is.`
        : say`I asked ${person(personId)} whether they are still on ${face.about}.`,
      ...(seen ? face.matterLines(level, seen) : []),
      ...(isAsked ? [] : heeded(episode, notice)),
    ],
    ...face.asOf(seen),
    ...answers(episode, notice, {
      buttons: [
        ...(isAsked
          ? [alertButton('Still on it', 'still', episode), alertButton('Hand back', 'handBack', episode)]
          : [heedButton(episode)]),
        ...face.cures,
      ],
    }),
  };
}

function snoozeOverMessage(episode: Episode, notice: Notice, face: Face): Message {
  const { level = 'warn', seen, personId } = notice;
  const whose =
    personId === undefined ? say`The snooze is over` : say`The snooze of ${person(personId)} is over`;
  return {
    lines: [
      say`⏰ ${whose}, and it is still so:`,
      ...face.matterLines(level, seen),
      ...heeded(episode, notice),
    ],
    ...face.asOf(seen),
    ...answers(episode, notice, { buttons: [...face.cures, heedButton(episode)], menu: snoozes(episode) }),
  };
}

/** Whether it asked the person who is on it, and still waits for the answer. */
function isUnanswered(episode: Episode, notice: Notice): boolean {
  const { ack } = episode;
  return isStanding(episode, notice) && ack?.askedAt !== undefined && ack.by === notice.personId;
}

/** Who is on it now, or what is asked instead, where the notice is the one that shows it. */
function heeded(episode: Episode, notice: Notice, asked?: Phrase): Phrase[] {
  return isStanding(episode, notice) ? [asked ?? heedWords(episode)] : [supersededWords(episode)];
}

/** Why older figures stand there. */
function supersededWords({ closed }: Episode): Phrase {
  return closed ? say`This alert is over.` : say`Superseded: the alert's card has the current figures.`;
}

/** What can be pressed, where the notice is the one that shows how things are. */
function answers(
  episode: Episode,
  notice: Notice,
  pressed: Pick<Message, 'buttons' | 'menu'>,
): Pick<Message, 'buttons' | 'menu'> {
  return isStanding(episode, notice) ? pressed : {};
}

const MAX_MENU_LINES = 5;
/** So many of them show figures, beside what ends an alert and tells its story. */
const MAX_DETAILS = 3;

/** What can be pressed of an alert, what ends it first. Of its menu the longest snoozes give way, which can be typed as well. */
function pressable(
  answer: Button,
  remedies: readonly Button[],
  { cures }: Face,
  menu: { readonly snoozes?: readonly Button[]; readonly details?: readonly Button[] } = {},
): Pick<Message, 'buttons' | 'menu'> {
  const { snoozes: quiet = [], details = [] } = menu;
  const { buttons, menu: others = [] } = twoAndMenu([...cures, answer, ...remedies]);
  const left = MAX_MENU_LINES - others.length - details.length;
  const behind = [...others, ...quiet.slice(0, left), ...details];
  return { ...(buttons ? { buttons } : {}), ...(behind.length > 0 ? { menu: behind } : {}) };
}

/** What shows that alerts get where they go. `kind`: "balance". */
export function testMessage(userId: string, kind: string): Message {
  return {
    lines: [
      say`🔔 This is a test of ${kind} alerts, asked by ${person(userId)}. Nothing is wrong: a real alert would appear here, with the figures.`,
    ],
  };
}

function heedWords({ ack, snooze, handedBack }: Episode): Phrase {
  const quiet = snooze ? say` Snoozed by ${person(snooze.by)} until ${time(snooze.until)}.` : say``;
  if (ack) return say`🙋 ${person(ack.by)} is on it.${quiet}`;
  if (handedBack) return say`${handedBackWords(handedBack)}, so nobody is on it.${quiet}`;
  return say`Unacknowledged.${quiet}`;
}

function handedBackWords({ from, by, at }: NonNullable<Episode['handedBack']>): Phrase {
  if (by === undefined) return say`${person(from)} did not answer`;
  return by === from
    ? say`${person(by)} handed it back ${ago(at)}`
    : say`${person(by)} handed it back for ${person(from)} ${ago(at)}`;
}

function heedButton(episode: Episode): Button {
  return episode.ack
    ? alertButton('Hand back', 'handBack', episode)
    : { ...alertButton("I'm on it", 'ack', episode), style: 'primary' };
}

/** A button that is about one alert. */
export function alertButton(label: string, route: keyof typeof ALERT_ROUTES, { id }: Episode): Button {
  return { label, routeId: ALERT_ROUTES[route], value: id };
}

/** The end of a snooze, where there is one, and how long it may be. */
function snoozes(episode: Episode): Button[] {
  const most = rank(episode.level) >= rank('critical') ? 3 : 4;
  const lengths = Object.entries(SNOOZES)
    .slice(0, most)
    .map(([length, words]) => ({
      label: `Snooze for ${words}`,
      routeId: ALERT_ROUTES.snooze,
      value: `${episode.id}/${length}`,
    }));
  return [...(episode.snooze ? [alertButton('End the snooze', 'unsnooze', episode)] : []), ...lengths];
}
