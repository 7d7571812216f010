import { z } from 'zod';
import { choice } from './options.ts';
import { confirm, id, plain } from './texts.ts';

const shared = { action_id: id, confirm: confirm.optional(), focus_on_load: z.boolean().optional() };
const choices = z.array(choice).min(1).max(10);

export const checkboxes = z.strictObject({
  type: z.literal('checkboxes'),
  ...shared,
  options: choices,
  initial_options: choices.optional(),
});

export const radioButtons = z.strictObject({
  type: z.literal('radio_buttons'),
  ...shared,
  options: choices,
  initial_option: choice.optional(),
});

export const datepicker = z.strictObject({
  type: z.literal('datepicker'),
  ...shared,
  placeholder: plain(150).optional(),
  initial_date: z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}$/)
    .optional(),
});

export const timepicker = z.strictObject({
  type: z.literal('timepicker'),
  ...shared,
  placeholder: plain(150).optional(),
  timezone: z.string().optional(),
  initial_time: z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/)
    .optional(),
});

export const datetimepicker = z.strictObject({
  type: z.literal('datetimepicker'),
  ...shared,
  initial_date_time: z.int().min(1_000_000_000).max(9_999_999_999).optional(),
});
