import type { Outcome } from './benchmark.ts';
import { getGoal, type Goal, isReached } from './goals.ts';
import type { Spread } from './stats.ts';
import type { Table } from './table.ts';

/** A number with as many digits as say something. */
export function figure(value: number): string {
  if (!Number.isFinite(value)) return '–';
  const size = Math.abs(value);
  if (Number.isInteger(value) || size >= 100) return Math.round(value).toLocaleString('en-US');
  if (size >= 10) return value.toFixed(1);
  return size >= 0.1 || size === 0 ? value.toFixed(2) : value.toPrecision(2);
}

/** A median with its range, where the rounds differ. */
function spread({ median, min, max }: Spread): string {
  if (!Number.isFinite(median)) return '–';
  return min === max ? figure(median) : `${figure(median)} [${figure(min)}..${figure(max)}]`;
}

/** Rows of a Markdown table, the first of which is its head. */
export function rowsOf({ variants, rows }: Table): string[][] {
  const peers = rows[0]?.ratios.map(({ peer }) => peer) ?? [];
  return [
    ['', ...variants, ...peers.map((peer) => `/ ${peer}`)],
    ...rows.map(({ what, cells, ratios }) => [
      what,
      ...cells.map((cell) => spread(cell.spread)),
      ...ratios.map((ratio) => spread(ratio.spread)),
    ]),
  ];
}

/** How quiet it was while a table was measured. */
export function noiseOf({ foreignPct, rounds, noisyRounds }: Table): string {
  const noisy = noisyRounds === 0 ? '' : `; ${noisyRounds} stayed noisy and count all the same`;
  return `${rounds} rounds, other processes had ${spread(foreignPct)} % of the machine${noisy}`;
}

/** A figure and its goal, as words. */
export function verdictOf(goal: Goal, value: number): string {
  const { wanted, bar, unit } = goal;
  return `${isReached(goal, value) ? 'reached' : 'not reached'}: ${withUnit(value, unit)} (${wanted} ${withUnit(bar, unit)})`;
}

/** A figure with its unit. */
export function withUnit(value: number, unit: Goal['unit']): string {
  return unit === '' ? figure(value) : unit === '×' ? `${figure(value)} ×` : `${figure(value)} ${unit}`;
}

/** An outcome as lines for a terminal. */
export function linesOf({ tables, goals, notes }: Outcome): string[] {
  return [
    ...tables.flatMap((table) => ['', table.title, ...align(rowsOf(table)), noiseOf(table)]),
    '',
    ...notes,
    ...goals.map(({ goal: id, value }) => {
      const goal = getGoal(id);
      return `${id} ${verdictOf(goal, value)}: ${goal.what}`;
    }),
  ];
}

function align(rows: readonly string[][]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  '),
  );
}
