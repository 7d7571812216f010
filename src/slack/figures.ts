import type { Block, KnownBlock } from '@slack/types';
import { z } from 'zod';
import { plain } from './phrase.ts';

/** A table: a head and rows of foreign text, shown as it is. Numbers stand on the right. */
export interface Table {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Columns of numbers, counted from nought. */
  readonly numbers: readonly number[];
}

/** A bar chart: one bar for each value. It is only a picture of what the table says. */
export interface Chart {
  readonly title: string;
  readonly bars: readonly { readonly label: string; readonly value: number }[];
}

export const tableSchema = z.object({
  head: z.array(z.string()),
  rows: z.array(z.array(z.string())),
  numbers: z.array(z.number()),
}) satisfies z.ZodType<Table>;

export const chartSchema = z.object({
  title: z.string(),
  bars: z.array(z.object({ label: z.string(), value: z.number() })),
}) satisfies z.ZodType<Chart>;

/** Slack's own chart block, which its types do not know yet (slack.md 2.4). */
interface ChartBlock extends Block {
  readonly type: 'data_visualization';
  readonly title: string;
  readonly chart: object;
}
/** A block of a message. */
export type MessageBlock = KnownBlock | ChartBlock;

/** Rows of a table within Slack's limits: 100 with the head, and 10,000 characters over all cells. */
export const MOST_ROWS = 50;
const LONGEST_CELL = 60;
const NOTHING = '–';
const LONGEST_TITLE = 50;
const LONGEST_LABEL = 20;
/** What is safe for series is for bars as well (slack.md 2.4). */
const MOST_BARS = 20;

export function tableBlock({ head, rows, numbers }: Table): KnownBlock {
  const cell = (text: string): { type: 'raw_text'; text: string } => ({
    type: 'raw_text',
    text: text === '' ? NOTHING : plain(text, LONGEST_CELL),
  });
  return {
    type: 'table',
    column_settings: head.map((_, column) => ({ align: numbers.includes(column) ? 'right' : 'left' })),
    rows: [head.map(cell), ...rows.slice(0, MOST_ROWS).map((row) => row.map(cell))],
  };
}

export function chartBlock({ title, bars }: Chart): ChartBlock {
  const labels = uniqueLabels(bars.map(({ label }) => plain(label, LONGEST_LABEL)));
  const data = bars.slice(0, MOST_BARS).map(({ value }, index) => ({ label: labels[index] ?? '', value }));
  return {
    type: 'data_visualization',
    title: plain(title, LONGEST_TITLE),
    chart: {
      type: 'bar',
      series: [{ name: 'A day', data }],
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
      unique = `${[...label].slice(0, LONGEST_LABEL - suffix.length).join('')}${suffix}`;
    }
    taken.add(unique);
    return unique;
  });
}
