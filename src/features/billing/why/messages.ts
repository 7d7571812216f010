import { type Amount, compare, formatAmount, sizeOf, ZERO } from '../../../core/money/amount.ts';
import type { Message } from '../../../platform/slack/message.ts';
import { type Phrase, plain, say, strong } from '../../../platform/slack/phrase.ts';
import { calledIn, differenceIn, nameBefore, sumLines, type ToldMonth, wayOf } from '../month/messages.ts';
import { monthBefore, monthName } from '../month/month-words.ts';
import type { Cause, Change, Explanation } from './explain.ts';

/** Why a month costs more or less, and the names of what that comes from, by id. */
export interface Why {
  readonly explanation: Explanation;
  readonly names: ReadonlyMap<string, string>;
}

/**
 * A month against the one before it: the sum, what explains most of the difference, and what isn't explained. `why`: undefined where
 * the months can't be compared.
 */
export function whyMessage(month: ToldMonth, why: Why | undefined): Message {
  const top = [...sumLines(month), ...month.caveats];
  const { note } = month;
  if (!why) return { lines: top, note, buttons: month.buttons };
  const compared = {
    now: monthName(month.asked.month),
    before: nameBefore(month),
    whole: monthName(monthBefore(month.asked.month)),
    in: 'in' as const,
  };
  const bullets = explanationLines(why.explanation, { names: why.names, compared, unit: month.unit });
  return { lines: top, bullets, note, buttons: month.buttons };
}

/** What is compared, by its names in a sentence, as in "October 2026". */
interface Compared {
  readonly now: string;
  readonly before: string;
  /** All of what `before` is the first days of. */
  readonly whole: string;
  /** What stands before such a name: one is in a month, and on a day. */
  readonly in: 'in' | 'on';
}

/** How an explanation is told. */
export interface ExplanationWords {
  readonly names: ReadonlyMap<string, string>;
  readonly compared: Compared;
  readonly unit: string;
}

/** An explanation: its changes, the rest of them, and what isn't explained. */
export function explanationLines(explanation: Explanation, words: ExplanationWords): readonly Phrase[] {
  return [
    ...explanation.changes.map((change) => changeLine(change, words)),
    ...restLines(explanation, words.unit),
  ];
}

function changeLine({ cause, amount }: Change, { names, compared, unit }: ExplanationWords): Phrase {
  const called =
    'id' in cause ? calledIn({ id: cause.id || undefined, name: names.get(cause.id) ?? '' }) : '';
  return say`${strong(differenceIn(amount, unit))}: ${causeWords(cause, called, compared, amount)}`;
}

/** What the cause of a change is, of an instance that is called so. */
function causeWords(
  cause: Cause,
  called: string,
  { now, before, whole, in: on }: Compared,
  amount: Amount,
): Phrase {
  const more = wayOf(amount);
  const [name, then] = [`${on} ${now}`, `${on} ${before}`];
  switch (cause.kind) {
    case 'started':
      return say`${called} started. It cost nothing ${then}.`;
    case 'gone':
      return say`${called} was stopped or deleted. It cost nothing ${name}.`;
    case 'resized':
      return say`${called} was resized from ${tierName(cause.from)} to ${tierName(cause.to)}.`;
    case 'addon':
      if (cause.how === 'changed') return say`the add-ons of ${called} cost ${more}.`;
      return cause.how === 'added'
        ? say`${called} got add-ons. It had none ${then}.`
        : say`${called} has lost its add-ons. They cost nothing ${name}.`;
    case 'on':
      return say`${called} was on ${more === 'more' ? 'longer' : 'shorter'}: about ${cause.hours} hours, and about ${cause.hoursBefore} ${then}.`;
    case 'price':
      return say`each ${cause.per} of ${tierName(cause.tier)} costs ${more}, for ${cause.count} ${cause.count === 1 ? 'instance' : 'instances'}.`;
    case 'length':
      return say`${now} has ${more === 'more' ? 'more' : 'fewer'} days than ${whole}.`;
    case 'type':
      return say`${plain(cause.type.replaceAll('_', ' '), 60)}: ${formatAmount(cause.amount)}, and ${formatAmount(cause.before)} ${then}.`;
    case 'item':
      if (compare(cause.before, ZERO) === 0) return say`${called} cost nothing ${then}.`;
      if (compare(cause.amount, ZERO) === 0) return say`${called} costs nothing any more.`;
      return say`${called}: ${formatAmount(cause.amount)}, and ${formatAmount(cause.before)} ${then}.`;
    case 'unseen':
      return say`${called} cost ${more}. I wasn't looking at its hours then.`;
  }
}

function restLines({ more, unexplained }: Explanation, unit: string): Phrase[] {
  const isOne = more.count === 1;
  const isAll = compare(unexplained, ZERO) === 0;
  return [
    ...(more.count === 0
      ? []
      : [
          say`${more.count} smaller ${isOne ? 'change comes' : 'changes come'} to ${differenceIn(more.amount, unit)}.`,
        ]),
    ...(isAll
      ? []
      : [
          say`${differenceIn(unexplained, unit)} ${formatAmount(sizeOf(unexplained)) === '1' ? "isn't" : "aren't"} explained.`,
        ]),
  ];
}

function tierName(tier: string): string {
  return tier === '' ? 'no tier' : plain(tier, 40);
}
