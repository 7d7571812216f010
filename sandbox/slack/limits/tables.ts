import { z } from 'zod';
import { richText } from './rich-text.ts';
import { id, text } from './texts.ts';

const raw = z.strictObject({ type: z.literal('raw_text'), text: z.string() });
const number = z.strictObject({
  type: z.literal('raw_number'),
  value: z.number(),
  text: z.string().optional(),
});
const cell = z.discriminatedUnion('type', [raw, number, richText]);
const headCell = z.discriminatedUnion('type', [raw, number]);
const column = z.strictObject({
  align: z.enum(['left', 'center', 'right']).optional(),
  is_wrapped: z.boolean().optional(),
});

/** A `table` block: 100 rows of 20 cells. */
export const table = z.strictObject({
  type: z.literal('table'),
  block_id: id,
  rows: z.array(z.array(cell).min(1).max(20)).min(1).max(100),
  column_settings: z.array(column.nullable()).max(20).optional(),
});

/** A `data_table` block: a header and up to 100 rows, all of one length. */
export const dataTable = z
  .strictObject({
    type: z.literal('data_table'),
    block_id: id,
    caption: text(3000),
    rows: z.array(z.array(cell).min(1).max(20)).min(2).max(101),
    page_size: z.int().min(1).max(100).optional(),
    row_header_column_index: z.int().min(0).max(19).optional(),
  })
  .superRefine(({ rows }, context) => {
    const width = rows[0]?.length ?? 0;
    for (const [index, row] of rows.entries()) {
      if (row.length === width) continue;
      context.addIssue({
        code: 'custom',
        path: ['rows', index],
        message: 'all rows must have the same length',
      });
    }
    for (const [index, one] of (rows[0] ?? []).entries()) {
      if (headCell.safeParse(one).success) continue;
      context.addIssue({ code: 'custom', path: ['rows', 0, index], message: 'header cells must be raw' });
    }
  });
