import { compare, formatAmount, subtract, ZERO } from '../credits/amount.ts';
import { counted } from '../credits/counted.ts';
import type { Transaction } from '../hosting/service.ts';
import type { Button, Message } from '../slack/message.ts';
import { join, type Phrase, plain, say, time } from '../slack/phrase.ts';
import { signed } from './messages.ts';
import { type Statement, statementFrom, type Sums, sumsFrom, tallyOf } from './statement.ts';

/** One screen of transactions, newest first, and whether they add up. */
export function transactionsMessage(
  shown: readonly Transaction[],
  {
    unit,
    filters,
    isFiltered,
    isCut,
    asOf,
    buttons: pressed,
  }: {
    unit: string;
    /** What is shown, in words. */
    filters: readonly Phrase[];
    isFiltered: boolean;
    isCut: boolean;
    asOf: number;
    buttons: readonly Button[];
  },
): Message {
  const tally = tallyOf(shown);
  const statement = statementFrom(tally);
  const sums = sumsFrom(tally);
  const cut = isCut ? [say`I stopped reading here, because there is very much; press Older to go on.`] : [];
  const buttons = pressed.length > 0 ? { buttons: pressed } : {};
  if (shown.length === 0) return { lines: [say`There are no such transactions.`, ...cut], ...buttons };
  return {
    lines: [
      say`${join([say`${shown.length} ${shown.length === 1 ? 'transaction' : 'transactions'}`, ...filters], ' ')}, newest first, in ${unit}:`,
      ...(statement && !isFiltered ? addsUp(statement, unit) : []),
      ...(sums.unreadable > 0 ? [unreadableWords(sums)] : []),
      ...cut,
    ],
    table: {
      head: ['When (UTC)', 'Type', 'Amount', 'Balance after', 'What'],
      rows: shown.map((one) => [
        when(one.createdAt),
        one.type.replaceAll('_', ' '),
        signed(one.amountCredits),
        one.balanceAfterCredits === undefined ? '' : signed(one.balanceAfterCredits).replace(/^\+/, ''),
        plain(one.description ?? '-', 50),
      ]),
      numbers: [2, 3],
    },
    note: say`As of ${time(asOf)}`,
    ...buttons,
  };
}

/** Opening + credits - usage = closing, and a plain sentence where it isn't so. */
export function addsUp({ opening, credits, usage, closing, gap }: Statement, unit: string): Phrase[] {
  const sums = say`${formatAmount(opening)} before, ${formatAmount(credits)} added, ${formatAmount(usage)} used, ${formatAmount(closing)} after.`;
  if (compare(gap, ZERO) === 0) return [sums];
  const missing = compare(gap, ZERO) < 0 ? subtract(ZERO, gap) : gap;
  return [
    sums,
    say`That does not add up: ${counted(missing, unit)} unaccounted for. Ask your hosting service.`,
  ];
}

/** What can't be read is in no sum, so nobody can say that the rows add up. */
export function unreadableWords({ credits, usage, unreadable }: Sums): Phrase {
  const theyAre =
    unreadable === 1
      ? "1 amount can't be read, so it is"
      : `${unreadable} amounts can't be read, so they are`;
  return say`${theyAre} in no sum: the others come to ${formatAmount(credits)} added and ${formatAmount(usage)} used. Whether all of it adds up can't be told.`;
}

function when(createdAt: string): string {
  const at = Date.parse(createdAt);
  return Number.isFinite(at)
    ? new Date(at).toISOString().slice(0, 16).replace('T', ' ')
    : plain(createdAt, 20);
}
