import { compare, parseAmount, subtract, ZERO } from '../../../core/money/amount.ts';
import { counted } from '../../../core/money/counted.ts';
import type { Button, Message } from '../../../platform/slack/message.ts';
import { ago, channel, person, type Phrase, say, strong, time } from '../../../platform/slack/phrase.ts';
import { fundsWords, lastsWords, leftWords } from '../balance/messages.ts';
import type { Reading } from '../balance/reading.ts';
import { runwayOf } from '../balance/runway.ts';
import { type AtStake, canBuyTime, type Group, stakeLines } from '../balance/at-zero.ts';
import type { Episode, Notice } from './alarm.ts';
import { type Level, rank } from './level.ts';
import { ALERT_ROUTES } from './routes.ts';
import { isAllPaused, type Seen } from './seen.ts';

const ICONS: Readonly<Record<Level, string>> = { ok: '✅', warn: '🟡', critical: '🔴', empty: '⛔' };
/** A critical balance is offered the first three: a day at most. */
const SNOOZES = { '1h': 'an hour', '4h': 'four hours', '1d': 'a day', '3d': 'three days' } as const;

/** What a notice says as things stand. `unit`: how credits are called. */
export function noticeMessage(episode: Episode, notice: Notice, unit: string): Message {
  if (notice.movedTo) return movedMessage(notice.movedTo);
  switch (notice.kind) {
    case 'card':
      return cardMessage(episode, unit);
    case 'worse':
      return worseMessage(episode, notice, unit);
    case 'escalation':
      return escalationMessage(episode, notice, unit);
    case 'still':
      return stillMessage(episode, notice, unit);
    case 'snooze-over':
      return snoozeOverMessage(episode, notice, unit);
    case 'recovered':
      return recoveredMessage(episode, notice, unit);
    case 'blind':
      return blindMessage(episode, notice, unit);
    case 'seen-again':
      return seenAgainMessage(notice, unit);
  }
}

/** What stays where an alert was before it moved. */
function movedMessage(to: NonNullable<Notice['movedTo']>): Message {
  const where = 'channelId' in to ? channel(to.channelId) : person(to.userId);
  return { lines: [say`➡️ This alert moved to ${where}.`] };
}

/** The one card of a low balance, from raise to recovery. */
function cardMessage(episode: Episode, unit: string): Message {
  const { shown, closed, level } = episode;
  if (closed) {
    const end =
      closed.how === 'off'
        ? say`⚪ Alerts were switched off ${time(closed.at)}; this one is over.`
        : say`✅ Over since ${time(closed.at)}: the balance is fine again.`;
    const last = closed.seen ?? shown;
    return { lines: [end, ...fundsLines(last, unit)], ...asOf(last) };
  }
  return {
    lines: [...levelLines(level, shown, unit), ...atStakeLines(shown), heedWords(episode)],
    ...asOf(shown),
    buttons: [
      episode.ack ? button('Hand back', 'handBack', episode) : onItButton(episode),
      ...buyTime(episode, shown),
    ],
    menu: [
      ...snoozes(episode),
      { label: 'What it is spent on', routeId: 'billing.usage', value: 'instance' },
    ],
  };
}

function worseMessage(episode: Episode, { level = 'warn', seen, personId }: Notice, unit: string): Message {
  const asked = personId === undefined ? [] : [say`${person(personId)}, are you still on it?`];
  return {
    lines: [...levelLines(level, seen, unit), ...atStakeLines(seen), ...asked],
    ...asOf(seen),
    buttons: [
      personId === undefined ? onItButton(episode) : button('Still on it', 'still', episode),
      ...buyTime(episode, seen),
    ],
    menu: snoozes(episode),
  };
}

function escalationMessage(episode: Episode, { level = 'critical', seen }: Notice, unit: string): Message {
  return {
    lines: [
      ...levelLines(level, seen, unit),
      ...atStakeLines(seen),
      say`Nobody has said that they are on it since ${time(episode.unacknowledgedSince)}, so I am telling you directly.`,
    ],
    ...asOf(seen),
    buttons: [onItButton(episode), ...buyTime(episode, seen)],
  };
}

function stillMessage(
  episode: Episode,
  { level = 'warn', seen, personId = '' }: Notice,
  unit: string,
): Message {
  return {
    lines: [
      say`${person(personId)}, are you still on the low balance? Without an answer I'll assume that nobody is.`,
      ...(seen ? [...levelLines(level, seen, unit), ...atStakeLines(seen)] : []),
    ],
    ...asOf(seen),
    buttons: [button('Still on it', 'still', episode), button('Hand back', 'handBack', episode)],
  };
}

function snoozeOverMessage(
  episode: Episode,
  { level = 'warn', seen, personId }: Notice,
  unit: string,
): Message {
  const whose =
    personId === undefined ? say`The snooze is over` : say`The snooze of ${person(personId)} is over`;
  return {
    lines: [say`⏰ ${whose}, and it is still so:`, ...levelLines(level, seen, unit), ...atStakeLines(seen)],
    ...asOf(seen),
    buttons: [onItButton(episode)],
    menu: snoozes(episode),
  };
}

function recoveredMessage(episode: Episode, { seen }: Notice, unit: string): Message {
  return { lines: [say`✅ ${risenWords(episode, seen, unit)}`, ...fundsLines(seen, unit)], ...asOf(seen) };
}

/** By how much the balance rose from its lowest; where it did not, it is the cost that fell or the line that moved. */
function risenWords({ lowest }: Episode, seen: Seen | undefined, unit: string): Phrase {
  const [from, to] = [parseAmount(lowest), parseAmount(seen?.balance)];
  const risen = from && to && subtract(to, from);
  return risen && compare(risen, ZERO) > 0
    ? say`The balance is fine again: it rose by ${strong(counted(risen, unit))}.`
    : say`The balance lasts long enough again, though nothing was added: less is spent now, or the line was moved.`;
}

