import {
  type Amount,
  compare,
  formatAmount,
  sizeOf,
  toDecimal,
  ZERO,
  counted,
} from '../../../core/money/amount.ts';
import type { Column } from '../../../core/lists/columns.ts';
import { type List, partWords } from '../../../core/lists/list.ts';
import type { Button } from '../../../platform/slack/message.ts';
import { join, type Phrase, plain, say, strong, time } from '../../../platform/slack/phrase.ts';
import type { ComparedMonth } from './compared.ts';
import { differenceOf, type MonthFigures, type MonthLine } from './figures.ts';
import {
  type AskedMonth,
  type By,
  dayName,
  isByLabel,
  labelIn,
  lastOf,
  monthBefore,
  monthName,
  monthWords,
} from './month-words.ts';

export const MONTH_ROUTE = 'billing.month';
/** Why a month costs more or less. */
export const WHY_ROUTE = 'billing.why';

/** A month as it is told. */
export interface ToldMonth extends Pick<ComparedMonth, 'daysOver' | 'isCompared' | 'since'> {
  readonly asked: AskedMonth;
  readonly figures: MonthFigures;
  /** What is told is all there is, and not only what this person may see. */
  readonly isAll: boolean;
  readonly unit: string;
  /** What lines by instance are about. */
  readonly head: string;
  /** What is in no sum, and what can't be said. */
  readonly caveats: readonly Phrase[];
  /** Where the figures come from. */
  readonly note: Phrase;
  readonly buttons: readonly Button[];
}

/** A month as a list: its sum, against the month before, what is not in it, and its lines. */
export function monthList(told: ToldMonth): List<MonthLine> {
  const { figures, asked, unit, note, buttons } = told;
  const top = [...sumLines(told), ...told.caveats];
  return {
    routeId: MONTH_ROUTE,
    words: monthWords(asked),
    rows: figures.lines,
    none: { lines: top, note, buttons },
    columns: monthColumns(told),
    bars: {
      title: `${unit} in ${monthName(asked.month)} by ${asked.by}`,
      series: unit,
      of: (line) => ({ label: calledIn(line), amount: line.amount }),
    },
    page: (part) => ({ lines: [...top, ...partWords(part)], note, buttons }),
  };
}

const HEADS = { type: 'Type', group: 'Group' } as const;

function headOf(by: By, instance: string): string {
  if (by === 'instance') return instance;
  return isByLabel(by) ? `Label ${labelIn(by)}` : HEADS[by];
}

/** What a month has of each of its lines. In a file, amounts are as they are counted with. */
export function monthColumns({
  asked: { month, by },
  isCompared,
  daysOver,
  unit,
  head,
}: ToldMonth): readonly Column<MonthLine>[] {
  const before = monthName(monthBefore(month));
  const money = (title: string, of: 'amount' | 'before'): Column<MonthLine> => ({
    head: title,
    isNumber: true,
    cell: (line) => formatAmount(line[of]),
    csv: (line) => toDecimal(line[of]),
  });
  return [
    { head: headOf(by, head), cell: calledIn, csv: ({ name }) => name },
    ...(by === 'instance' ? [{ head: 'Id', csv: ({ id }: MonthLine) => id }] : []),
    money(`${unit} in ${monthName(month)}`, 'amount'),
    ...(isCompared ? [money(daysOver === undefined ? before : `Same days of ${before}`, 'before')] : []),
  ];
}

/** Where figures come from. */
export function noteOf({ asOf }: Pick<MonthFigures, 'asOf'>): Phrase {
  return say`From the transactions of the service${asOf === undefined ? say`` : say`, as of ${time(asOf)}`}. Days are in UTC.`;
}

/** What a line is about: an instance by name and id, or a type. */
export function calledIn({ id, name }: Pick<MonthLine, 'id' | 'name'>): string {
  if (id === undefined) return plain(name, 60);
  // What is no instance has no id but its name.
  if (name === id) return plain(name, 60);
  return name === '' ? `instance ${plain(id, 20)}` : `${plain(name, 60)} (${plain(id, 20)})`;
}

