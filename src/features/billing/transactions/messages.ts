import { compare, formatAmount, formatCount, sizeOf, ZERO, counted } from '../../../core/money/amount.ts';
import { type Column, momentCell, tableOf } from '../../../core/lists/columns.ts';
import type { Transaction } from '../../../platform/hosting/service.ts';
import type { Message } from '../../../platform/slack/message.ts';
import { join, type Phrase, plain, say, time } from '../../../platform/slack/phrase.ts';
import { signed } from '../balance/messages.ts';
import type { Filters } from './filters.ts';
import { type Statement, statementFrom, type Sums, sumsFrom, type Tally, tallyOf } from './statement.ts';

const COLUMNS: readonly Column<Transaction>[] = [
  { head: 'When (UTC)', cell: ({ createdAt }) => momentCell(createdAt) },
  { head: 'Type', cell: ({ type }) => type.replaceAll('_', ' ') },
  { head: 'Amount', isNumber: true, cell: ({ amountCredits }) => signed(amountCredits) },
  {
    head: 'Balance after',
    isNumber: true,
    cell: ({ balanceAfterCredits: after }) => (after === undefined ? '' : signed(after).replace(/^\+/, '')),
  },
  { head: 'What', cell: ({ description = '-' }) => plain(description, 50) },
];

/** All transactions that were asked for, or the newest of them where not all were read. */
interface Counted {
  readonly count: number;
  readonly tally: Tally | undefined;
  readonly isWhole: boolean;
}

/** One screen of transactions, and what is known of the list that it is of. */
export interface Screen {
  readonly shown: readonly Transaction[];
  /** Set where all were counted, and are more than these. */
  readonly all?: Counted;
  /** Reading stopped before the end. */
  readonly isCut: boolean;
  /** Set where the list ended before all of it was read; how many it has, where the service says so. */
  readonly missing?: { readonly total: number | undefined };
  /** They came newest first. */
  readonly isInOrder: boolean;
}

/** One screen, and whether its transactions add up. `isPart`: there are others on other screens; `asOf`: Unix ms. */
export function transactionsMessage(
  { shown, all, isCut, missing, isInOrder }: Screen,
  { wanted, words: filters, days }: Filters,
  {
    unit,
    isPart,
    asOf,
    buttons: pressed,
  }: Required<Pick<Message, 'buttons'>> & {
    readonly unit: string;
    readonly isPart: boolean;
    readonly asOf: number;
  },
): Message {
  const isFiltered = wanted.type !== undefined || wanted.instanceId !== undefined;
  const isOver = wanted.until !== undefined && wanted.until <= asOf;
  const tally = all ? all.tally : tallyOf(shown);
  const statement = statementFrom(tally);
  const sums = sumsFrom(tally);
  const of = ofWords(shown.length, isPart, all, isInOrder);
  const cut = [
    ...(isCut
      ? [
          say`I stopped reading here, because there are too many. Press ${isInOrder ? 'Older' : 'More'} to continue.`,
        ]
      : []),
    ...(missing ? [missingWords(missing.total)] : []),
  ];
  const buttons = pressed.length > 0 ? { buttons: pressed } : {};
  if (shown.length === 0) {
    const none = missing ? say`I found no such transactions.` : say`There are no such transactions.`;
    return { lines: [none, ...cut], ...buttons };
  }
  return {
    lines: [
      ...(isWhole(all, isPart, cut) && !isFiltered ? costWords(days, isOver, sums, unit) : []),
      say`${join([countWords(shown.length, all, isInOrder), ...filters], ' ')}, ${isInOrder ? 'newest first' : "in the service's own order"}, in ${unit}:`,
      ...(statement && isInOrder && !isFiltered ? addsUp(statement, unit, of) : []),
      ...((isFiltered || !isInOrder) && sums.unreadable === 0
        ? [say`${of}${formatAmount(sums.credits)} added and ${formatAmount(sums.usage)} used.`]
        : []),
      ...(sums.unreadable > 0 ? [say`${of}${unreadableWords(sums)}`] : []),
      ...cut,
    ],
    table: tableOf(COLUMNS, shown),
    note: say`As of ${time(asOf)}`,
    ...buttons,
  };
}

/** Whether the sums are of all that was asked for. */
function isWhole(all: Counted | undefined, isPart: boolean, cut: readonly Phrase[]): boolean {
  return all ? all.isWhole : !isPart && cut.length === 0;
}

/** What days cost, where they were asked for and all amounts can be read. */
function costWords(days: string | undefined, isOver: boolean, sums: Sums, unit: string): Phrase[] {
  if (days === undefined || sums.unreadable > 0) return [];
  const cost = counted(sums.usage, unit);
  return [isOver ? say`${days} cost ${cost}.` : say`${days} has cost ${cost} so far.`];
}

function countWords(shown: number, all: Counted | undefined, isInOrder: boolean): Phrase {
  if (!all) return say`${shown} ${shown === 1 ? 'transaction' : 'transactions'}`;
  const count = formatCount(all.count);
  const these = isInOrder ? `The newest ${shown}` : `${shown}`;
  return all.isWhole
    ? say`${these} of ${count} transactions`
    : say`${these} of more than ${count} transactions`;
}

/** What sums are of, before them: nothing where it is all. */
function ofWords(shown: number, isPart: boolean, all: Counted | undefined, isInOrder: boolean): Phrase {
  if (all?.isWhole) return say`All ${formatCount(all.count)}: `;
  if (all) return say`The ${isInOrder ? 'newest' : 'first'} ${formatCount(all.count)} of them: `;
  if (!isPart) return say``;
  return shown === 1 ? say`The one shown: ` : say`The ${shown} shown: `;
}

function missingWords(total: number | undefined): Phrase {
  return total === undefined
    ? say`This list is incomplete: the service seems to have more, and I found no way to read it.`
    : say`This list is incomplete: the service has ${total} transactions, and I found no way to read the rest.`;
}

/** Opening + credits - usage = closing, and a plain sentence where it isn't so. */
export function addsUp(
  { opening, credits, usage, closing, gap }: Statement,
  unit: string,
  of: Phrase = say``,
): Phrase[] {
  const sums = say`${of}${formatAmount(opening)} before, ${formatAmount(credits)} added, ${formatAmount(usage)} used, ${formatAmount(closing)} after.`;
  if (compare(gap, ZERO) === 0) return [sums];
  return [
    sums,
    say`That does not add up: ${counted(sizeOf(gap), unit)} unaccounted for. Ask your hosting service.`,
  ];
}

/** What can't be read is in no sum, so nobody can say that the rows add up. */
export function unreadableWords({ credits, usage, unreadable }: Sums): Phrase {
  const theyAre =
    unreadable === 1
      ? "1 amount can't be read, so it is"
      : `${unreadable} amounts can't be read, so they are`;
  return say`${theyAre} in no sum: the others come to ${formatAmount(credits)} added and ${formatAmount(usage)} used. I can't tell whether all of it adds up.`;
}
