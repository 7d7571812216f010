import type { JSX } from 'preact';
import type { Block } from '../../wire.ts';
import type { BlockProps } from './block-props.ts';
import { records, textOf } from './json.ts';
import { Undrawn } from './undrawn.tsx';

/** A table, its first row the head. */
export function Table({ block }: BlockProps): JSX.Element {
  const rows = (Array.isArray(block['rows']) ? block['rows'] : []).map(records);
  const settings = Array.isArray(block['column_settings']) ? block['column_settings'] : [];
  const aligned = (column: number): string =>
    `align-${textOf(records([settings[column]])[0] ?? {}, 'align') || 'left'}`;
  const [head = [], ...body] = rows;
  return (
    <div class="table" tabIndex={0} role="group" aria-label="Table">
      <table>
        <thead>
          <tr>
            {head.map((cell, column) => (
              <th key={column} scope="col" class={aligned(column)}>
                <Cell cell={cell} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {body.map((row, index) => (
            <tr key={index}>
              {row.map((cell, column) => (
                <td key={column} class={aligned(column)}>
                  <Cell cell={cell} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** What stands in a table. */
export function Cell({ cell }: { cell: Block }): JSX.Element {
  return cell['type'] === 'raw_text' || cell['type'] === 'raw_number' ? (
    <>{textOf(cell, 'text')}</>
  ) : (
    <Undrawn what={cell['type']} />
  );
}
