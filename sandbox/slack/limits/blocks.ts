import { z } from 'zod';
import { dataVisualization } from './charts.ts';
import { actionElement, inputElement } from './elements.ts';
import { richText } from './rich-text.ts';
import { dataTable, table } from './tables.ts';
import { anyText, id, plain } from './texts.ts';

const actions = z.strictObject({
  type: z.literal('actions'),
  block_id: id,
  elements: z.array(actionElement).min(1).max(25),
});

const input = z.strictObject({
  type: z.literal('input'),
  block_id: id,
  label: plain(2000),
  hint: plain(2000).optional(),
  optional: z.boolean().optional(),
  dispatch_action: z.boolean().optional(),
  element: inputElement,
});

const section = z.strictObject({ type: z.literal('section'), block_id: id, text: anyText(3000) });

const divider = z.strictObject({ type: z.literal('divider'), block_id: id });

const everywhere = [actions, divider, input, section, richText] as const;

/** A `container` block: others under a title, which can be folded up. */
const container = z
  .strictObject({
    type: z.literal('container'),
    block_id: id,
    title: plain(150),
    subtitle: anyText(150).optional(),
    child_blocks: z.array(z.discriminatedUnion('type', [...everywhere, table])).max(10),
    width: z.enum(['narrow', 'standard', 'wide', 'full']).optional(),
    is_collapsible: z.boolean().optional(),
    default_collapsed: z.boolean().optional(),
    has_header_divider: z.boolean().optional(),
  })
  .refine((one) => one.default_collapsed !== true || one.is_collapsible === true, {
    path: ['default_collapsed'],
    message: 'requires is_collapsible',
  });

/** Blocks of a message: those that the bot uses. Slack has others; add one here before the bot sends it. */
export const messageBlocks = z
  .array(z.discriminatedUnion('type', [...everywhere, container, dataTable, dataVisualization, table]))
  .max(50);

/** Blocks of a modal, and of a Home. */
export const viewBlocks = z.array(z.discriminatedUnion('type', everywhere)).max(100);
