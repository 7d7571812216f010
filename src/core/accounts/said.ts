import type { z } from 'zod';
import type { Said } from '../intake/claim.ts';
import { afterMention, type commandSchema, type messageSchema, whoActs } from '../intake/incoming.ts';
import { isDirect, placeOf } from '../../platform/slack/ids.ts';
import { arrivedAtOf } from '../../platform/slack/incoming-request.ts';

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