/** What a month cost, against the month before, and what was added. */
export function sumLines(told: ToldMonth): Phrase[] {
  const { asked, figures, daysOver, isAll, isCompared, unit } = told;
  const { used, added, gaps, unreadable } = figures;
  const name = monthName(asked.month);
  const atLeast = gaps.length > 0 || unreadable > 0 ? 'at least ' : '';
  const cost = strong(`${atLeast}${counted(used, unit)}`);
  const of = isAll ? say`` : say` for what you may see`;
  const sum =
    daysOver === undefined ? say`${name} cost ${cost}${of}` : say`${name} has cost ${cost} so far${of}`;
  const more = isCompared ? say`, ${differenceWords(told)}` : say``;
  const additions = added.map(({ type, amount }) => say`${counted(amount, unit)} (${plain(type, 40)})`);
  return [say`${sum}${more}.`, ...(additions.length > 0 ? [say`Added: ${join(additions, ', ')}.`] : [])];
}

/** What a month is compared with: the one before it, or its first days. */
export function nameBefore({ asked, daysOver }: Pick<ToldMonth, 'asked' | 'daysOver'>): string {
  const before = monthName(monthBefore(asked.month));
  // It may be the shorter one.
  const days = Number(lastOf(monthBefore(asked.month)).slice(8));
  if (daysOver === undefined || daysOver >= days) return before;
  return daysOver === 1 ? `the first day of ${before}` : `the first ${daysOver} days of ${before}`;
}

function differenceWords(told: ToldMonth): Phrase {
  const { figures, unit } = told;
  const difference = differenceOf(figures);
  const than = nameBefore(told);
  if (compare(difference, ZERO) === 0) return say`as much as ${than}`;
  return say`${differenceIn(difference, unit)} than ${than}`;
}

/** "500 credits more", "500 credits less". */
export function differenceIn(amount: Amount, unit: string): string {
  return `${counted(sizeOf(amount), unit)} ${wayOf(amount)}`;
}

export function wayOf(amount: Amount): 'more' | 'less' {
  return compare(amount, ZERO) < 0 ? 'less' : 'more';
}

const MAX_GAPS = 4;

/** The days of which nothing is known. `since`: the first day of the figures, where that lies among those that are told. */
export function gapWords(gaps: MonthFigures['gaps'], since: string | undefined): Phrase[] {
  const inside = gaps.filter(([, last]) => since === undefined || last >= since);
  const more = inside.length > MAX_GAPS ? say` and other days` : say``;
  const named = join(
    inside.slice(0, MAX_GAPS).map(([first, last]) => say`${rangeName(first, last)}`),
    ', ',
  );
  return [
    ...(since === undefined ? [] : [say`My figures begin on ${dayName(since)}.`]),
    ...(inside.length === 0 ? [] : [say`No figures for ${named}${more}: they are in no sum.`]),
  ];
}

/** How many transactions could not be read. */
export function unreadableWords(count: number): Phrase[] {
  if (count === 0) return [];
  const [transactions, are] = count === 1 ? ['transaction', "it isn't"] : ['transactions', "they aren't"];
  return [say`I couldn't read the amount or time of ${count} ${transactions}, so ${are} in any sum.`];
}

/** What is in no sum, and what came late. */
export function caveatsOf({
  asked,
  figures,
  since,
  isCompared,
}: Pick<ToldMonth, 'asked' | 'figures' | 'since' | 'isCompared'>): Phrase[] {
  const { gaps, unreadable, late } = figures;
  return [
    ...gapWords(gaps, since),
    ...(isCompared
      ? []
      : [
          say`I can't compare it with ${monthName(monthBefore(asked.month))}: I don't have all days of both.`,
        ]),
    ...unreadableWords(unreadable),
    ...(late === 0
      ? []
      : [
          say`${late} ${late === 1 ? 'transaction was' : 'transactions were'} booked more than three days late; the sums have ${late === 1 ? 'it' : 'them'}.`,
        ]),
  ];
}

/** "3 October", or "3 to 5 October". */
function rangeName(first: string, last: string): string {
  return first === last ? dayName(first) : `${Number(first.slice(8))} to ${dayName(last)}`;
}
