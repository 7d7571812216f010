import { z } from 'zod';
import { actorSchema, placeSchema } from '../../platform/slack/ids.ts';

/** What Slack sent, down to what tells which account is meant. Everything is read again by the account's own listener. */

const { userId } = actorSchema.shape;
const { channelId } = placeSchema.shape;
const threadTs = placeSchema.shape.threadTs.catch(undefined);
const user = z.looseObject({ id: userId });
const channel = z.looseObject({ id: channelId }).optional();

export const homeHeard = z.looseObject({ event: z.looseObject({ user: userId, channel: channelId }) });

export const pressHeard = z.looseObject({
  user,
  channel,
  container: z.looseObject({ channel_id: channelId.optional() }).optional(),
  view: z.looseObject({ type: z.string() }).optional(),
  response_url: z.string().max(2_000).optional().catch(undefined),
});

export const shortcutHeard = z.looseObject({
  user,
  channel,
  message: z.looseObject({ ts: z.string().optional(), thread_ts: threadTs }).optional(),
  response_url: z.string().max(2_000).optional().catch(undefined),
});

/** What a workflow's step was filled in with. */
export const stepHeard = z.object({
  event: z.object({
    inputs: z.looseObject({ instance: z.string(), person: z.string(), channel: z.string() }),
  }),
});
