import type { AccessRequestStore } from '../policy/access-requests.ts';
import type { NoRight } from '../policy/access.ts';
import { ASK_ACCESS_ROUTE } from '../policy/messages.ts';
import type { Ask } from '../routing/route.ts';
import type { Message } from '../../platform/slack/message.ts';

/** A no for lack of a right, with a button that asks those who can give it. `now`: Redis' clock, Unix ms. */
export async function withAskButton(
  { accessRequests, now }: { readonly accessRequests: AccessRequestStore; readonly now: () => number },
  ask: Ask,
  no: Message,
  { permission, target }: NoRight,
): Promise<Message> {
  await accessRequests.create(ask.id, {
    id: ask.id,
    userId: ask.actor.userId,
    permission,
    ...(target ? { target: { id: target.id, name: target.name } } : {}),
    ...ask.place,
    route: ask.route,
    words: ask.words,
    at: now(),
  });
  const button = { label: 'Ask them', routeId: ASK_ACCESS_ROUTE, value: ask.id };
  return { ...no, buttons: [...(no.buttons ?? []), button] };
}
