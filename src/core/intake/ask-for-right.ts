import type { AccessRequestStore } from '../policy/access-requests.ts';
import type { NoRight } from '../policy/no-access.ts';
import { isChange } from '../policy/permissions.ts';
import type { ResolveThis } from './this.ts';
import { Refusal } from '../refusal.ts';
import type { Ask } from '../ask/ask.ts';
import type { Route } from './route.ts';
import type { RouteTable } from './routes.ts';
import type { Message } from '../../platform/slack/message.ts';
import { say } from '../../platform/slack/phrase.ts';
import { completePick } from './complete-pick.ts';
import type { Offers } from '../offers/offers.ts';

export interface AskForRightDeps {
  readonly routes: Pick<RouteTable, 'byService'>;
  readonly accessRequests: AccessRequestStore;
  readonly offers: Offers;
  readonly resolveThis: ResolveThis;
  /** Redis' clock, Unix ms. */
  readonly now: () => number;
}

/** A no for lack of a right, with a button that asks those who can give it, where it is plain what it is asked for. */
export async function withAskButton(
  deps: AskForRightDeps,
  route: Route,
  pressed: Ask,
  no: Message,
  { permission, target }: NoRight,
): Promise<Message> {
  const { routes, accessRequests, offers, now } = deps;
  const asking = routes.byService.get('ask-for-right');
  if (!asking) return no;
  const { isAskable } = route;
  const meant = await meantBy(deps, route, pressed);
  if (!meant || (target === undefined && isAskable === false)) return no;
  const ask = await completePick(offers, meant);
  const isPlain = target !== undefined || (isAskable ? await isAskable(ask) : !isChange(permission));
  if (!isPlain) return { ...no, note: say`Name one instance, and you can ask them for it here.` };
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
  const button = { label: 'Ask them', routeId: asking.id, value: ask.id };
  return { ...no, buttons: [...(no.buttons ?? []), button] };
}

/** The person who can give the right reads it elsewhere, where "this" means nothing. Undefined where it means nothing here. */
async function meantBy({ resolveThis }: AskForRightDeps, route: Route, ask: Ask): Promise<Ask | undefined> {
  try {
    return await resolveThis(ask, route);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return undefined;
  }
}
