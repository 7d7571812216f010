import type { NoRight } from '../policy/no-access.ts';
import { isChange } from '../policy/permissions.ts';
import { Refusal } from '../refusal.ts';
import type { Ask } from '../ask/ask.ts';
import type { Answering } from './answering.ts';
import type { Route } from './route.ts';
import type { Button, Message } from '../../platform/slack/message.ts';
import { say } from '../../platform/slack/phrase.ts';
import { completePick } from './kept-words.ts';
import type { Parts } from '../parts/parts.ts';

/** A no for lack of a right, with a button that asks those who can give it, where it is plain what it is asked for. */
export async function withAskButton(
  deps: Answering,
  route: Route,
  pressed: Ask,
  no: Message,
  { permission, target }: NoRight,
): Promise<Message> {
  const { routes, offers, accessRequests, clock } = deps;
  const asking = routes.byService.get('ask-for-right');
  if (!asking) return no;
  const { isAskable } = route;
  const meant = await meantBy(deps, route, pressed);
  if (!meant || (target === undefined && isAskable === false)) return no;
  const ask = await completePick(offers, meant);
  const isPlain = target !== undefined || (isAskable ? await isAskable(ask) : !isChange(permission));
  if (!isPlain) return { ...no, note: say`Name one instance, and you can ask them for it here.` };
  const button = await askButton({ accessRequests, now: clock.now }, asking.id, ask, { permission, target });
  return { ...no, buttons: [...(no.buttons ?? []), button] };
}

/**
 * Writes down what a right was wanted for, and gives the button that asks for it. `routeId`: of the route that asks; `now`: Redis'
 * clock, Unix ms.
 */
export async function askButton(
  { accessRequests, now }: Pick<Parts, 'accessRequests'> & { readonly now: () => number },
  routeId: string,
  ask: Ask,
  { permission, target }: Pick<NoRight, 'permission' | 'target'>,
): Promise<Button> {
  await accessRequests.create(ask.id, {
    id: ask.id,
    userId: ask.actor.userId,
    permission,
    ...(target ? { target: { id: target.id, name: target.name } } : {}),
    ...ask.place,
    route: ask.route,
    words: ask.words,
    ...(ask.value === undefined ? {} : { value: ask.value }),
    ...(ask.picked === undefined ? {} : { picked: ask.picked }),
    at: now(),
  });
  return { label: 'Ask them', routeId, value: ask.id };
}

/** The person who can give the right reads it elsewhere, where "this" means nothing. Undefined where it means nothing here. */
async function meantBy({ resolveThis }: Answering, route: Route, ask: Ask): Promise<Ask | undefined> {
  try {
    return await resolveThis(ask, route);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return undefined;
  }
}
