import { idOf } from '../../platform/id.ts';
import { placeOf } from '../../platform/slack/ids.ts';
import { arrivedAtOf } from '../../platform/slack/incoming-request.ts';
import type { Admit } from './admit.ts';
import { homeOpenedSchema, type ParseDeps, parseIncoming, whoActs } from './incoming.ts';
import { isLate, sentAtOf } from './late.ts';
import type { Listeners } from './listeners.ts';
import type { Service } from './route.ts';
import type { RouteTable } from './routes.ts';

/** What a tab of the app leads to. */
const OPENED: Readonly<Record<string, Service>> = { home: 'home', messages: 'suggest' };

export interface HomeListenerDeps extends ParseDeps {
  readonly routes: RouteTable;
  readonly admit: Admit;
}

/**
 * Somebody opened the app: its Home, which is drawn, or the conversation with the bot, where they are offered what to say. Neither is
 * answered otherwise, also where that can't be done now.
 */
export function createHomeListener(deps: HomeListenerDeps): Listeners['home'] {
  return async ({ body, context }) => {
    const opened = parseIncoming(deps, homeOpenedSchema, body);
    const service = opened && OPENED[opened.event.tab];
    const route = service && deps.routes.byService.get(service);
    if (!opened || !route) return;
    const ask = {
      id: idOf(`event ${opened.event_id}`),
      route: route.id,
      words: [],
      actor: whoActs({
        user: { id: opened.event.user },
        team: { id: opened.team_id },
        enterprise: { id: opened.enterprise_id },
      }),
      place: placeOf(opened.event.channel),
      replaces: false,
      askedAt: arrivedAtOf(context),
      ...sentAtOf(opened.event_time),
    };
    // Whoever looked at it then has gone on; it is drawn when somebody opens it again.
    if (isLate(ask, Date.now())) return;
    await deps.admit(ask, route);
  };
}
