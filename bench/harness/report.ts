import type { Outcome } from './benchmark.ts';
import { figure } from './figure.ts';
import { getTarget, isReached, type Target } from './goals.ts';
import { spreadWords, type Table } from './table.ts';

/** A figure with its unit. */
export function withUnit(value: number, unit: Target['unit']): string {
  return unit === '' ? figure(value) : `${figure(value)} ${unit}`;
}

/** An outcome as lines for a terminal. */
export function linesOf({ tables, figures, notes }: Outcome): string[] {
  return [
    ...tables.flatMap((table) => ['', table.title, ...align(table.rows), noiseOf(table)]),
    '',
    ...notes,
    ...Object.entries(figures).map(([id, value]) => verdictOf(getTarget(id), value)),
  ];
}

/** How quiet it was while a table was measured. */
function noiseOf({ foreignPct, rounds, noisyRounds }: Table): string {
  const noisy = noisyRounds === 0 ? '' : `; ${noisyRounds} stayed noisy and count all the same`;
  return `${rounds} rounds, other processes had ${spreadWords(foreignPct)} % of the machine${noisy}`;
}

function verdictOf(target: Target, value: number): string {
  const { what, wanted, bar, unit } = target;
  const isDone = isReached(target, value) ? 'reached    ' : 'not reached';
  return `${isDone}  ${withUnit(value, unit)}, wanted ${wanted} ${withUnit(bar, unit)} (${what})`;
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
