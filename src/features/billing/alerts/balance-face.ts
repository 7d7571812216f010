import { compare, parseAmount, subtract, ZERO } from '../../../core/money/amount.ts';
import { counted } from '../../../core/money/counted.ts';
import type { Button, Message } from '../../../platform/slack/message.ts';
import { person, type Phrase, say, strong, time } from '../../../platform/slack/phrase.ts';
import { fundsWords, lastsWords, leftWords, USAGE_ROUTE } from '../balance/messages.ts';
import type { Reading } from '../balance/reading.ts';
import { runwayOf } from '../balance/runway.ts';
import { type AtStake, canBuyTime, type Group, stakeLines } from '../balance/at-zero.ts';
import type { Episode } from './alarm.ts';
import { type BalanceSeen, isAllPaused } from './balance-seen.ts';
import type { Face } from './face.ts';
import type { Level } from './level.ts';
import { alertButton, ICONS } from './messages.ts';
import { balanceIn, type Seen } from './seen.ts';

/** What alerts of a low balance say. `unit`: how credits are called. */
export function balanceFace(unit: string): Face {
  const figureLines: Face['figureLines'] = (read) => {
    const seen = balanceIn(read);
    return seen ? [fundsWords(readingOf(seen), unit)] : [];
  };
  return {
    about: 'the low balance',
    matterLines: (level, seen) => [...levelLines(level, balanceIn(seen), unit), ...atStakeLines(seen)],
    figureLines,
    asOf,
    remedies: buyTime,
    details: [{ label: 'What it is spent on', routeId: USAGE_ROUTE, value: 'instance' }],
    overWords: ({ how, at }) =>
      how === 'recovered'
        ? say`✅ Over since ${time(at)}: the balance is fine again.`
        : say`⚪ Alerts were switched off ${time(at)}; this one is over.`,
    recoveredWords: (episode, seen) => risenWords(episode, balanceIn(seen), unit),
    blindLines: (episode, seen) => [
      say`🙈 I haven't been able to tell how long the balance lasts since ${time(episode.openedAt)}.`,
      say`That doesn't mean that it is empty. Until I can, I can't warn you: look at the hosting service's own dashboard.`,
      ...(balanceIn(seen)
        ? [
            say`The last I saw, ${time(seen?.at ?? 0)}:`,
            ...figureLines(seen),
            ...(episode.level === 'ok' ? [] : atStakeLines(seen)),
          ]
        : [say`I have not seen any balance yet.`]),
    ],
    seenAgainWords: say`I can read the balance again.`,
  };
}

/** The balance as one person showed it to a channel. */
export function sharedMessage(seen: BalanceSeen, userId: string, unit: string): Message {
  const { figureLines } = balanceFace(unit);
  return {
    lines: [...figureLines(seen), ...atStakeLines(seen), say`Shared by ${person(userId)}.`],
    ...asOf(seen),
  };
}

/** By how much the balance rose from its lowest; where it did not, it is the cost that fell or the line that moved. */
function risenWords({ lowest }: Episode, seen: BalanceSeen | undefined, unit: string): Phrase {
  const [from, to] = [parseAmount(lowest), parseAmount(seen?.balance)];
  const risen = from && to && subtract(to, from);
  return risen && compare(risen, ZERO) > 0
    ? say`The balance is fine again: it rose by ${strong(counted(risen, unit))}.`
    : say`The balance lasts long enough again, though nothing was added: less is spent now, or the line was moved.`;
}

function levelLines(level: Level, seen: BalanceSeen | undefined, unit: string): Phrase[] {
  if (!seen) return [say`${ICONS[level]} The balance is low.`];
  return [headline(level, seen, unit), leftWords(readingOf(seen), unit)];
}

/** What is the matter, as one whole sentence: notifications show only that. */
function headline(level: Level, seen: BalanceSeen, unit: string): Phrase {
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

function atStakeLines(read: Seen | undefined): readonly Phrase[] {
  const seen = balanceIn(read);
  return seen ? stakeLines(readingOf(seen), stakeOf(seen)) : [];
}

function stakeOf({ running, runningCount, paused, pausedCount, emptyAt }: BalanceSeen): AtStake {
  const group = (named: BalanceSeen['running'], count: number | undefined): Group | undefined =>
    named && { named, count: count ?? named.length };
  return { running: group(running, runningCount), paused: group(paused, pausedCount), emptyAt };
}

function asOf(read: Seen | undefined): { note?: Phrase } {
  const seen = balanceIn(read);
  if (!seen) return {};
  const { at, listedAt = at } = seen;
  return {
    note: say`As of ${time(at)}${listedAt === at ? '' : say`. The instances as of ${time(listedAt)}`}`,
  };
}

/** What was written down of a reading, as it was read. */
function readingOf({ balance, perDay, at }: BalanceSeen): Reading {
  const amount = parseAmount(balance) ?? ZERO;
  const cost = parseAmount(perDay);
  return { balance: amount, perDay: cost, runway: runwayOf(amount, cost, at), asOf: at };
}

/** Stopping something is offered where that brings days: what has run out lasts no longer for it. */
function buyTime(episode: Episode, read: Seen | undefined): Button[] {
  const seen = balanceIn(read);
  const isOffered = seen && canBuyTime(readingOf(seen), stakeOf(seen));
  return isOffered ? [alertButton('Buy time', 'buyTime', episode)] : [];
}
