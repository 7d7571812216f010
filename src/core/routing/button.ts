import type { Middleware, SlackActionMiddlewareArgs } from '@slack/bolt';
import { actorOf, placeOf } from '../../platform/slack/ids.ts';
import { responseUrlOf } from '../../platform/slack/response-url.ts';
import type { Admit } from './admit.ts';
import { identityOf, meantBy, type ParseDeps, parseIncoming, pressSchema } from './incoming.ts';
import type { Ask } from './route.ts';
import type { RouteTable } from './routes.ts';
import { NeitherTakenNorTold, type TellFirst } from './tell-first.ts';

export interface ButtonDeps extends ParseDeps {
  readonly routes: RouteTable;
  readonly admit: Admit;
  readonly tellFirst: TellFirst;
  readonly apiUrl: string;
}

/** A press of a button, a line of a menu, or a pick. */
export function createButtonListener(deps: ButtonDeps): Middleware<SlackActionMiddlewareArgs> {
  return async ({ body, ack, context }) => {
    const press = parseIncoming(deps, pressSchema, body);
    const action = press?.actions[0];
    const channelId = press?.channel?.id ?? press?.container?.channel_id;
    const meant = action && meantBy(action);
    const route = meant && deps.routes.byId.get(meant.routeId);
    if (!press || !route || channelId === undefined) return ack();
    const ask: Ask = {
      ...identityOf(context),
      route: route.id,
      words: [],
      ...(meant.picked === undefined ? {} : { picked: meant.picked }),
      ...(meant.value === undefined ? {} : { value: meant.value }),
      actor: actorOf(press.user.id, press.user.team_id ?? press.team?.id),
      place: placeOf(channelId, press.message?.thread_ts ?? press.container?.thread_ts),
      ...responseUrlOf(press.response_url, deps.apiUrl),
      ...(press.trigger_id ? { triggerId: press.trigger_id } : {}),
      replaces: press.container?.is_ephemeral ?? false,
    };
    const said = await deps.admit(ask, route);
    if (said && !(await deps.tellFirst({ ...ask, replaces: false }, said))) throw new NeitherTakenNorTold();
    await ack();
  };
}
