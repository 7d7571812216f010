import { z } from 'zod';
import { option, optionGroups, options } from './options.ts';
import { confirm, id, plain } from './texts.ts';

const shared = {
  action_id: id,
  placeholder: plain(150).optional(),
  confirm: confirm.optional(),
  focus_on_load: z.boolean().optional(),
};
const many = { ...shared, max_selected_items: z.int().min(1).optional() };
const staticList = { options: options.optional(), option_groups: optionGroups.optional() };
const minQuery = z.int().min(0).optional();
const userId = z.string().regex(/^[UW][A-Z0-9]{8,}$/);
const channelId = z.string().regex(/^[CG][A-Z0-9]{8,}$/);
const conversationId = z.string().regex(/^[CDGUW][A-Z0-9]{8,}$/);
const filter = z.strictObject({
  include: z
    .array(z.enum(['im', 'mpim', 'private', 'public']))
    .min(1)
    .optional(),
  exclude_external_shared_channels: z.boolean().optional(),
  exclude_bot_users: z.boolean().optional(),
});
const conversations = { default_to_current_conversation: z.boolean().optional(), filter: filter.optional() };

interface Listed {
  options?: unknown;
  option_groups?: unknown;
}
const oneList = (select: Listed): boolean =>
  (select.options === undefined) !== (select.option_groups === undefined);
const oneListMessage = { message: 'must provide either options or option_groups' };

export const staticSelect = z
  .strictObject({
    type: z.literal('static_select'),
    ...shared,
    ...staticList,
    initial_option: option.optional(),
  })
  .refine(oneList, oneListMessage);
export const multiStaticSelect = z
  .strictObject({
    type: z.literal('multi_static_select'),
    ...many,
    ...staticList,
    initial_options: options.optional(),
  })
  .refine(oneList, oneListMessage);
export const externalSelect = z.strictObject({
  type: z.literal('external_select'),
  ...shared,
  min_query_length: minQuery,
  initial_option: option.optional(),
});
export const multiExternalSelect = z.strictObject({
  type: z.literal('multi_external_select'),
  ...many,
  min_query_length: minQuery,
  initial_options: options.optional(),
});
export const usersSelect = z.strictObject({
  type: z.literal('users_select'),
  ...shared,
  initial_user: userId.optional(),
});
export const multiUsersSelect = z.strictObject({
  type: z.literal('multi_users_select'),
  ...many,
  initial_users: z.array(userId).optional(),
});
export const conversationsSelect = z.strictObject({
  type: z.literal('conversations_select'),
  ...shared,
  ...conversations,
  initial_conversation: conversationId.optional(),
  response_url_enabled: z.boolean().optional(),
});
export const multiConversationsSelect = z.strictObject({
  type: z.literal('multi_conversations_select'),
  ...many,
  ...conversations,
  initial_conversations: z.array(conversationId).optional(),
});
export const channelsSelect = z.strictObject({
  type: z.literal('channels_select'),
  ...shared,
  initial_channel: channelId.optional(),
  response_url_enabled: z.boolean().optional(),
});
export const multiChannelsSelect = z.strictObject({
  type: z.literal('multi_channels_select'),
  ...many,
  initial_channels: z.array(channelId).optional(),
});
