import { z } from 'zod';
import { overflowOption } from './options.ts';
import { confirm, httpUrl, id, plain, text } from './texts.ts';

export const button = z.strictObject({
  type: z.literal('button'),
  text: plain(75),
  action_id: id,
  url: httpUrl.optional(),
  value: text(2000).optional(),
  style: z.enum(['primary', 'danger']).optional(),
  confirm: confirm.optional(),
  accessibility_label: text(75).optional(),
});

export const overflow = z.strictObject({
  type: z.literal('overflow'),
  action_id: id,
  options: z.array(overflowOption).min(1).max(5),
  confirm: confirm.optional(),
});

export const workflowButton = z.strictObject({
  type: z.literal('workflow_button'),
  text: plain(75),
  action_id: id,
  workflow: z.looseObject({ trigger: z.looseObject({ url: httpUrl }) }),
  style: z.enum(['primary', 'danger']).optional(),
  accessibility_label: text(75).optional(),
});

export const iconButton = z.strictObject({
  type: z.literal('icon_button'),
  icon: z.enum(['trash']),
  text: plain(75),
  action_id: id,
  value: text(2000).optional(),
  confirm: confirm.optional(),
  accessibility_label: text(75).optional(),
  visible_to_user_ids: z.array(z.string()).optional(),
});

const feedback = z.strictObject({
  text: plain(75),
  value: text(2000),
  accessibility_label: text(75).optional(),
});

export const feedbackButtons = z.strictObject({
  type: z.literal('feedback_buttons'),
  action_id: id,
  positive_button: feedback,
  negative_button: feedback,
});
