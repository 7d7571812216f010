import type { Outcome } from './benchmark.ts';
import { figure } from './figure.ts';
import { getGoal, type Goal, isReached } from './goals.ts';
import { spreadWords, type Table } from './table.ts';

/** How quiet it was while a table was measured. */
export function noiseOf({ foreignPct, rounds, noisyRounds }: Table): string {
  const noisy = noisyRounds === 0 ? '' : `; ${noisyRounds} stayed noisy and count all the same`;
  return `${rounds} rounds, other processes had ${spreadWords(foreignPct)} % of the machine${noisy}`;
}

/** A figure with its unit. */
export function withUnit(value: number, unit: Goal['unit']): string {
  return unit === '' ? figure(value) : `${figure(value)} ${unit}`;
}

/** An outcome as lines for a terminal. */
export function linesOf({ tables, goals, notes }: Outcome): string[] {
  return [
    ...tables.flatMap((table) => ['', table.title, ...align(table.rows), noiseOf(table)]),
    '',
    ...notes,
    ...goals.map(({ goal, value }) => verdictOf(getGoal(goal), value)),
  ];
}

function verdictOf(goal: Goal, value: number): string {
  const { id, what, wanted, bar, unit } = goal;
  const isDone = isReached(goal, value) ? 'reached    ' : 'not reached';
  return `${isDone}  ${id}: ${withUnit(value, unit)}, wanted ${wanted} ${withUnit(bar, unit)} (${what})`;
}

function align(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  '),
  );
}
