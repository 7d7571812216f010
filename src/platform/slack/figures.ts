import type { Block, KnownBlock } from '@slack/types';
import { z } from 'zod';
import { plain } from './phrase.ts';
import { sizeOf } from './rich-text.ts';

/** A table: a head and rows of foreign text, shown as it is. Numbers stand on the right. */
export interface Table {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Columns of numbers, counted from zero. */
  readonly numbers: readonly number[];
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
const MAX_CELL = 60;
const NOTHING = '–';
const MAX_TITLE = 50;
const MAX_LABEL = 20;
/** Slack's limit for the points of a series, taken to hold for bars as well. */
const MAX_BARS = 20;

/** A table of at most `room` characters of JSON, and how many rows are left out. */
export function tableBlock(
  { head, rows, numbers }: Table,
  room: number,
): { block: KnownBlock; left: number } {
  const cell = (text: string): { type: 'raw_text'; text: string } => ({
    type: 'raw_text',
    text: cellWords(text),
  });
  const top: KnownBlock = {
    type: 'table',
    column_settings: head.map((_, column) => ({ align: numbers.includes(column) ? 'right' : 'left' })),
    rows: [head.map(cell)],
  };
  let left = room - sizeOf(top);
  const shown: (typeof top)['rows'] = [];
  for (const row of rows.slice(0, MAX_ROWS)) {
    const cells = row.map(cell);
    left -= sizeOf(cells);
    if (left < 0) break;
    shown.push(cells);
  }
  return { block: { ...top, rows: [...top.rows, ...shown] }, left: rows.length - shown.length };
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
