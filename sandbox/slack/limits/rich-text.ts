import { z } from 'zod';
import { id, text } from './texts.ts';

const flag = z.boolean().optional();
const style = z.strictObject({ bold: flag, code: flag }).optional();
const pattern = (letters: string): z.ZodString => z.string().regex(new RegExp(`^[${letters}][A-Z0-9]{8,}$`));

const leaf = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('usergroup'), usergroup_id: pattern('S'), style }),
  z.strictObject({ type: z.literal('text'), text: z.string().min(1), style }),
  z.strictObject({ type: z.literal('link'), url: text(3000), text: z.string().optional(), style }),
  z.strictObject({ type: z.literal('channel'), channel_id: pattern('CGD'), style }),
  z.strictObject({
    type: z.literal('date'),
    timestamp: z.int(),
    format: text(1000),
    fallback: z.string().optional(),
    style,
  }),
  z.strictObject({ type: z.literal('user'), user_id: pattern('UW'), style }),
]);

const section = z.strictObject({ type: z.literal('rich_text_section'), elements: z.array(leaf) });
const list = z.strictObject({
  type: z.literal('rich_text_list'),
  style: z.literal('bullet'),
  elements: z.array(section),
});
const part = z.discriminatedUnion('type', [section, list]);

/** A `rich_text` block. */
export const richText = z.strictObject({
  type: z.literal('rich_text'),
  block_id: id,
  elements: z.array(part).min(1),
});
