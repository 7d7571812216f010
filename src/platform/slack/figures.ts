import type { Block, KnownBlock, RawNumberElement, RawTextElement } from '@slack/types';
import { z } from 'zod';
import { plain } from './phrase.ts';
import { sizeOf } from './rich-text.ts';

/** A table: a head and rows of foreign text, shown as it is. Numbers stand on the right. */
export interface Table {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Columns of numbers, counted from zero. */
  readonly numbers: readonly number[];
  /** What a table is called that its reader sorts and filters, where that is taken; without it, it stands as it is. */
  readonly caption?: string;
}

/** A bar chart: one bar for each value. It is only a picture of what the table says. */
export interface Chart {
  readonly title: string;
  /** What a value is of; without it, of a day. */
  readonly series?: string;
  readonly bars: readonly { readonly label: string; readonly value: number }[];
}

export const tableSchema = z.object({
  head: z.array(z.string()),
  rows: z.array(z.array(z.string())),
  numbers: z.array(z.number()),
  caption: z.string().optional(),
}) satisfies z.ZodType<Table>;

export const chartSchema = z.object({
  title: z.string(),
  series: z.string().optional(),
  bars: z.array(z.object({ label: z.string(), value: z.number() })),
}) satisfies z.ZodType<Chart>;

/** Slack's own chart block, which its types do not know yet. */
interface ChartBlock extends Block {
  readonly type: 'data_visualization';
  readonly title: string;
  readonly chart: object;
}
/** A block of a message. */
export type MessageBlock = KnownBlock | ChartBlock;

/** Rows of a table that stay within the size of a message unless its texts are long. */
export const MAX_ROWS = 50;
/** A cell is cut past this. */
export const MAX_CELL = 80;
const NOTHING = '–';
/** So many rows of a table that is sorted are seen at once: a screen of a phone. */
const ROWS_AT_ONCE = 10;
const MAX_CAPTION = 150;
const MAX_TITLE = 50;
const MAX_LABEL = 20;
/** Slack's limit for the points of a series, taken to hold for bars as well. */
const MAX_BARS = 20;

type Cell = RawTextElement | RawNumberElement;

/** A table of at most `room` characters of JSON, and how many rows are left out. */
export function tableBlock(
  { head, rows, numbers, caption }: Table,
  room: number,
): { block: KnownBlock; left: number } {
  const text = (cell: string): RawTextElement => ({ type: 'raw_text', text: cellWords(cell) });
  const sorted = (cell: string, column: number): Cell =>
    (numbers.includes(column) && numberOf(cell)) || text(cell);
  const settings = head.map((_, column) => ({
    align: numbers.includes(column) ? ('right' as const) : ('left' as const),
  }));
  const around = (cells: RawTextElement[][]): KnownBlock => ({
    type: 'table',
    column_settings: settings,
    rows: cells,
  });
  // A plain one, which may take its place, is to have room for the same rows.
  const shown = fitting(
    rows.slice(0, MAX_ROWS).map((row) => row.map(caption === undefined ? text : sorted)),
    room - sizeOf(around([head.map(text)])) - sizeOf(caption ?? ''),
  );
  const more = rows.length - shown.length;
  if (caption === undefined || shown.length === 0)
    return {
      block: around([head.map(text), ...rows.slice(0, shown.length).map((row) => row.map(text))]),
      left: more,
    };
  return {
    block: {
      type: 'data_table',
      caption: plain(caption, MAX_CAPTION),
      rows: [head.map(text), ...shown],
      page_size: ROWS_AT_ONCE,
    },
    left: more,
  };
}

/** As many of the rows as there is room for. */
function fitting<Row>(rows: readonly Row[], room: number): Row[] {
  let left = room;
  const shown: Row[] = [];
  for (const row of rows) {
    left -= sizeOf(row);
    if (left < 0) break;
    shown.push(row);
  }
  return shown;
}

/** A cell that is sorted by its value; undefined where it is none. */
function numberOf(cell: string): RawNumberElement | undefined {
  const value = Number(cell.replaceAll(',', ''));
  return cell === '' || !Number.isFinite(value)
    ? undefined
    : { type: 'raw_number', value, text: cellWords(cell) };
}

/** A row of a table on one line. */
export function rowWords(row: readonly string[]): string {
  return row.map(cellWords).join(' · ');
}

function cellWords(text: string): string {
  return text === '' ? NOTHING : plain(text, MAX_CELL);
}

export function chartBlock({ title, series = 'A day', bars }: Chart): ChartBlock {
  const labels = uniqueLabels(bars.map(({ label }) => plain(label, MAX_LABEL)));
  const data = bars.slice(0, MAX_BARS).map(({ value }, index) => ({ label: labels[index] ?? '', value }));
  return {
    type: 'data_visualization',
    title: plain(title, MAX_TITLE),
    chart: {
      type: 'bar',
      series: [{ name: series, data }],
      axis_config: { categories: data.map(({ label }) => label) },
    },
  };
}

/** Slack takes each category once, so what shares a label is numbered. */
function uniqueLabels(labels: readonly string[]): string[] {
  const taken = new Set<string>();
  return labels.map((label) => {
    let unique = label;
    for (let count = 2; taken.has(unique); count++) {
      const suffix = ` #${count}`;
      unique = `${[...label].slice(0, MAX_LABEL - suffix.length).join('')}${suffix}`;
    }
    taken.add(unique);
    return unique;
  });
}
