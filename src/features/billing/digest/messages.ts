import { type Amount, compare, formatAmount, formatCount, ZERO } from '../../../core/money/amount.ts';
import { Refusal } from '../../../core/refusal.ts';
import { HostingError, keyFaultWords } from '../../../platform/hosting/hosting-error.ts';
import type { Incomplete, Instance } from '../../../platform/hosting/service.ts';
import type { Button, Message } from '../../../platform/slack/message.ts';
import { type Phrase, say, strong, time } from '../../../platform/slack/phrase.ts';
import { incompleteWords, nameOf, namesUpTo } from '../../../core/instances/messages.ts';
import { allPausedWords, fundsWords } from '../balance/messages.ts';
import type { Reading } from '../balance/reading.ts';
import { TRANSACTIONS_NOT_OFFERED } from '../balance/offered.ts';
import { type Cause, type Change, size } from './change.ts';
import type { Making } from './plan.ts';
import { WEEKDAYS } from '../../../platform/time/clock-words.ts';
import type { Schedule } from './schedule.ts';
import type { Spend } from './spend.ts';
import { clockAt, offsetAt } from '../../../platform/time/zoned-time.ts';

/** What a digest tells. */
export interface Digest {
  /** Undefined where the service offers no balance. */
  readonly reading: Reading | undefined;
  readonly thisWeek: Spend;
  readonly change: Change;
  readonly paused: readonly Pick<Instance, 'id' | 'name'>[];
  readonly idle: readonly Pick<Instance, 'id' | 'name'>[];
  /** Nothing costs anything because all that did is paused. */
  readonly isStandstill?: boolean;
  /** Set where the instances that were read are not all, or may not be. */
  readonly incomplete?: Incomplete;
  /** Whether there were more transactions than were read. */
  readonly isCut: boolean;
  /** How credits are called. */
  readonly unit: string;
  /** Opens the page where credit is bought. */
  readonly topUp: readonly Button[];
  /** Unix ms. */
  readonly asOf: number;
  /** The schedule's zone. */
  readonly zone: string;
}

const MAX_NAMED = 5;

/** What was used in the last seven days, why it is more or less than before, how long the rest lasts, who stands still. */
export function digestMessage(digest: Digest): Message {
  const { reading, thisWeek, change, isCut, unit, asOf, zone, topUp, isStandstill = false } = digest;
  // What was not all read can't be distinguished from what has changed.
  const causes = isCut ? [] : causeLines(change);
  const wall = clockAt(asOf, zone).toString({ smallestUnit: 'minute' }).replace('T', ' ');
  return {
    lines: [
      ...(isStandstill ? [allPausedWords] : []),
      spentWords(digest),
      ...(compare(thisWeek.added, ZERO) > 0
        ? [say`${formatAmount(thisWeek.added)} ${unit} were added.`]
        : []),
      reading
        ? fundsWords(reading, unit, isStandstill ? 'paused' : undefined)
        : say`This hosting service doesn't offer a balance.`,
      ...stillLines(digest),
      ...caveats(digest),
      ...(causes.length > 0 ? [say`What changed most, in ${unit}:`] : []),
    ],
    ...(causes.length > 0 ? { bullets: causes } : {}),
    note: say`As of ${time(asOf)} (${wall} in ${zone})`,
    ...(reading && topUp.length > 0 ? { buttons: topUp } : {}),
  };
}

/** There is no digest this week: why, and when the next one comes (Unix ms). It has no figures. */
export function notMadeMessage(fault: unknown, failures: number, nextAt: number): Message {
  const often = failures === 1 ? '' : `, ${failures} times in a row`;
  return {
    lines: [
      say`🗞️ This week's digest couldn't be made: ${whyNot(fault)}${often}. The next one comes ${time(nextAt)}.`,
    ],
  };
}

/** How far the digest is that is being made. */
export function makingWords({ failures, nextAt, progress: { count } }: Making): Phrase {
  const read = say`${formatCount(count)} transactions read so far`;
  return failures === 0
    ? say`This week's is being made: ${read}.`
    : say`This week's couldn't be made yet: ${read}, next try ${time(nextAt)}.`;
}

