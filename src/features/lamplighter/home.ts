import type { Access } from '../../core/policy/access.ts';
import { adminsOf, whoCanHelp } from '../../core/policy/messages.ts';
import { Refusal } from '../../core/refusal.ts';
import { hideForbidden } from '../../core/requests/hide-forbidden.ts';
import type { Feature } from '../../core/routing/feature.ts';
import { HOME_ROUTE } from '../../core/routing/home.ts';
import type { Ask, Route } from '../../core/routing/route.ts';
import { HostingError } from '../../platform/hosting/hosting-error.ts';
import type { Log } from '../../platform/log/log.ts';
import type { RedisClock } from '../../platform/redis/clock.ts';
import { SlackError } from '../../platform/slack/errors.ts';
import type { Homes } from '../../platform/slack/homes.ts';
import type { Button, Message } from '../../platform/slack/message.ts';
import { say, time } from '../../platform/slack/phrase.ts';

/** One part of the Home. `isOptional`: it is left out where it lists nothing. */
interface HomeSection {
  readonly routeId: string;
  readonly isOptional?: boolean;
}

export interface HomeDeps {
  readonly access: Access;
  readonly homes: Homes;
  readonly clock: Pick<RedisClock, 'now'>;
  readonly log: Log;
  /** Every feature; asked when a Home is drawn. */
  readonly features: () => readonly Feature[];
  /** The routes whose answers the Home shows, and the buttons of other features. */
  readonly homeShows: { readonly sections: readonly HomeSection[]; readonly buttons: readonly Button[] };
}

/**
 * The app's Home: what each section's route would answer this person, if they may ask it, and buttons to what they may do.
 * It is drawn when it is opened, and by its own button.
 */
export function homeRoute(deps: HomeDeps): Route {
  return {
    id: HOME_ROUTE,
    verb: 'home',
    permission: undefined,
    writes: false,
    summary: 'the Home of the app',
    handle: async (ask) => {
      const messages = await draw(deps, ask);
      try {
        await deps.homes.publish(ask.actor.userId, ask.place.channelId, messages);
      } catch (error) {
        if (!(error instanceof SlackError)) throw error;
        // It is drawn again when it is opened again; a message about it would only disturb.
        deps.log.warn({ request: ask.id, by: ask.actor.userId, code: error.code }, 'drawing a Home');
      }
      return undefined;
    },
  };
}

async function draw(deps: HomeDeps, ask: Ask): Promise<readonly Message[]> {
  const { homeShows, access, clock, log } = deps;
  const routes = new Map(deps.features().flatMap((feature) => feature.routes.map((one) => [one.id, one])));
  const parts = await Promise.all(
    homeShows.sections.map(async ({ routeId, isOptional = false }) => {
      const route = routes.get(routeId);
      const part = route ? await section(access, ask, route) : 'not allowed';
      return isOptional && typeof part !== 'string' && listsNothing(part) ? 'empty' : part;
    }),
  );
  const sections = parts.flatMap((part) => (typeof part === 'string' ? [] : [part]));
  const buttons: readonly Button[] = [
    ...homeShows.buttons,
    { label: 'Help', routeId: 'lamplighter.help', value: 'all' },
    { label: 'Refresh', routeId: HOME_ROUTE, value: 'now' },
  ];
  const foot: Message = {
    lines: [say`What you press here is answered under Messages.`],
    note: say`As of ${time(clock.now())}`,
    buttons,
  };
  const all = [...(sections.length === 0 ? [await nothing(access, parts)] : sections), foot];
  return Promise.all(all.map((message) => hideForbidden({ access, routes, log }, ask, message)));
}

function listsNothing({ bullets = [], buttons = [], menu = [] }: Message): boolean {
  return bullets.length + buttons.length + menu.length === 0;
}

/** What a route would answer, or why this person is not shown it. */
async function section(
  access: Access,
  ask: Ask,
  route: Route,
): Promise<Message | 'not allowed' | 'not checked'> {
  if (route.permission === undefined) return 'not allowed';
  const { channelId } = ask.place;
  const decision = await access.check(ask.actor, route.permission, { channelId });
  if (!decision.allowed) return decision.reason === 'not checked' ? 'not checked' : 'not allowed';
  try {
    const reply = await route.handle({ ...ask, route: route.id }, () => undefined);
    // One time stands below all of it.
    const { note: _, ...shown }: Message = reply ?? { lines: [] };
    return shown;
  } catch (error) {
    if (error instanceof Refusal) return error.answer;
    if (!(error instanceof HostingError)) throw error;
    return { lines: [say`The hosting service can't be read right now, so something is missing here.`] };
  }
}

/** What stands in the Home of somebody who may see nothing of it. */
async function nothing(access: Access, parts: readonly unknown[]): Promise<Message> {
  if (parts.includes('not checked'))
    return { lines: [say`I can't check right now what you may see. Try again in a minute.`] };
  const policy = await access.policy();
  return { lines: [say`You have no role here yet.${whoCanHelp(adminsOf(policy), policy.rolesFile)}`] };
}
