import type { z } from 'zod';
import { type SlackPlace, placeOf } from '../../platform/slack/ids.ts';
import { responseUrlOf } from '../../platform/slack/response-url.ts';
import { atMost } from '../../platform/time/wait.ts';
import { identityOf, countUnknownRoute, parseIncoming, shortcutSchema, whoActs } from './incoming.ts';
import { sentAtOf } from './late.ts';
import type { Ask } from '../ask/ask.ts';
import type { Listeners, Listening } from './listeners.ts';
import { NeitherTakenNorAnswered } from './answer.ts';
import { textOfMessage } from './text-of-message.ts';

type Used = z.output<typeof shortcutSchema>;

/** Slack waits for three seconds, and what follows takes part of them. */
const PLACE_WITHIN_MS = 1_500;

/**
 * A shortcut: of a message, or one from anywhere, which has no channel. What comes of that one is sent to the person's
 * direct messages with the bot, like what is pressed in the Home. Only routes that are declared as a shortcut of that sort
 * are reached.
 */
export function createShortcutListener(deps: Listening): Listeners['shortcut'] {
  return async ({ body, ack, context }) => {
    const used = parseIncoming(deps, shortcutSchema, body);
    if (!used) return ack();
    const identity = identityOf(context);
    const route = deps.routes.byId.get(used.callback_id);
    if (route?.shortcut?.on !== (used.type === 'shortcut' ? 'global' : 'message')) {
      countUnknownRoute(deps, { request: identity.id, route: used.callback_id, by: used.user.id });
      return ack();
    }
    const place = await placeFor(deps, used);
    // Not acknowledged, so that Slack says that it did not work.
    if (!place) throw new NeitherTakenNorAnswered();
    const ask: Ask = {
      ...identity,
      ...sentAtOf(used.action_ts),
      route: route.id,
      words: [],
      actor: whoActs(used),
      place,
      ...(used.message ? { text: textOfMessage(used.message) } : {}),
      ...(used.trigger_id ? { triggerId: used.trigger_id } : {}),
      ...responseUrlOf(used.response_url, deps.apiUrl),
      replaces: false,
    };
    const said = await deps.admit(ask, route);
    if (said && !(await deps.tellFirst(ask, said))) throw new NeitherTakenNorAnswered();
    await ack();
  };
}

/** Where it was used: beside the message, else in the person's direct messages; undefined where these can't be opened now. */
async function placeFor({ messenger, log }: Listening, used: Used): Promise<SlackPlace | undefined> {
  const { channel, message, user } = used;
  if (channel) {
    const isReply = message?.thread_ts !== undefined && message.thread_ts !== message.ts;
    return placeOf(channel.id, isReply ? message.thread_ts : undefined);
  }
  if (used.type === 'message_action') return undefined;
  const opening = messenger.directChannel(user.id).catch((error: unknown) => {
    log.warn({ by: user.id, error }, 'opening direct messages for a shortcut');
    return undefined;
  });
  const channelId = await atMost(PLACE_WITHIN_MS, opening);
  return channelId === undefined ? undefined : placeOf(channelId);
}
