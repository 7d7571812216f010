import { z } from 'zod';
import { id, text } from './texts.ts';

const cell = z.strictObject({ type: z.literal('raw_text'), text: z.string() });
const column = z.strictObject({ align: z.enum(['left', 'center', 'right']).optional() });

/** A `table` block: 100 rows of 20 cells. */
export const table = z.strictObject({
  type: z.literal('table'),
  block_id: id,
  rows: z.array(z.array(cell).min(1).max(20)).min(1).max(100),
  column_settings: z.array(column.nullable()).max(20).optional(),
});

const number = z.strictObject({ type: z.literal('raw_number'), value: z.number(), text: text(10_000) });
const value = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('raw_text'), text: text(10_000) }),
  number,
]);

/** A `data_table` block, which its reader sorts and filters: a head and 1 to 100 rows, all of the same 1 to 20 cells. */
export const dataTable = z
  .strictObject({
    type: z.literal('data_table'),
    block_id: id,
    caption: text(10_000),
    rows: z.array(z.array(value).min(1).max(20)).min(2).max(101),
    page_size: z.int().min(1).max(100).optional(),
    row_header_column_index: z.int().min(0).max(19).optional(),
  })
  .superRefine(({ rows }, context) => {
    const width = rows[0]?.length;
    if (rows.some((row) => row.length !== width))
      context.addIssue({
        code: 'custom',
        path: ['rows'],
        message: 'all rows must have the same number of cells',
      });
  });
