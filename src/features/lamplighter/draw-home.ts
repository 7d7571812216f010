import type { OpenHome } from '../../core/homes/open-homes.ts';
import { hashOf } from '../../core/outbox/content-hash.ts';
import type { Access } from '../../core/policy/access.ts';
import { adminsOf, whoCanHelp } from '../../core/policy/messages.ts';
import { Refusal } from '../../core/refusal.ts';
import { hideForbidden } from '../../core/intake/hide-forbidden.ts';
import type { Feature } from '../../core/intake/feature.ts';
import { HOME_ROUTE } from './route-ids.ts';
import type { Ask } from '../../core/ask/ask.ts';
import type { Route } from '../../core/intake/route.ts';
import { HostingError } from '../../platform/hosting/hosting-error.ts';
import type { Log } from '../../platform/log/log.ts';
import type { RedisClock } from '../../platform/redis/clock.ts';
import type { Button, Message } from '../../platform/slack/message.ts';
import { type Phrase, say, time } from '../../platform/slack/phrase.ts';
import { DAY_MS, MINUTE_MS } from '../../platform/time/duration.ts';

/** One part of the Home. `isOptional`: it is left out where it lists nothing. `isNow`: it says what is going on. */
export interface HomeSection {
  readonly routeId: string;
  readonly isOptional?: boolean;
  readonly isNow?: boolean;
}

export interface DrawHomeDeps {
  readonly access: Access;
  readonly clock: Pick<RedisClock, 'now'>;
  readonly log: Log;
  /** Every feature; asked when a Home is drawn. */
  readonly features: () => readonly Feature[];
  /** The routes whose answers the Home shows, and the buttons of other features. */
  readonly homeShows: { readonly sections: readonly HomeSection[]; readonly buttons: readonly Button[] };
  /** What is going on in the other accounts that the person can reach. */
  readonly otherAccounts: (ask: Ask) => Promise<readonly Message[]>;
}

/** A Home as one person sees it. */
export interface DrawnHome {
  readonly messages: readonly Message[];
  /** Equal where the person would see no difference but in when it was drawn. */
  readonly hash: string;
}

/**
 * What each section's route would answer this person, if they may ask it, and buttons to what they may do. `until`: when it
 * stops being kept up to date, Unix ms; undefined where it is not.
 */
export async function drawHome(
  deps: DrawHomeDeps,
  ask: Ask,
  until: OpenHome['until'] | undefined,
): Promise<DrawnHome> {
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
  };
  const all = [...own, ...others, foot];
  const shown = await Promise.all(all.map((message) => hideForbidden({ access, routes, log }, ask, message)));
  return {
    messages: shown.map((message, index) =>
      index === shown.length - 1 ? { ...message, note: asOf(clock.now(), until) } : message,
    ),
    hash: hashOf([shown.map(coarsely), until === undefined ? '' : Math.floor(until / MINUTE_MS)]),
  };
}

/** What each section's route would answer this person, or one line for somebody who may see nothing of them. */
export async function drawSections(
  deps: Pick<DrawHomeDeps, 'access' | 'features'>,
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

function routesOf({ features }: Pick<DrawHomeDeps, 'features'>): ReadonlyMap<string, Route> {
  return new Map(features().flatMap(({ routes }) => routes.map((one) => [one.id, one])));
}

function asOf(now: number, until: number | undefined): Phrase {
  return until === undefined
    ? say`As of ${time(now)}`
    : say`As of ${time(now)}. Changes show here by themselves until ${time(until)}.`;
}

/** A message with each moment no finer than it is read: a date that is worked out again each time is no news. */
function coarsely(message: Message): unknown {
  return JSON.parse(JSON.stringify(message), (_key, value: unknown) => {
    if (typeof value !== 'object' || value === null || !('type' in value) || !('at' in value)) return value;
    const stepMs = value.type === 'day' ? DAY_MS : value.type === 'time' ? MINUTE_MS : 1;
    return { ...value, at: Math.floor(Number(value.at) / stepMs) };
  });
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