function blindMessage(episode: Episode, { seen }: Notice, unit: string): Message {
  const last = seen
    ? [
        say`The last I saw, ${time(seen.at)}:`,
        ...fundsLines(seen, unit),
        ...(episode.level === 'ok' ? [] : atStakeLines(seen)),
      ]
    : [say`I have not seen any balance yet.`];
  return {
    lines: [
      say`🙈 I haven't been able to tell how long the balance lasts since ${time(episode.openedAt)}.`,
      say`That doesn't mean that it is empty. Until I can, I can't warn you: look at the hosting service's own dashboard.`,
      ...last,
    ],
  };
}

function seenAgainMessage({ seen }: Notice, unit: string): Message {
  return { lines: [say`👀 I can read the balance again.`, ...fundsLines(seen, unit)], ...asOf(seen) };
}

/** The balance as one person showed it to a channel. */
export function sharedMessage(seen: Seen, userId: string, unit: string): Message {
  return {
    lines: [...fundsLines(seen, unit), ...atStakeLines(seen), say`Shared by ${person(userId)}.`],
    ...asOf(seen),
  };
}

/** What shows that alerts get where they go. */
export function testMessage(userId: string): Message {
  return {
    lines: [
      say`🔔 This is a test of balance alerts, asked for by ${person(userId)}. Nothing is wrong: a real one would stand here, with the figures.`,
    ],
  };
}

function levelLines(level: Level, seen: Seen | undefined, unit: string): Phrase[] {
  if (!seen) return [say`${ICONS[level]} The balance is low.`];
  return [headline(level, seen, unit), leftWords(readingOf(seen), unit)];
}

/** What is the matter, as one whole sentence: notifications show only that. */
function headline(level: Level, seen: Seen, unit: string): Phrase {
  const reading = readingOf(seen);
  const isEmpty = reading.runway.lasts === 'empty';
  if (isAllPaused(seen) && !isEmpty && level === 'empty')
    return say`${ICONS.empty} ${strong('Everything is paused')}: the balance does not pay for it any more.`;
  if (level === 'empty')
    return isEmpty
      ? say`${ICONS.empty} ${strong('The balance is used up.')}`
      : say`${ICONS.empty} ${strong('The balance is all but used up')}: ${lastsWords(reading, unit)}.`;
  const what = level === 'critical' ? 'The balance is critical' : 'The balance is getting low';
  return say`${ICONS[level]} ${strong(what)}: ${lastsWords(reading, unit)}.`;
}

function heedWords({ ack, snooze, level, handedBack }: Episode): Phrase {
  const quiet = snooze ? say` Snoozed by ${person(snooze.by)} until ${time(snooze.until)}.` : say``;
  if (ack) return say`🙋 ${person(ack.by)} is on it, as said ${ago(ack.at)}.${quiet}`;
  if (handedBack) return say`${handedBackWords(handedBack)}, so nobody is on it.${quiet}`;
  return rank(level) >= rank('critical')
    ? say`Nobody is on it yet.${quiet}`
    : say`Nobody has said yet that they are on it.${quiet}`;
}

function handedBackWords({ from, by, at }: NonNullable<Episode['handedBack']>): Phrase {
  if (by === undefined) return say`${person(from)} did not answer`;
  return by === from
    ? say`${person(by)} handed it back ${ago(at)}`
    : say`${person(by)} handed it back for ${person(from)} ${ago(at)}`;
}

function fundsLines(seen: Seen | undefined, unit: string): Phrase[] {
  return seen ? [fundsWords(readingOf(seen), unit)] : [];
}

function atStakeLines(seen: Seen | undefined): Phrase[] {
  return seen ? stakeLines(readingOf(seen), stakeOf(seen)) : [];
}

function stakeOf({ running, runningCount, paused, pausedCount, emptyAt }: Seen): AtStake {
  const group = (named: Seen['running'], count: number | undefined): Group | undefined =>
    named && { named, count: count ?? named.length };
  return { running: group(running, runningCount), paused: group(paused, pausedCount), emptyAt };
}

function asOf(seen: Seen | undefined): { note?: Phrase } {
  if (!seen) return {};
  const { at, listedAt = at } = seen;
  return {
    note: say`As of ${time(at)}${listedAt === at ? '' : say`. The instances as of ${time(listedAt)}`}`,
  };
}

/** What was written down of a reading, as it was read. */
function readingOf({ balance, perDay, at }: Seen): Reading {
  const amount = parseAmount(balance) ?? ZERO;
  const cost = parseAmount(perDay);
  return { balance: amount, perDay: cost, runway: runwayOf(amount, cost, at), asOf: at };
}

/** Stopping something is offered where that brings days: what has run out lasts no longer for it. */
function buyTime(episode: Episode, seen: Seen | undefined): Button[] {
  const isOffered = seen && canBuyTime(readingOf(seen), stakeOf(seen));
  return isOffered ? [button('Buy time', 'buyTime', episode)] : [];
}

function onItButton(episode: Episode): Button {
  return { ...button("I'm on it", 'ack', episode), style: 'primary' };
}

function button(label: string, route: keyof typeof ALERT_ROUTES, { id }: Episode): Button {
  return { label, routeId: ALERT_ROUTES[route], value: id };
}

function snoozes(episode: Episode): Button[] {
  const most = rank(episode.level) >= rank('critical') ? 3 : 4;
  return Object.entries(SNOOZES)
    .slice(0, most)
    .map(([length, words]) => ({
      label: `Snooze for ${words}`,
      routeId: ALERT_ROUTES.snooze,
      value: `${episode.id}/${length}`,
    }));
}
