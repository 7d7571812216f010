import { z } from 'zod';
import { id, text } from './texts.ts';

const flag = z.boolean().optional();
const style = z
  .strictObject({
    bold: flag,
    italic: flag,
    strike: flag,
    code: flag,
    underline: flag,
    highlight: flag,
    client_highlight: flag,
    unlink: flag,
  })
  .optional();
const pattern = (letters: string): z.ZodString => z.string().regex(new RegExp(`^[${letters}][A-Z0-9]{8,}$`));

const textLeaf = z.strictObject({ type: z.literal('text'), text: z.string().min(1), style });
const linkLeaf = z.strictObject({
  type: z.literal('link'),
  url: text(3000),
  text: z.string().optional(),
  unsafe: flag,
  style,
});

const leaf = z.discriminatedUnion('type', [
  textLeaf,
  linkLeaf,
  z.strictObject({ type: z.literal('broadcast'), range: z.enum(['here', 'channel', 'everyone']), style }),
  z.strictObject({ type: z.literal('color'), value: text(100), style }),
  z.strictObject({ type: z.literal('channel'), channel_id: pattern('CGD'), style }),
  z.strictObject({
    type: z.literal('date'),
    timestamp: z.int(),
    format: text(1000),
    url: text(3000).optional(),
    fallback: z.string().optional(),
    style,
  }),
  z.strictObject({
    type: z.literal('emoji'),
    name: text(100),
    unicode: z.string().optional(),
    skin_tone: z.int().min(1).max(6).optional(),
    url: z.string().optional(),
    style,
  }),
  z.strictObject({ type: z.literal('team'), team_id: pattern('T'), style }),
  z.strictObject({ type: z.literal('user'), user_id: pattern('UW'), style }),
  z.strictObject({ type: z.literal('usergroup'), usergroup_id: pattern('S'), style }),
]);

const border = z.union([z.literal(0), z.literal(1)]).optional();
const section = z.strictObject({ type: z.literal('rich_text_section'), elements: z.array(leaf) });
const plainLeaf = z.discriminatedUnion('type', [textLeaf, linkLeaf]);

const part = z.discriminatedUnion('type', [
  section,
  z.strictObject({
    type: z.literal('rich_text_list'),
    style: z.enum(['bullet', 'ordered']),
    elements: z.array(section),
    indent: z.int().min(0).max(8).optional(),
    offset: z.int().min(0).optional(),
    border,
  }),
  z.strictObject({ type: z.literal('rich_text_quote'), elements: z.array(leaf), border }),
  z.strictObject({
    type: z.literal('rich_text_preformatted'),
    elements: z.array(plainLeaf),
    border,
    language: z.string().optional(),
  }),
]);

/** A `rich_text` block. */
export const richText = z.strictObject({
  type: z.literal('rich_text'),
  block_id: id,
  elements: z.array(part).min(1),
});
