import { z } from 'zod';
import { actorSchema, isDirect, placeOf, placeSchema } from '../../platform/slack/ids.ts';
import type { Said } from '../intake/claim.ts';
import { afterMention, type commandSchema, type messageSchema, whoActs } from '../intake/incoming.ts';
import { arrivedAtOf } from '../../platform/slack/incoming-request.ts';

/** What Slack sent, down to what tells which account is meant. Everything is read again by the account's own listener. */

const { userId } = actorSchema.shape;
const { channelId } = placeSchema.shape;
const threadTs = placeSchema.shape.threadTs.catch(undefined);
const userHeard = z.looseObject({ id: userId });
const channelHeard = z.looseObject({ id: channelId }).optional();

export const homeHeard = z.looseObject({ event: z.looseObject({ user: userId, channel: channelId }) });

export const pressHeard = z.looseObject({
  user: userHeard,
  channel: channelHeard,
  container: z.looseObject({ channel_id: channelId.optional() }).optional(),
  view: z.looseObject({ type: z.string() }).optional(),
  response_url: z.string().max(2_000).optional().catch(undefined),
});

export const shortcutHeard = z.looseObject({
  user: userHeard,
  channel: channelHeard,
  message: z.looseObject({ ts: z.string().optional(), thread_ts: threadTs }).optional(),
  response_url: z.string().max(2_000).optional().catch(undefined),
});

/** What a workflow's step was filled in with. */
export const stepHeard = z.object({
  event: z.object({
    inputs: z.looseObject({ instance: z.string(), person: z.string(), channel: z.string() }),
  }),
});

/** What is said to the bot, without its mention; in direct messages there may be none, and another person's is no address. */
export function saidTo({ text, channel }: { readonly text: string; readonly channel: string }): string {
  const isAddressed = !isDirect(channel) || text.trimStart().startsWith('<@');
  return isAddressed ? afterMention(text, undefined) : text;
}

/** Who types a command, and where. Pure. */
export function saidBy(
  { user_id: id, team_id, enterprise_id, channel_id }: z.output<typeof commandSchema>,
  context: Parameters<typeof arrivedAtOf>[0],
): Said {
  const actor = whoActs({ user: { id }, team: { id: team_id }, enterprise: { id: enterprise_id } });
  return { actor, place: placeOf(channel_id), askedAt: arrivedAtOf(context) };
}

/** Who writes a message, and where. `id`: of its writer. Pure. */
export function saidIn(
  { event, team_id, enterprise_id }: z.output<typeof messageSchema>,
  id: string,
  context: Parameters<typeof arrivedAtOf>[0],
): Said {
  const user = { id, team_id: event.user_team };
  const actor = whoActs({ user, team: { id: team_id }, enterprise: { id: enterprise_id } });
  return { actor, place: placeOf(event.channel, event.thread_ts), askedAt: arrivedAtOf(context) };
}
