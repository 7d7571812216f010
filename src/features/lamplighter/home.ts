import type { Access } from '../../core/policy/access.ts';
import { adminsOf, whoCanHelp } from '../../core/policy/messages.ts';
import { Refusal } from '../../core/refusal.ts';
import { hideForbidden } from '../../core/intake/hide-forbidden.ts';
import type { Ask } from '../../core/ask/ask.ts';
import type { Route } from '../../core/intake/route.ts';
import { HostingError } from '../../platform/hosting/hosting-error.ts';
import { SlackError } from '../../platform/slack/errors.ts';
import type { Button, Message } from '../../platform/slack/message.ts';
import { say, time } from '../../platform/slack/phrase.ts';
import type { Bot } from '../../core/bot/bot.ts';

export const HOME_ROUTE = 'lamplighter.home';

/** One part of the Home. `isOptional`: it is left out where it lists nothing. `isNow`: it says what is going on. */
export interface HomeSection {
  readonly routeId: string;
  readonly isOptional?: boolean;
  readonly isNow?: boolean;
}

/** The bot as the routes about itself have it. */
export interface Lamplighter extends Bot {
  /** What stands before the name of each command. */
  readonly prefix: string;
  /** The routes whose answers the Home shows, and the buttons of other features. */
  readonly homeShows: { readonly sections: readonly HomeSection[]; readonly buttons: readonly Button[] };
  /** What is going on in the other accounts that the person can reach. */
  readonly otherAccounts: (ask: Ask) => Promise<readonly Message[]>;
}

/**
 * The app's Home, drawn when it is opened, by its own button, and once what somebody pressed in it was done. Slack opens it anew for
 * whoever comes back from the messages of the app.
 */
export function homeRoute(deps: Lamplighter): Route {
  return {
    id: HOME_ROUTE,
    serves: 'home',
    verb: 'home',
    permission: undefined,
    writes: false,
    summary: 'the Home of the app',
    handle: async (ask) => {
      try {
        await deps.homes.publish(ask.actor.userId, ask.place.channelId, await drawHome(deps, ask));
      } catch (error) {
        if (!(error instanceof SlackError)) throw error;
        // It is drawn again when it is opened again; a message about it would only disturb.
        deps.log.warn({ request: ask.id, by: ask.actor.userId, code: error.code }, 'drawing a Home');
      }
      return undefined;
    },
  };
}

/** What each section's route would answer this person, if they may ask it, and buttons to what they may do. */
async function drawHome(deps: Lamplighter, ask: Ask): Promise<readonly Message[]> {
  const { homeShows, access, clock, log } = deps;
  const routes = routesOf(deps);
  const buttons: readonly Button[] = [
    ...homeShows.buttons,
    { label: 'Help', routeId: 'lamplighter.help', value: 'all' },
    { label: 'Refresh', routeId: HOME_ROUTE, value: 'now' },
  ];
  const [own, others] = await Promise.all([
    drawSections(deps, ask, homeShows.sections),
    deps.otherAccounts(ask),
  ]);
  // One that a section has already leads to the same.
  const isShownAbove = ({ routeId }: Button): boolean =>
    own.some((message) => (message.buttons ?? []).some((one) => one.routeId === routeId));
  const foot: Message = {
    lines: [say`Answers to what you press here appear under Messages.`],
    buttons: buttons.filter((one) => !isShownAbove(one)),
    note: say`As of ${time(clock.now())}`,
  };
  return Promise.all(
    [...own, ...others, foot].map((message) => hideForbidden({ access, routes, log }, ask, message)),
  );
}

/** What each section's route would answer this person, or one line for somebody who may see nothing of them. */
export async function drawSections(
  deps: Bot,
  ask: Ask,
  sections: readonly HomeSection[],
): Promise<readonly Message[]> {
  const { access } = deps;
  const routes = routesOf(deps);
  const parts = await Promise.all(
    sections.map(async ({ routeId, isOptional = false }) => {
      const route = routes.get(routeId);
      const part = route ? await section(access, ask, route) : 'not allowed';
      return isOptional && typeof part !== 'string' && listsNothing(part) ? 'empty' : part;
    }),
  );
  const shown = parts.flatMap((part) => (typeof part === 'string' ? [] : [part]));
  return shown.length === 0 ? [await nothing(access, parts)] : shown;
}

function routesOf({ features }: Bot): ReadonlyMap<string, Route> {
  return new Map(features().flatMap(({ routes }) => routes.map((one) => [one.id, one])));
}

/** One line and nothing else says that there is nothing, and so does one with a field for what there could be. */
function listsNothing(part: Message): boolean {
  const { lines, bullets = [], rows = [], buttons = [], menu = [], blanks = [] } = part;
  const pressed = blanks.length > 0 ? 0 : buttons.length + menu.length;
  return lines.length <= 1 && bullets.length + rows.length + pressed === 0;
}

/** What a route would answer, or why this person is not shown it. */
async function section(
  access: Access,
  ask: Ask,
  route: Route,
): Promise<Message | 'not allowed' | 'not checked'> {
  if (route.permission === undefined) return 'not allowed';
  const { channelId } = ask.place;
  const decision = await access.check(ask.actor, route.permission, 'any', { channelId });
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
  return { lines: [say`You have no role here.${whoCanHelp(adminsOf(policy), policy.rolesFile)}`] };
}
