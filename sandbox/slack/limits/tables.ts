import { z } from 'zod';
import { id } from './texts.ts';

const cell = z.strictObject({ type: z.literal('raw_text'), text: z.string() });
const column = z.strictObject({ align: z.enum(['left', 'center', 'right']).optional() });

/** A `table` block: 100 rows of 20 cells. */
export const table = z.strictObject({
  type: z.literal('table'),
  block_id: id,
  rows: z.array(z.array(cell).min(1).max(20)).min(1).max(100),
  column_settings: z.array(column.nullable()).max(20).optional(),
});
