import { z } from 'zod';
import { menuLine } from './options.ts';
import { id, plain, text } from './texts.ts';

const button = z.strictObject({
  type: z.literal('button'),
  text: plain(75),
  action_id: id,
  value: text(2000).optional(),
  /** Where a press leads, which the bot hears of as of any other. */
  url: text(3000).optional(),
  accessibility_label: text(75).optional(),
  style: z.enum(['primary', 'danger']).optional(),
});

const overflow = z.strictObject({
  type: z.literal('overflow'),
  action_id: id,
  options: z.array(menuLine).min(1).max(5),
});

const externalSelect = z.strictObject({
  type: z.literal('external_select'),
  action_id: id,
  placeholder: plain(150).optional(),
  min_query_length: z.int().min(0).optional(),
});

const usersSelect = z.strictObject({
  type: z.literal('users_select'),
  action_id: id,
  placeholder: plain(150).optional(),
});

const conversationsSelect = z.strictObject({
  type: z.literal('conversations_select'),
  action_id: id,
  placeholder: plain(150).optional(),
  filter: z.strictObject({ include: z.array(z.enum(['im', 'mpim', 'private', 'public'])).min(1) }).optional(),
});

const multiExternalSelect = z.strictObject({
  type: z.literal('multi_external_select'),
  action_id: id,
  placeholder: plain(150).optional(),
  min_query_length: z.int().min(0).optional(),
  max_selected_items: z.int().min(1).optional(),
});

/** What may stand in an actions block, of what the bot uses. */
export const actionElement = z.discriminatedUnion('type', [
  button,
  overflow,
  externalSelect,
  usersSelect,
  conversationsSelect,
  multiExternalSelect,
]);

/** What may stand in an input block, of what the bot uses. */
export const inputElement = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('plain_text_input'),
    action_id: id,
    min_length: z.int().min(0).max(3000).optional(),
    max_length: z.int().min(1).max(3000).optional(),
  }),
  multiExternalSelect,
  externalSelect,
]);
