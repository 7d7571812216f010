import { compare, parseAmount, subtract, ZERO, counted } from '../../../core/money/amount.ts';
import type { AboutService, AtZero } from '../../../platform/hosting/service.ts';
import type { Button, Message } from '../../../platform/slack/message.ts';
import { join, person, type Phrase, say, strong, time } from '../../../platform/slack/phrase.ts';
import {
  allPausedWords,
  fundsWords,
  lastsOrWhy,
  lastsWords,
  leftWords,
  USAGE_ROUTE,
} from '../balance/messages.ts';
import { type Reading, runwayOf } from '../balance/reading.ts';
import { type AtStake, canBuyTime, type Group, namesOf, stakeLines, whyFree } from '../balance/at-zero.ts';
import type { Episode } from './alarm.ts';
import { type BalanceSeen, hasRisen, pausedForMoney } from './balance-seen.ts';
import { type Face, LOW_BALANCE } from './face.ts';
import { type Level, rank } from './level.ts';
import { alertButton, ICONS } from './messages.ts';
import { balanceIn, type Seen } from './seen.ts';

/**
 * What alerts of a low balance say. `unit`: how credits are called; `about`: what the host does once they are used up, and whether
 * it is to have topped up before; `topUp`: opens the page where more are bought.
 */
export function balanceFace(unit: string, about: Rules, topUp: readonly Button[] = []): Face {
  const { atZero, isToppedUp = false } = about;
  const atStakeLines = (seen: Seen | undefined): readonly Phrase[] => linesAtStake(seen, atZero);
  const figureLines: Face['figureLines'] = (read) => {
    const seen = balanceIn(read);
    const reading = seen && { ...readingOf(seen), isToppedUp };
    return seen && reading ? [fundsWords(reading, unit, whyFree(reading, stakeOf(seen)))] : [];
  };
  return {
    about: LOW_BALANCE,
    matterLines: (level, seen) => [
      ...levelLines(level, balanceIn(seen), { unit, isToppedUp }),
      ...atStakeLines(seen),
    ],
    figureLines,
    asOf,
    cures: topUp,
    remedies: buyTime,
    details: [{ label: 'What it is spent on', routeId: USAGE_ROUTE, value: 'instance' }],
    overWords,
    recoveredWords: (episode, seen) => recoveredWords(episode, balanceIn(seen), unit),
    outageWords: (kind, read) => outageWords(kind, balanceIn(read), unit),
    unknownLines: (episode, seen) => [
      say`🙈 I haven't been able to tell how long the balance lasts since ${time(episode.openedAt)}.`,
      rank(episode.level) >= rank('empty')
        ? say`Until I can, I can't say whether what is paused runs again: look at the hosting service's own dashboard.`
        : say`That doesn't mean that it is empty. Until I can, I can't warn you: look at the hosting service's own dashboard.`,
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

/** What the host does, which those who pay it go by. */
type Rules = Pick<AboutService, 'atZero' | 'isToppedUp'>;

/** The balance as one person showed it to a channel. */
export function sharedMessage(
  seen: BalanceSeen,
  userId: string,
  { unit, about, topUp }: { readonly unit: string; readonly about: Rules; readonly topUp: readonly Button[] },
): Message {
  const { figureLines } = balanceFace(unit, about);
  return {
    lines: [...figureLines(seen), ...linesAtStake(seen, about.atZero), say`Shared by ${person(userId)}.`],
    ...asOf(seen),
    ...(topUp.length > 0 ? { buttons: topUp } : {}),
  };
}

/** That an alert is over, and why: all is well only where what was paused runs again. */
function overWords({ how, at, seen: read }: NonNullable<Episode['closed']>): Phrase {
  const seen = balanceIn(read);
  const ended = seen && endedWords(seen);
  if (how === 'other thresholds')
    return say`⚪ The thresholds were changed ${time(at)}, so this alert is over.`;
  if (how !== 'recovered') return say`⚪ Alerts were turned off ${time(at)}; this alert is over.`;
  if (!ended) return say`✅ Over since ${time(at)}: the balance is fine again.`;
  return say`${ended.icon} Over since ${time(at)}. ${ended.words}`;
}

/** By how much the balance rose from its lowest; where it did not, it is the cost that fell. And what became of what was paused. */
function recoveredWords({ lowest }: Episode, seen: BalanceSeen | undefined, unit: string): Phrase {
  const [from, to] = [parseAmount(lowest), parseAmount(seen?.balance)];
  const risen = from && to && subtract(to, from);
  const hasMore = risen !== undefined && compare(risen, ZERO) > 0;
  const ended = seen && endedWords(seen);
  if (ended && !hasMore) return say`${ended.icon} ${ended.words}`;
  const fine = hasMore
    ? say`The balance is fine again: it rose by ${strong(counted(risen, unit))}.`
    : say`The balance lasts long enough again, though nothing was added: less is spent now.`;
  if (ended) return say`${ended.icon} ${ended.words} ${fine}`;
  const isUnseen = seen !== undefined && seen.listedAt !== seen.at;
  return isUnseen
    ? say`✅ ${fine} I couldn't read the list of instances just now, so I can't say whether anything is paused.`
    : say`✅ ${fine}`;
}

/** What became of what was paused because the credit ran out; undefined where nothing was. */
function endedWords({ outage }: BalanceSeen): { icon: string; words: Phrase } | undefined {
  const { running, gone, other } = outage ?? {};
  const words = [
    ...(running ? [say`What was paused runs again: ${namesOf(running)}.`] : []),
    ...(gone
      ? [
          say`${namesOf(gone)} ${gone.count === 1 ? 'was' : 'were'} paused and ${gone.count === 1 ? 'is' : 'are'} gone.`,
        ]
      : []),
    ...(other
      ? [
          say`${namesOf(other)} ${other.count === 1 ? "isn't" : "aren't"} paused any more, and ${other.count === 1 ? "doesn't" : "don't"} run.`,
        ]
      : []),
  ];
  if (words.length === 0) return undefined;
  return { icon: gone || other ? '⚪' : '✅', words: join(words, ' ') };
}

function outageWords(
  kind: 'topped-up' | 'running-again',
  seen: BalanceSeen | undefined,
  unit: string,
): Phrase {
  if (!seen) return say`The balance changed.`;
  const ended = endedWords(seen);
  if (kind === 'running-again') return ended ? say`▶️ ${ended.words}` : say`▶️ Nothing is paused any more.`;
  const balance = counted(readingOf(seen).balance, unit);
  const when = pausedForMoney(seen) === 1 ? 'it runs' : 'they run';
  return say`💳 The balance rose to ${strong(balance)}, but ${pausedWords(seen, 'are still')}. I'll say when ${when}.`;
}

/**
 * "web-1 (101) is paused", "12 instances are paused": as many as the list beside it counts. What is on its way back is paused no
 * more, though it belongs to the outage until it runs. `are`: the verb, as for several.
 */
export function pausedWords(seen: BalanceSeen, are: 'are' | 'are still' | 'were'): Phrase {
  const { paused, pausedCount = 0, outage } = seen;
  const isListed = paused !== undefined && pausedCount > 0;
  const { named = [], count = 0 } = isListed ? { named: paused, count: pausedCount } : (outage ?? {});
  const verb = count === 1 ? are.replace('are', 'is').replace('were', 'was') : are;
  return count <= MAX_NAMED_IN_SENTENCE && named.length === count
    ? say`${namesOf({ named, count })} ${verb} paused`
    : say`${count} instances ${verb} paused`;
}

/** More names are no sentence. */
const MAX_NAMED_IN_SENTENCE = 3;

interface Terms {
  readonly unit: string;
  readonly isToppedUp: boolean;
}

function levelLines(level: Level, seen: BalanceSeen | undefined, terms: Terms): Phrase[] {
  if (!seen) return [say`${ICONS[level]} The balance is low.`];
  return [
    headline(level, seen, terms),
    leftWords(readingOf(seen), terms.unit),
    ...(terms.isToppedUp && !hasRisen(seen) ? [missedTopUpWords(seen)] : []),
  ];
}

/** What is known of a top-up that should have come by itself, and what to look at. */
function missedTopUpWords({ rise }: BalanceSeen): Phrase {
  const todo = 'Check the payment method at the hosting service, or top up yourself.';
  if (!rise) return say`I haven't seen an automatic top-up come. ${todo}`;
  return rise.isEnough
    ? say`No automatic top-up has come: the balance last rose ${time(rise.at)}. ${todo}`
    : say`The balance last rose ${time(rise.at)}, but not by enough. ${todo}`;
}

/** The end of what is the matter where a top-up should have come by itself. */
function andNoTopUp({ rise }: BalanceSeen, { isToppedUp }: Terms): string {
  if (!isToppedUp) return '';
  return rise && !rise.isEnough ? ', although it rose' : ', and no top-up has come';
}

/** What is the matter, as one whole sentence: notifications show only that. */
function headline(level: Level, seen: BalanceSeen, terms: Terms): Phrase {
  const { unit, isToppedUp } = terms;
  const without = andNoTopUp(seen, terms);
  const reading = readingOf(seen);
  const isEmpty = reading.runway.lasts === 'empty';
  if (level === 'paused') {
    if (isEmpty)
      return say`${ICONS.paused} ${strong('The balance is used up')}, and ${pausedWords(seen, 'are')} for it.`;
    if (hasRisen(seen))
      return say`${ICONS.paused} ${pausedWords(seen, 'are still')}, although there is credit again.`;
    if (whyFree(reading, stakeOf(seen)) === 'paused') return allPausedWords;
    return say`${ICONS.paused} ${pausedWords(seen, 'are')}, because the balance does not pay for everything any more.`;
  }
  if (level === 'empty') {
    if (isEmpty) return say`${ICONS.empty} ${strong(`The balance is used up${without}.`)}`;
    return seen.listedAt === seen.at
      ? say`${ICONS.empty} ${strong(`The balance is all but used up${without}`)}: ${lastsWords(reading, unit)}.`
      : say`${ICONS.empty} ${strong('The balance was used up')}, and I can't see yet what is paused for it: I couldn't read the list of instances.`;
  }
  const low = isToppedUp ? 'The balance is still low' : 'The balance is getting low';
  const what = level === 'critical' ? `The balance is critical${without}` : low;
  return say`${ICONS[level]} ${strong(what)}: ${lastsOrWhy(reading, unit, whyFree(reading, stakeOf(seen)))}.`;
}

function linesAtStake(read: Seen | undefined, atZero: AtZero | undefined): readonly Phrase[] {
  const seen = balanceIn(read);
  return seen ? stakeLines(readingOf(seen), atZero, stakeOf(seen)) : [];
}

function stakeOf(seen: BalanceSeen): AtStake {
  const { running, runningCount, paused, pausedCount, emptyAt, isApart, hasNone } = seen;
  const group = (named: BalanceSeen['running'], count: number | undefined): Group | undefined =>
    named && { named, count: count ?? named.length };
  return {
    running: group(running, runningCount),
    paused: group(paused, pausedCount),
    isApart,
    hasNone,
    isOld: seen.listedAt !== seen.at,
    emptyAt,
    outOfMoney: pausedForMoney(seen),
    hasRisen: hasRisen(seen),
  };
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
function readingOf({ balance, perDay, at, expected }: BalanceSeen): Reading {
  const amount = parseAmount(balance) ?? ZERO;
  const cost = parseAmount(perDay);
  return { balance: amount, perDay: cost, runway: runwayOf(amount, cost, at), asOf: at, expected };
}

/** Stopping something is offered where that brings days: what has run out lasts no longer for it. */
function buyTime(episode: Episode, read: Seen | undefined): Button[] {
  const seen = balanceIn(read);
  const isOffered = seen && canBuyTime(readingOf(seen), stakeOf(seen));
  return isOffered ? [alertButton('Buy time', 'buyTime', episode)] : [];
}
