import { z } from 'zod';
import { id, plain, text } from './texts.ts';

const shared = {
  action_id: id,
  placeholder: plain(150).optional(),
  focus_on_load: z.boolean().optional(),
  dispatch_action_config: z
    .strictObject({
      trigger_actions_on: z
        .array(z.enum(['on_enter_pressed', 'on_character_entered']))
        .min(1)
        .max(2),
    })
    .optional(),
};
const numberText = text(100).regex(/^-?\d+(\.\d+)?$/, 'must be a valid number');

export const plainTextInput = z.strictObject({
  type: z.literal('plain_text_input'),
  ...shared,
  initial_value: z.string().max(3000).optional(),
  multiline: z.boolean().optional(),
  min_length: z.int().min(0).max(3000).optional(),
  max_length: z.int().min(1).max(3000).optional(),
});

export const numberInput = z.strictObject({
  type: z.literal('number_input'),
  ...shared,
  is_decimal_allowed: z.boolean(),
  initial_value: numberText.optional(),
  min_value: numberText.optional(),
  max_value: numberText.optional(),
});

export const emailInput = z.strictObject({
  type: z.literal('email_text_input'),
  ...shared,
  initial_value: z.string().optional(),
});

export const urlInput = z.strictObject({
  type: z.literal('url_text_input'),
  ...shared,
  initial_value: z.string().optional(),
});

export const fileInput = z.strictObject({
  type: z.literal('file_input'),
  action_id: id,
  filetypes: z.array(z.string()).optional(),
  max_files: z.int().min(1).max(10).optional(),
});

export const richTextInput = z.strictObject({
  type: z.literal('rich_text_input'),
  ...shared,
  initial_value: z.looseObject({ type: z.literal('rich_text') }).optional(),
  min_lines: z.int().min(1).max(100).optional(),
  max_lines: z.int().min(1).max(100).optional(),
});
