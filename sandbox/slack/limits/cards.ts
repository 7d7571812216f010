import { z } from 'zod';
import { button } from './buttons.ts';
import { imageElement } from './elements.ts';
import * as layouts from './layouts.ts';
import { richText } from './rich-text.ts';
import { table } from './tables.ts';
import { anyText, id, plain, text } from './texts.ts';

export const card = z
  .strictObject({
    type: z.literal('card'),
    block_id: id,
    hero_image: imageElement.optional(),
    icon: imageElement.optional(),
    title: anyText(150).optional(),
    subtitle: anyText(150).optional(),
    body: anyText(200).optional(),
    actions: z.array(button).min(1).max(25).optional(),
  })
  .refine((one) => Boolean(one.hero_image ?? one.title ?? one.actions ?? one.body), {
    message: 'must provide one of hero_image, title, actions, body',
  });

export const carousel = z.strictObject({
  type: z.literal('carousel'),
  block_id: id,
  elements: z.array(card).min(1).max(10),
});

const child = z.discriminatedUnion('type', [
  layouts.actions,
  layouts.context,
  layouts.divider,
  layouts.file,
  layouts.header,
  layouts.image,
  layouts.input,
  richText,
  layouts.section,
  table,
  layouts.video,
]);

export const container = z.strictObject({
  type: z.literal('container'),
  block_id: id,
  title: plain(150).optional(),
  rich_text_title: richText.optional(),
  subtitle: anyText(150).optional(),
  child_blocks: z.array(child).min(1).max(10),
  width: z.enum(['narrow', 'standard', 'wide', 'full']).optional(),
  icon: imageElement.optional(),
  is_collapsible: z.boolean().optional(),
  default_collapsed: z.boolean().optional(),
  has_header_divider: z.boolean().optional(),
});

export const taskCard = z.strictObject({
  type: z.literal('task_card'),
  block_id: id,
  task_id: text(255),
  title: text(3000),
  status: z.enum(['pending', 'in_progress', 'complete', 'error']).optional(),
  details: richText.optional(),
  output: richText.optional(),
  sources: z.array(z.looseObject({ type: z.literal('url'), url: text(3000), text: text(3000) })).optional(),
});

export const plan = z.strictObject({
  type: z.literal('plan'),
  block_id: id,
  title: text(3000),
  tasks: z.array(taskCard).optional(),
});