function whyNot(fault: unknown): string {
  if (fault instanceof Refusal)
    return fault.code === TRANSACTIONS_NOT_OFFERED
      ? "the hosting service doesn't offer a list of transactions"
      : "the balance couldn't be read";
  if (!(fault instanceof HostingError)) return 'something went wrong on our side';
  switch (fault.fault) {
    case 'unauthorized':
    case 'forbidden':
      return `the hosting service ${keyFaultWords(fault.fault)}`;
    case 'rate-limited':
      return 'the hosting service took no more requests';
    case 'unreadable':
      return "the hosting service answered something I can't read";
    default:
      return fault.answered
        ? 'the hosting service answered with an error'
        : "the hosting service didn't answer";
  }
}

/** "every Monday at 09:00 (Europe/Madrid), next …". `nextAt` in Unix ms. */
export function scheduleWords({ weekday, hour, minute, zone }: Schedule, nextAt: number): Phrase {
  const clock = [hour, minute].map((part) => String(part).padStart(2, '0')).join(':');
  return say`every ${WEEKDAYS[weekday - 1] ?? ''} at ${clock} (${zoneWords(zone, nextAt)}), next ${time(nextAt)}`;
}

function spentWords({ thisWeek, change, isCut, unit }: Digest): Phrase {
  const atLeast = isCut || thisWeek.unreadable > 0 ? say`at least ` : [];
  const spent = say`In the last seven days ${atLeast}${strong(`${formatAmount(thisWeek.used)} ${unit}`)} were used`;
  if (isCut) return say`${spent}.`;
  const more = compare(change.difference, ZERO);
  if (more === 0) return say`${spent}, as much as in the week before.`;
  return say`${spent}, ${formatAmount(size(change.difference))} ${more > 0 ? 'more' : 'less'} than in the week before.`;
}

function causeLines({ causes, rest }: Change): Phrase[] {
  const others = compare(rest, ZERO) === 0 ? [] : [say`all the rest ${signed(rest)}`];
  return [...causes.map(causeWords), ...others];
}

function causeWords(cause: Cause): Phrase {
  const by = signed(cause.difference);
  if (cause.was === undefined) return say`${whose(cause)} new ${by}`;
  // It may be there still and only cost nothing, so it isn't called gone.
  return cause.is === undefined ? say`${whose(cause)} ${by}, nothing this week` : say`${whose(cause)} ${by}`;
}

function whose({ id, name }: Cause): Phrase {
  if (id === undefined) return say`${name}`;
  return name === '' ? say`instance ${id}` : nameOf({ id, name });
}

function stillLines({ paused, idle, incomplete }: Digest): Phrase[] {
  if (!incomplete && paused.length === 0 && idle.length === 0) return [say`Nothing is paused or idle.`];
  const least = incomplete ? say`At least ` : say``;
  const lines = [...named(paused, 'paused', least), ...named(idle, 'idle', least)];
  if (!incomplete) return lines;
  const none = lines.length === 0 ? [say`I found no instance that is paused or idle.`] : lines;
  return [...none, incompleteWords(incomplete, 'instances')];
}

function named(instances: Digest['paused'], how: string, least: Phrase): Phrase[] {
  if (instances.length === 0) return [];
  return [
    say`${least}${instances.length} ${instances.length === 1 ? 'is' : 'are'} ${how}: ${namesUpTo(MAX_NAMED, instances)}.`,
  ];
}

/** What the figures leave out. */
function caveats({ thisWeek: { unreadable }, change, isCut }: Digest): Phrase[] {
  const transactions = unreadable === 1 ? '1 transaction' : `${unreadable} transactions`;
  return [
    ...(isCut
      ? [say`There are more transactions than I read, so I can't compare with the week before.`]
      : []),
    ...(unreadable > 0
      ? [
          say`I couldn't read the amount or time of ${transactions}, so ${unreadable === 1 ? "it isn't" : "they aren't"} in any total here.`,
        ]
      : []),
    ...(change.isWhole || isCut
      ? []
      : [say`Not all of the two weeks could be read, so the change is not certain.`]),
  ];
}

/** "+40" or "−12". */
function signed(amount: Amount): string {
  return `${compare(amount, ZERO) < 0 ? '−' : '+'}${formatAmount(size(amount))}`;
}

/** A zone, and what it means where its name says the opposite: Etc/GMT+2 is two hours behind. */
function zoneWords(zone: string, at: number): string {
  return zone.startsWith('Etc/') ? `${zone}, which is ${offsetAt(at, zone)}` : zone;
}
