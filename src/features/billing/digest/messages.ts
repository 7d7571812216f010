import {
  type Amount,
  compare,
  formatAmount,
  sizeOf,
  subtract,
  sum,
  ZERO,
} from '../../../core/money/amount.ts';
import type { Incomplete, Instance } from '../../../platform/hosting/service.ts';
import type { Button, Message } from '../../../platform/slack/message.ts';
import { type Phrase, say, strong, time } from '../../../platform/slack/phrase.ts';
import { incompleteWords, namesUpTo } from '../../../core/instances/messages.ts';
import { allPausedWords, fundsWords } from '../balance/messages.ts';
import type { Reading } from '../balance/reading.ts';
import { differenceOf, type MonthFigures, type MonthLine } from '../month/figures.ts';
import { calledIn, gapWords, unreadableWords, wayOf } from '../month/messages.ts';
import { clockAt } from '../../../platform/time/zoned-time.ts';

/** What a digest tells. */
export interface Digest {
  /** Undefined where the service offers no balance. */
  readonly reading: Reading | undefined;
  /** Of the seven days, against the seven before. */
  readonly figures: MonthFigures;
  /** The days of both weeks of which nothing is known. */
  readonly gaps: MonthFigures['gaps'];
  /** The first day of the figures, where that lies in those weeks. */
  readonly since: string | undefined;
  /** Whether all that is known of the seven before could be read. */
  readonly isBeforeCertain: boolean;
  readonly paused: readonly Pick<Instance, 'id' | 'name'>[];
  readonly idle: readonly Pick<Instance, 'id' | 'name'>[];
  /** Nothing costs anything because all that did is paused. */
  readonly isStandstill?: boolean;
  /** Set where the instances that were read are not all, or may not be. */
  readonly incomplete?: Incomplete;
  /** How credits are called. */
  readonly unit: string;
  /** Opens the page where credit is bought. */
  readonly topUp: readonly Button[];
  /** Unix ms. */
  readonly asOf: number;
  /** The schedule's zone. */
  readonly zone: string;
  /** The last of the seven days. */
  readonly lastDay: string;
}

const MAX_NAMED = 5;
const MAX_CAUSES = 3;

/** What was used in the last seven days, why it is more or less than before, how long the rest lasts, who stands still. */
export function digestMessage(digest: Digest): Message {
  const { reading, figures, gaps, unit, asOf, zone, lastDay, topUp, isStandstill = false } = digest;
  // What was not all read can't be distinguished from what has changed.
  const causes = gaps.length > 0 ? [] : causeLines(figures);
  const added = sum(figures.added.map(({ amount }) => amount));
  const wall = clockAt(asOf, zone).toString({ smallestUnit: 'minute' }).replace('T', ' ');
  return {
    lines: [
      ...(isStandstill ? [allPausedWords] : []),
      spentWords(digest),
      ...(compare(added, ZERO) > 0 ? [say`${formatAmount(added)} ${unit} were added.`] : []),
      reading
        ? fundsWords(reading, unit, isStandstill ? 'paused' : undefined)
        : say`This hosting service doesn't offer a balance.`,
      ...stillLines(digest),
      ...caveats(digest),
      ...(causes.length > 0 ? [say`What changed most, in ${unit}:`] : []),
    ],
    ...(causes.length > 0 ? { bullets: causes } : {}),
    note: say`As of ${time(asOf)} (${wall} in ${zone}). Days are in UTC, until ${lastDay}.`,
    ...(reading && topUp.length > 0 ? { buttons: topUp } : {}),
  };
}

function spentWords({ figures, gaps, unit }: Digest): Phrase {
  const { used, unreadable, asOf } = figures;
  if (asOf === undefined) return say`I don't know yet what was used in the last seven days.`;
  const atLeast = figures.gaps.length > 0 || unreadable > 0 ? say`at least ` : [];
  const spent = say`In the last seven days ${atLeast}${strong(`${formatAmount(used)} ${unit}`)} were used`;
  if (gaps.length > 0) return say`${spent}.`;
  const difference = differenceOf(figures);
  if (compare(difference, ZERO) === 0) return say`${spent}, as much as in the week before.`;
  return say`${spent}, ${formatAmount(sizeOf(difference))} ${wayOf(difference)} than in the week before.`;
}

/** The largest causes of the difference, whichever way they go, and what all others come to; none where nothing has changed. */
function causeLines({ lines }: MonthFigures): Phrase[] {
  const changed = lines
    .map((line) => ({ line, by: subtract(line.amount, line.before) }))
    .filter(({ by }) => compare(by, ZERO) !== 0)
    .toSorted((one, other) => compare(sizeOf(other.by), sizeOf(one.by)));
  const rest = sum(changed.slice(MAX_CAUSES).map(({ by }) => by));
  const others = compare(rest, ZERO) === 0 ? [] : [say`all the rest ${signed(rest)}`];
  return [...changed.slice(0, MAX_CAUSES).map(({ line, by }) => causeWords(line, by)), ...others];
}

function causeWords(line: MonthLine, by: Amount): Phrase {
  const whose = calledIn(line);
  if (compare(line.before, ZERO) === 0) return say`${whose} new ${signed(by)}`;
  // It may be there still and only cost nothing, so it isn't called gone.
  const nothing = compare(line.amount, ZERO) === 0 ? ', nothing this week' : '';
  return say`${whose} ${signed(by)}${nothing}`;
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
function caveats({ figures: { unreadable }, gaps, since, isBeforeCertain }: Digest): Phrase[] {
  const isWhole = unreadable === 0 && isBeforeCertain;
  return [
    ...gapWords(gaps, since),
    ...unreadableWords(unreadable),
    ...(gaps.length > 0
      ? [say`I can't compare with the week before: I don't have all days of both.`]
      : isWhole
        ? []
        : [say`Not all of the two weeks could be read, so the change is not certain.`]),
  ];
}

/** "+40" or "−12". */
function signed(amount: Amount): string {
  return `${compare(amount, ZERO) < 0 ? '−' : '+'}${formatAmount(sizeOf(amount))}`;
}
