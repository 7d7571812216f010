import { type Amount, compare, formatAmount, sum } from '../../../core/money/amount.ts';
import { pageMessage } from '../../../core/lists/page.ts';
import { MAX_ROWS } from '../../../platform/slack/figures.ts';
import type { Button, Message } from '../../../platform/slack/message.ts';
import { type Phrase, plain, say, strong, time } from '../../../platform/slack/phrase.ts';
import { signed, USAGE_ROUTE } from '../balance/messages.ts';
import { barsOf } from '../usage/bars.ts';
import { moneyWords } from './budget.ts';

export const BILLS_ROUTE = 'billing.transactions';

/** What one thing costs this month so far. */
export interface ChargeLine {
  readonly name: string;
  readonly product: string;
  readonly amount: Amount;
}

interface ChargesAsked {
  readonly currency: string;
  /** What the service itself counts this month so far. */
  readonly counted: Amount | undefined;
  readonly isIncomplete: boolean;
  readonly asOf: number;
  readonly from: number;
  readonly listId: string | undefined;
  /** Whether there are invoices and payments to look at. */
  readonly other: boolean;
}

/** What a month is spent on, page by page, as a chart and a table. */
export function chargesMessage(lines: readonly ChargeLine[], asked: ChargesAsked): Message {
  const { from, listId, currency, counted, isIncomplete, asOf, other } = asked;
  const buttons: Button[] = other ? [billsButton] : [];
  if (lines.length === 0)
    return { lines: [say`Nothing is listed for this month yet.`], note: say`As of ${time(asOf)}`, buttons };
  const total = sum(lines.map(({ amount }) => amount));
  const atLeast = isIncomplete ? 'at least ' : '';
  const differs = counted && compare(counted, total) !== 0;
  const bars = barsOf(lines);
  const paged = { count: lines.length, from, perPage: MAX_ROWS - 1, routeId: USAGE_ROUTE, listId };
  return pageMessage(paged, (start, count) => ({
    lines: [
      say`The items of this month come to ${strong(`${atLeast}${moneyWords(total, currency)}`)} so far, most expensive first:`,
      ...(differs
        ? [
            say`The service counts ${moneyWords(counted, currency)} in all, and doesn't say what else is in it.`,
          ]
        : []),
      ...placeWords(start, count, lines.length),
    ],
    ...(bars.length > 1 && start === 0
      ? { chart: { title: `${currency} this month`, series: 'This month', bars } }
      : {}),
    table: {
      head: ['What', 'Product', currency],
      rows: lines
        .slice(start, start + count)
        .map(({ name, product, amount }) => [name, product, formatAmount(amount)]),
      numbers: [2],
    },
    note: say`As of ${time(asOf)}`,
    buttons,
  }));
}

/** The button that shows invoices and payments. */
export const billsButton: Button = { label: 'Invoices and payments', routeId: BILLS_ROUTE, value: 'newest' };

/** The button that shows what costs most. */
export const chargesButton = (label: string): Button => ({ label, routeId: USAGE_ROUTE, value: 'month' });

/** An invoice, a payment, or the like, as it is shown. */
export interface BillLine {
  readonly at: string;
  readonly type: string;
  /** A decimal with its sign; undefined where nobody can say which. */
  readonly amount: string | undefined;
  readonly size: string | undefined;
  readonly description: string | undefined;
}

interface BillsAsked {
  readonly isNewestFirst: boolean;
  readonly currency: string;
  readonly isIncomplete: boolean;
  readonly asOf: number;
  readonly from: number;
  readonly listId: string | undefined;
}

/** Invoices and payments, page by page. */
export function billsMessage(
  lines: readonly BillLine[],
  { currency, isNewestFirst, isIncomplete, asOf, from, listId }: BillsAsked,
): Message {
  if (lines.length === 0)
    return { lines: [say`There are no invoices and no payments yet.`], note: say`As of ${time(asOf)}` };
  const paged = { count: lines.length, from, perPage: MAX_ROWS - 1, routeId: BILLS_ROUTE, listId };
  return pageMessage(paged, (start, count) => ({
    lines: [
      say`Invoices and payments, ${isNewestFirst ? 'newest first' : "in the service's own order"}, in ${currency}. What is owed has a +, what is paid or credited a -.`,
      ...(isIncomplete
        ? [say`This list is incomplete: the service seems to have more, and I found no way to read it.`]
        : []),
      ...placeWords(start, count, lines.length),
    ],
    table: {
      head: ['When (UTC)', 'Type', 'Amount', 'What'],
      rows: lines.slice(start, start + count).map(({ at, type, amount, size, description }) => [
        when(at),
        plain(type.replaceAll('_', ' '), 30),
        // A size without a sign is worth more than no figure.
        amount === undefined && size !== undefined ? `± ${plain(size, 20)}` : signed(amount),
        plain(description ?? '-', 50),
      ]),
      numbers: [2],
    },
    note: say`As of ${time(asOf)}`,
  }));
}

function placeWords(start: number, count: number, all: number): Phrase[] {
  return count < all ? [say`${start + 1} to ${start + count} of ${all}:`] : [];
}

function when(at: string): string {
  const moment = Date.parse(at);
  return Number.isFinite(moment)
    ? new Date(moment).toISOString().slice(0, 16).replace('T', ' ')
    : plain(at, 20);
}
