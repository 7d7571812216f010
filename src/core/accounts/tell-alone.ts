import { TELL_FIRST_MS } from '../intake/answer.ts';
import { idOf } from '../../platform/id.ts';
import { placeOf } from '../../platform/slack/ids.ts';
import type { Message } from '../../platform/slack/message.ts';
import { responseUrlOf } from '../../platform/slack/response-url.ts';
import { atMost } from '../../platform/time/wait.ts';
import type { Base } from '../base.ts';

/** Slack waits for three seconds, and telling takes part of them. */
const OPENED_WITHIN_MS = 1_000;

/** The direct messages with a person; undefined where they can't be opened in time. */
export async function directWith(
  { messenger, log }: Pick<Base, 'messenger' | 'log'>,
  userId: string,
): Promise<string | undefined> {
  const opening = messenger.directChannel(userId).catch((error: unknown) => {
    log.warn({ by: userId, error }, 'opening direct messages for a shortcut');
    return undefined;
  });
  return atMost(OPENED_WITHIN_MS, opening);
}

/** What a message to one person is known by, and where else it can be said. */
interface About {
  readonly id: string;
  readonly threadTs?: string;
  readonly responseUrl?: string;
}

/** Tells one person something of no account. Gives whether it was delivered in time. */
export async function tell(
  { responder, inFlight, apiUrl }: Pick<Base, 'responder' | 'inFlight'> & { readonly apiUrl: string },
  { userId, channelId }: { readonly userId: string; readonly channelId: string },
  said: Message,
  { id, threadTs, responseUrl }: About,
): Promise<boolean> {
  const to = { id: idOf(id), actor: { userId }, place: placeOf(channelId, threadTs), replaces: false };
  const telling = inFlight.run(async () => {
    await responder.tell({ ...to, ...responseUrlOf(responseUrl, apiUrl) }, said);
    return true;
  });
  return (await atMost(TELL_FIRST_MS, telling)) ?? false;
}
