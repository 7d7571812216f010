import { type Amount, compare, formatAmount } from '../../../core/money/amount.ts';
import type { Button, Message } from '../../../platform/slack/message.ts';
import { day, type Phrase, say, strong, time } from '../../../platform/slack/phrase.ts';
import { monthName } from '../postpaid/budget.ts';
import type { Forecast } from '../postpaid/forecast.ts';
import { lacksWords } from '../range/expected.ts';
import { type CostRange, MIN_DAYS, type Outlook } from '../range/range.ts';
import type { MonthBefore } from './month.ts';

/** How an amount is said: with what it counts. */
type Counted = (amount: Amount) => string;

/** What a forecast says. Times are Unix ms. */
export interface ForecastRead {
  readonly asOf: number;
  readonly counted: Counted;
  readonly range: CostRange | undefined;
  readonly outlook: Outlook | undefined;
  /** How many days have a figure. */
  readonly knownDays: number;
  readonly before: MonthBefore | undefined;
  /** What a month may cost. */
  readonly budget?: Amount | undefined;
  /** At the pace of now, where there is no range. */
  readonly pace: Forecast | undefined;
  /** What else there is to say of the money: how long it lasts, what was spent. */
  readonly more: readonly Phrase[];
  readonly buttons: readonly Button[];
}

/** `/billing forecast`: what the month comes to, against the month before and the budget. Pure. */
export function forecastMessage(read: ForecastRead): Message {
  const { asOf, outlook, more, buttons } = read;
  return {
    lines: [
      ...monthLines(read),
      ...budgetLines(read),
      ...beforeLines(read),
      ...more,
      ...(outlook ? lacksWords(outlook.basis) : [tooFewWords(read)]),
    ],
    note: say`As of ${time(asOf)}. Months and days are in UTC.`,
    buttons,
  };
}

/** "6,120 to 7,400 credits, most likely 6,700", "about 6,700 credits". Pure. */
function spanWords({ least, likely, most }: CostRange, counted: Counted): string {
  if (compare(least, most) === 0) return `about ${counted(likely)}`;
  return `${formatAmount(least)} to ${counted(most)}, most likely ${formatAmount(likely)}`;
}

function monthLines({ asOf, counted, range, pace }: ForecastRead): Phrase[] {
  const month = monthName(asOf);
  if (range) return [say`📈 ${month} comes to ${strong(spanWords(range, counted))}.`];
  return pace
    ? [say`📈 ${month} comes to about ${strong(counted(pace.amount))} by ${day(pace.until)} at this pace.`]
    : [];
}

function budgetLines({ counted, range, budget }: ForecastRead): Phrase[] {
  if (!range || !budget) return [];
  const of = counted(budget);
  if (compare(range.most, budget) <= 0) return [say`That is within the budget of ${of}.`];
  return compare(range.least, budget) > 0
    ? [say`That is over the budget of ${of}.`]
    : [say`That may be over the budget of ${of}.`];
}

function beforeLines({ before, counted }: ForecastRead): Phrase[] {
  if (!before) return [];
  const gaps = before.gaps === 1 ? '1 of its days is' : `${before.gaps} of its days are`;
  return before.gaps === 0
    ? [say`${monthName(before.at)} cost ${counted(before.cost)}.`]
    : [say`${monthName(before.at)} cost at least ${counted(before.cost)}; ${gaps} unknown.`];
}

/** Why there is no range. Pure. */
export function tooFewWords({ knownDays }: Pick<ForecastRead, 'knownDays'>): Phrase {
  if (knownDays === 0)
    return say`I don't know yet what past days have cost; I give a range from ${MIN_DAYS} of them on.`;
  const known = knownDays === 1 ? '1 day' : `${knownDays} days`;
  return knownDays < MIN_DAYS
    ? say`I know what ${known} cost so far; I give a range from ${MIN_DAYS} days on.`
    : say`What I know of past days is too old or too little to give a range.`;
}
