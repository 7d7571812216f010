import { z } from 'zod';
import { actorSchema, placeSchema } from '../feature.ts';

/** What Slack sends, down to the fields that the bot reads. Everything else is dropped at this border. */

export const commandSchema = z.object({
  command: z.string().max(100),
  text: z.string().max(10_000).default(''),
  team_id: z.string().max(64).optional(),
  user_id: actorSchema.shape.userId,
  channel_id: placeSchema.shape.channelId,
  response_url: z.string().max(2_000).optional(),
});

const userSchema = z.object({ id: actorSchema.shape.userId, team_id: z.string().max(64).optional() });

const actionSchema = z.object({
  action_id: z.string().max(255),
  value: z.string().max(2_000).optional(),
  selected_option: z.object({ value: z.string().max(150) }).nullish(),
});

export const pressSchema = z.object({
  user: userSchema,
  team: z.object({ id: z.string().max(64) }).nullish(),
  channel: z.object({ id: placeSchema.shape.channelId }).nullish(),
  container: z
    .object({
      channel_id: placeSchema.shape.channelId.optional(),
      is_ephemeral: z.boolean().optional(),
      thread_ts: placeSchema.shape.threadTs,
    })
    .nullish(),
  message: z.object({ thread_ts: placeSchema.shape.threadTs }).nullish(),
  response_url: z.string().max(2_000).optional(),
  actions: z.array(actionSchema).min(1).max(25),
});

export const suggestionSchema = z.object({
  user: userSchema,
  action_id: z.string().max(255),
  value: z.string().max(1_000).default(''),
});

export const mentionSchema = z.object({
  event_id: z.string().min(1).max(100),
  team_id: z.string().max(64).optional(),
  event: z.object({
    type: z.literal('app_mention'),
    user: actorSchema.shape.userId.optional(),
    user_team: z.string().max(64).optional(),
    bot_id: z.string().optional(),
    edited: z.unknown().optional(),
    subtype: z.string().optional(),
    text: z.string().max(40_000).default(''),
    channel: placeSchema.shape.channelId,
    ts: z.string(),
    thread_ts: placeSchema.shape.threadTs,
  }),
});
