import { LINK_ID, type Message } from '../../platform/slack/message.ts';
import { placeOf } from '../../platform/slack/ids.ts';
import { responseUrlOf } from '../../platform/slack/response-url.ts';
import { unknownPress } from './messages.ts';
import { filledBeside, pickedBeside } from './filled.ts';
import { sentAtOf } from './late.ts';
import { askedByValue } from './typed-button.ts';
import {
  channelIn,
  identityOf,
  isOnlyChosen,
  meantBy,
  countUnknownRoute,
  parseIncoming,
  pressSchema,
  whoActs,
} from './incoming.ts';
import type { Listeners, Listening } from './listeners.ts';
import type { Ask } from '../ask/ask.ts';
import { CANCEL_QUESTION } from '../ask/question.ts';
import type { Route } from './route.ts';
import { NeitherTakenNorAnswered } from './answer.ts';

/** A press of a button, a line of a menu, or a pick. */
export function createButtonListener(deps: Listening): Listeners['press'] {
  return async ({ body, ack, context }) => {
    const press = parseIncoming(deps, pressSchema, body);
    const [action] = press?.actions ?? [];
    if (!press || !action) return ack();
    if (isOnlyChosen(action)) return ack();
    const { routeId, picked, value } = meantBy(action);
    if (routeId === LINK_ID) return ack();
    const selected = pickedBeside(press, action);
    const route = deps.routes.byId.get(routeId);
    const identity = identityOf(context);
    const channelId = channelIn(press);
    if (!route) countUnknownRoute(deps, { request: identity.id, route: routeId, by: press.user.id });
    // The bot has nothing to press outside of messages and the Home.
    if (channelId === undefined) return ack();
    // What matches a route is known again by its record.
    if (!route && !(await deps.intake.isFirst(identity.id))) return ack();
    const asked = {
      ...identity,
      ...sentAtOf(action.action_ts),
      actor: whoActs(press),
      place: placeOf(channelId, press.message?.thread_ts ?? press.container?.thread_ts),
      ...responseUrlOf(press.response_url, deps.apiUrl),
    };
    const take = async (one: Route): Promise<Message | undefined> => {
      const meant = await askedByValue(deps.offers, value, filledBeside(press, action, value), asked);
      if ('no' in meant) return { lines: meant.no };
      const ask: Ask = {
        ...asked,
        route: one.id,
        ...meant,
        ...(picked === undefined ? {} : { picked }),
        ...(selected === undefined ? {} : { selected: [...selected] }),
        ...(press.trigger_id ? { triggerId: press.trigger_id } : {}),
        ...(press.view?.type === 'home' ? { inHome: true } : {}),
        // What asks gives way to that it was canceled, also where it is an ordinary message.
        replaces: press.container?.is_ephemeral === true || one.id === CANCEL_QUESTION,
      };
      return deps.admit(ask, one);
    };
    const said = route ? await take(route) : { lines: [unknownPress()] };
    if (said && !(await deps.tellFirst({ ...asked, replaces: false }, said)))
      throw new NeitherTakenNorAnswered();
    await ack();
  };
}
