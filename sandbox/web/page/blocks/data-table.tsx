import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Block } from '../../wire.ts';
import type { BlockProps } from './block-props.ts';
import { records, textOf } from './json.ts';
import { Cell } from './table.tsx';

const PAGE_SIZE = 5;

interface Order {
  readonly column: number;
  readonly isDown: boolean;
}

/** A table that its reader sorts by a press on a head, filters by typing, and reads page by page. */
export function DataTable({ block }: BlockProps): JSX.Element {
  const [head = [], ...body] = (Array.isArray(block['rows']) ? block['rows'] : []).map(records);
  const [order, setOrder] = useState<Order>();
  const [typed, setTyped] = useState('');
  const [page, setPage] = useState(0);
  const size = Number(block['page_size'] ?? PAGE_SIZE);
  const naming = Number(block['row_header_column_index'] ?? 0);
  const found = sorted(body.filter(has(typed)), order);
  const last = Math.max(0, Math.ceil(found.length / size) - 1);
  const at = Math.min(page, last);
  const caption = textOf(block, 'caption');
  return (
    <div class="data-table">
      <input
        type="search"
        aria-label={`Filter ${caption}`}
        placeholder="Filter"
        value={typed}
        onInput={(event) => setTyped(event.currentTarget.value)}
      />
      <div class="table" tabIndex={0} role="group" aria-label={caption}>
        <table>
          <caption>{caption}</caption>
          <thead>
            <tr>
              {head.map((cell, column) => (
                <th key={column} scope="col" aria-sort={sortOf(order, column)} class={alignOf(body, column)}>
                  <button
                    type="button"
                    aria-label={`Sort by ${textOf(cell, 'text')}`}
                    onClick={() => setOrder({ column, isDown: order?.column === column && !order.isDown })}
                  >
                    <Cell cell={cell} /> <span aria-hidden="true">{arrowOf(order, column)}</span>
                  </button>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {found.slice(at * size, (at + 1) * size).map((row, index) => (
              <tr key={index}>
                {row.map((cell, column) =>
                  column === naming ? (
                    <th key={column} scope="row" class={alignOf(body, column)}>
                      <Cell cell={cell} />
                    </th>
                  ) : (
                    <td key={column} class={alignOf(body, column)}>
                      <Cell cell={cell} />
                    </td>
                  ),
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Pages at={at} last={last} count={found.length} onPage={setPage} />
    </div>
  );
}

function Pages({
  at,
  last,
  count,
  onPage,
}: {
  at: number;
  last: number;
  count: number;
  onPage: (page: number) => void;
}): JSX.Element {
  return (
    <p class="pages quiet" role="status">
      {count === 1 ? '1 row' : `${count} rows`}
      {last > 0 && (
        <>
          <button type="button" class="button" disabled={at === 0} onClick={() => onPage(at - 1)}>
            Previous
          </button>
          {` Page ${at + 1} of ${last + 1} `}
          <button type="button" class="button" disabled={at === last} onClick={() => onPage(at + 1)}>
            Next
          </button>
        </>
      )}
    </p>
  );
}

function has(typed: string): (row: readonly Block[]) => boolean {
  const wanted = typed.trim().toLowerCase();
  return (row) => row.some((cell) => textOf(cell, 'text').toLowerCase().includes(wanted));
}

function sorted(
  rows: readonly (readonly Block[])[],
  order: Order | undefined,
): readonly (readonly Block[])[] {
  if (!order) return rows;
  const up = rows.toSorted((one, other) => compare(one[order.column], other[order.column]));
  return order.isDown ? up.toReversed() : up;
}

/** Numbers by their value, all else as text, in which digits count as numbers. */
function compare(one: Block = {}, other: Block = {}): number {
  const [first, second] = [one['value'], other['value']];
  if (typeof first === 'number' && typeof second === 'number') return first - second;
  return textOf(one, 'text').localeCompare(textOf(other, 'text'), 'en', { numeric: true });
}

function sortOf(order: Order | undefined, column: number): 'ascending' | 'descending' | undefined {
  if (order?.column !== column) return undefined;
  return order.isDown ? 'descending' : 'ascending';
}

function arrowOf(order: Order | undefined, column: number): string {
  if (order?.column !== column) return '↕';
  return order.isDown ? '↓' : '↑';
}

function alignOf(body: readonly (readonly Block[])[], column: number): string {
  return body.some((row) => row[column]?.['type'] === 'raw_number') ? 'align-right' : 'align-left';
}
