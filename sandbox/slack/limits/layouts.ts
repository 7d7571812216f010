import { z } from 'zod';
import {
  accessory,
  actionElement,
  contextAction,
  imageElement,
  imageFields,
  inputElement,
  oneSource,
  oneSourceMessage,
} from './elements.ts';
import { anyText, httpUrl, id, mrkdwn, plain, text } from './texts.ts';

const block_id = id;

export const actions = z.strictObject({
  type: z.literal('actions'),
  block_id,
  elements: z.array(actionElement).min(1).max(25),
});

export const context = z.strictObject({
  type: z.literal('context'),
  block_id,
  elements: z
    .array(z.discriminatedUnion('type', [plain(3000), mrkdwn(3000), imageElement]))
    .min(1)
    .max(10),
});

export const contextActions = z.strictObject({
  type: z.literal('context_actions'),
  block_id,
  elements: z.array(contextAction).min(1).max(5),
});

export const divider = z.strictObject({ type: z.literal('divider'), block_id });

export const file = z.strictObject({
  type: z.literal('file'),
  block_id,
  source: z.literal('remote'),
  external_id: text(255),
});

export const header = z.strictObject({
  type: z.literal('header'),
  block_id,
  text: plain(150),
  level: z.int().min(1).max(6).optional(),
});

export const image = z
  .strictObject({ type: z.literal('image'), block_id, ...imageFields, title: plain(2000).optional() })
  .refine(oneSource, oneSourceMessage);

export const input = z.strictObject({
  type: z.literal('input'),
  block_id,
  label: plain(2000),
  hint: plain(2000).optional(),
  optional: z.boolean().optional(),
  dispatch_action: z.boolean().optional(),
  element: inputElement,
});

export const markdown = z.strictObject({ type: z.literal('markdown'), block_id, text: text(12_000) });

export const section = z
  .strictObject({
    type: z.literal('section'),
    block_id,
    text: anyText(3000).optional(),
    fields: z.array(anyText(2000)).min(1).max(10).optional(),
    accessory: accessory.optional(),
    expand: z.boolean().optional(),
  })
  .refine((one) => one.text !== undefined || one.fields !== undefined, {
    message: 'must provide either text or fields',
  });

export const video = z.strictObject({
  type: z.literal('video'),
  block_id,
  title: plain(199),
  video_url: httpUrl,
  thumbnail_url: httpUrl,
  alt_text: text(2000),
  title_url: httpUrl.optional(),
  description: plain(200).optional(),
  provider_name: text(50).optional(),
  provider_icon_url: httpUrl.optional(),
  author_name: text(49).optional(),
});

export const alert = z.strictObject({
  type: z.literal('alert'),
  block_id,
  text: anyText(200),
  level: z.enum(['default', 'info', 'warning', 'error', 'success']).optional(),
});
