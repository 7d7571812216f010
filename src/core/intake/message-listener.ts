import type { z } from 'zod';
import { idOf, newId } from '../../platform/id.ts';
import { isDirect, placeOf } from '../../platform/slack/ids.ts';
import { arrivedAtOf } from '../../platform/slack/incoming-request.ts';
import { afterMention, messageSchema, parseIncoming, whoActs } from './incoming.ts';
import { sentAtOf } from './late.ts';
import { askedBy, matchOrSay } from './match.ts';
import type { Listeners, Listening } from './listeners.ts';
import { NeitherTakenNorAnswered } from './answer.ts';

/**
 * A message to the bot: a mention in a channel, `@Lamplighter restart web-1`, or a line in its own conversation, `restart web-1`.
 * What a line there mentions besides the bot belongs to what is asked.
 */
export function createMessageListener(
  deps: Pick<Listening, 'log' | 'metrics' | 'routes' | 'intake' | 'admit' | 'tellFirst'>,
): Listeners['message'] {
  return async ({ body, context }) => {
    const message = parseIncoming(deps, messageSchema, body);
    const userId = message && writerOf(message.event, context.botUserId);
    if (!message || userId === undefined) return;
    const { event } = message;
    const asked = {
      // A retry of what was taken in must change nothing, and a retry of what was lost must be taken. One message may be
      // reported by several events: it is asked once all the same.
      id: idOf(`mention ${event.channel} ${event.ts}`),
      actor: whoActs({
        user: { id: userId, team_id: event.user_team },
        team: { id: message.team_id },
        enterprise: { id: message.enterprise_id },
      }),
      place: placeOf(event.channel, event.thread_ts),
      replaces: false,
      askedAt: arrivedAtOf(context),
      ...sentAtOf(event.ts, message.event_time),
    };
    const text = afterMention(event.text, context.botUserId, isDirect(event.channel));
    const matched = matchOrSay(() => deps.routes.matchMention(text));
    if ('lines' in matched) {
      // What matches a route is known again by its record.
      const token = newId();
      if (!(await deps.intake.isFirst(asked.id, token)) || (await deps.tellFirst(asked, matched))) return;
      await deps.intake.forget(asked.id, token);
      throw new NeitherTakenNorAnswered();
    }
    const ask = { ...asked, ...askedBy(matched) };
    const said = await deps.admit(ask, matched.route, { mayComeAgain: true });
    if (said && !(await deps.tellFirst(asked, said))) throw new NeitherTakenNorAnswered();
  };
}

/** Messages that a person wrote: what they show with it, or whom besides, changes nothing of that. */
const WRITTEN: readonly (string | undefined)[] = [undefined, 'file_share', 'thread_broadcast'];

/** The person who wrote a message; undefined where it is no person's, or only an edited one, or a file without words. Pure. */
export function writerOf(
  event: Omit<Partial<z.output<typeof messageSchema>['event']>, 'channel' | 'type'>,
  botUserId: string | undefined,
): string | undefined {
  const isAPersons =
    event.bot_id === undefined && event.edited === undefined && WRITTEN.includes(event.subtype);
  const isOnlyAFile = event.subtype === 'file_share' && event.text?.trim() === '';
  return isAPersons && !isOnlyAFile && event.user !== botUserId ? event.user : undefined;
}
