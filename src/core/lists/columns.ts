import type { Chart, Table } from '../../platform/slack/figures.ts';
import { plain } from '../../platform/slack/phrase.ts';
import { type Amount, compare, formatAmount, sum, ZERO } from '../money/amount.ts';

/**
 * What a spreadsheet would run when it opens the file, full-width signs and what is hidden before them included.
 * What begins with a control character is meant to look like something else, so it counts too.
 */
const STARTS_FORMULA = /^(?:[\t\r\n]|[\s\p{Cc}\p{Cf}\p{DI}]*[=+\-@＝＋－＠])/u;
/** Nothing that a spreadsheet could run: it stays a number that can be summed up. */
const NUMBER = /^-?\d+(?:\.\d+)?$/;

/** One line of a CSV file, with its end (RFC 4180). Every cell is foreign text: none of them starts a formula. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

function csvCell(text: string): string {
  const safe = STARTS_FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A column of a list: what it has of each row in a table, and in a file. Both are foreign text. */
export interface Column<Row> {
  readonly head: string;
  readonly isNumber?: true;
  /** In a table; without it, the column is in the file alone. A column that is undefined for all rows is left out. */
  readonly cell?: (row: Row) => string | undefined;
  /** In a file; without it, the column is in the table alone. */
  readonly csv?: (row: Row) => string | undefined;
}

/** Rows as a table. `caption`: what it is called, where its reader may sort it. Pure. */
export function tableOf<Row>(columns: readonly Column<Row>[], rows: readonly Row[], caption?: string): Table {
  const shown = columns.flatMap(({ head, isNumber, cell }) => {
    const cells = cell ? rows.map(cell) : [];
    return cells.some((one) => one !== undefined) ? [{ head, isNumber, cells }] : [];
  });
  return {
    ...(caption === undefined ? {} : { caption }),
    head: shown.map(({ head }) => head),
    rows: rows.map((_, row) => shown.map(({ cells }) => cells[row] ?? '')),
    numbers: shown.flatMap(({ isNumber }, column) => (isNumber ? [column] : [])),
  };
}

/** The first line of a file, with its end. Pure. */
export function csvHead<Row>(columns: readonly Column<Row>[]): string {
  return csvLine(columns.flatMap(({ head, csv }) => (csv ? [head] : [])));
}

/** A row as a line of a file, with its end. Pure. */
export function csvRow<Row>(columns: readonly Column<Row>[], row: Row): string {
  return csvLine(columns.flatMap(({ csv }) => (csv ? [csv(row) ?? ''] : [])));
}

/** Rows as a file of comma-separated values. Pure. */
export function csvOf<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  return [csvHead(columns), ...rows.map((row) => csvRow(columns, row))].join('');
}

/** A picture of the rows that cost most. */
export interface Bars<Row> extends Pick<Chart, 'title' | 'series'> {
  readonly of: (row: Row) => { readonly label: string; readonly amount: Amount | undefined };
}

/** More overlap into mush where a phone shows them. */
const MAX_BARS = 8;

/** What costs something as bars, in the order of the rows, the rest as one; undefined for a single one. Pure. */
export function chartOf<Row>({ of, ...chart }: Bars<Row>, rows: readonly Row[]): Chart | undefined {
  const costly = rows.map(of).flatMap(({ label, amount }) => {
    return amount && compare(amount, ZERO) > 0 ? [{ label, amount }] : [];
  });
  if (costly.length < 2) return undefined;
  // One that is left over has a bar of its own.
  const most = costly.length > MAX_BARS ? MAX_BARS - 1 : MAX_BARS;
  const rest = costly.slice(most);
  const others = { label: `${rest.length} others`, amount: sum(rest.map(({ amount }) => amount)) };
  const bars = [...costly.slice(0, most), ...(rest.length > 0 ? [others] : [])];
  // It is only a picture, so that a float will do.
  const value = (amount: Amount): number => Number(formatAmount(amount).replaceAll(',', ''));
  return { ...chart, bars: bars.map(({ label, amount }) => ({ label, value: value(amount) })) };
}

/** A moment as a cell, in UTC and to the minute; text that is none stays as it is. */
export function momentCell(text: string): string {
  const at = Date.parse(text);
  return Number.isFinite(at) ? new Date(at).toISOString().slice(0, 16).replace('T', ' ') : plain(text, 20);
}
