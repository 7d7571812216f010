import { compare, formatAmount, subtract, ZERO } from '../credits/amount.ts';
import { counted } from '../credits/counted.ts';
import type { Transaction } from '../hosting/service.ts';
import type { Button, Message } from '../slack/message.ts';
import { type Phrase, plain, say, time } from '../slack/phrase.ts';
import { signed } from './messages.ts';
import { type Statement, statementOf } from './statement.ts';

/** One screen of transactions, newest first, and whether they add up. */
export function transactionsMessage(
  shown: readonly Transaction[],
  {
    unit,
    isFiltered,
    isCut,
    asOf,
    older,
  }: { unit: string; isFiltered: boolean; isCut: boolean; asOf: number; older: readonly Button[] },
): Message {
  const statement = statementOf(shown);
  const cut = isCut ? [say`I stopped reading here, because there is very much; press Older to go on.`] : [];
  const buttons = older.length > 0 ? { buttons: older } : {};
  if (shown.length === 0) return { lines: [say`There are no such transactions.`, ...cut], ...buttons };
  return {
    lines: [
      say`${shown.length} ${shown.length === 1 ? 'transaction' : 'transactions'}, newest first, in ${unit}:`,
      ...(statement && !isFiltered ? addsUp(statement, unit) : []),
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

function when(createdAt: string): string {
  const at = Date.parse(createdAt);
  return Number.isFinite(at)
    ? new Date(at).toISOString().slice(0, 16).replace('T', ' ')
    : plain(createdAt, 20);
}
