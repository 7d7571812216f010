import { setTimeout as wait } from 'node:timers/promises';
import type { HomeOwner, OpenHomes } from '../../core/homes/open-homes.ts';
import { HOME_ROUTE } from './route-ids.ts';
import type { Ask } from '../../core/ask/ask.ts';
import type { Route } from '../../core/intake/route.ts';
import type { Timings } from '../../core/timings.ts';
import { unlessRedisIsAway } from '../../platform/redis/away.ts';
import { SlackError } from '../../platform/slack/errors.ts';
import type { Homes } from '../../platform/slack/homes.ts';
import { homeRetryMs } from './publish-pace.ts';
import { drawHome, type DrawHomeDeps, type DrawnHome } from './draw-home.ts';

export interface HomeDeps extends DrawHomeDeps {
  readonly homes: Homes;
  readonly openHomes: OpenHomes;
  readonly timings: Timings;
}

/** How often it is looked whether another process is through with publishing the same Home. */
const TRY_EVERY_MS = 50;

/**
 * The app's Home, drawn when it is opened and by its own button. From then on it is kept up to date for a while
 * (`keep-homes.ts`).
 */
export function homeRoute(deps: HomeDeps): Route {
  return {
    id: HOME_ROUTE,
    serves: 'home',
    verb: 'home',
    permission: undefined,
    writes: false,
    summary: 'the Home of the app',
    handle: async (ask) => {
      const opened = await open(deps, ask);
      // It is open from now on, so that the process that keeps it up to date publishes it.
      if (opened && opened.version === undefined) return undefined;
      const version = opened?.version;
      let drawn: DrawnHome | undefined;
      try {
        const made = await drawHome(deps, ask, opened?.until);
        await deps.homes.publish(ask.actor.userId, ask.place.channelId, made.messages);
        drawn = made;
      } catch (error) {
        if (!(error instanceof SlackError)) throw error;
        // It is drawn again when it is opened again; a message about it would only disturb.
        deps.log.warn({ request: ask.id, by: ask.actor.userId, code: error.code }, 'drawing a Home');
      } finally {
        if (version !== undefined) await settle(deps, ask, version, drawn);
      }
      return undefined;
    },
  };
}

/** Has this process publish the Home, once no other does; undefined where Redis is away. */
async function open(
  { openHomes, clock, timings }: HomeDeps,
  { actor, place: { channelId } }: Ask,
): Promise<Awaited<ReturnType<OpenHomes['open']>> | undefined> {
  const owner: HomeOwner = { actor, channelId };
  const waitUntil = clock.now() + timings.slackTimeoutMs;
  const publishMs = timings.apiTimeoutMs + timings.slackTimeoutMs;
  for (;;) {
    const opened = await unlessRedisIsAway(openHomes.open(owner, publishMs), undefined);
    if (!opened || opened.version !== undefined || clock.now() > waitUntil) return opened;
    await wait(TRY_EVERY_MS);
  }
}

async function settle(
  { openHomes, clock, timings }: HomeDeps,
  { actor }: Ask,
  version: number,
  drawn: DrawnHome | undefined,
): Promise<void> {
  const result = drawn
    ? { shown: drawn.hash, failures: 0, notBefore: 0 }
    : { shown: undefined, failures: 1, notBefore: clock.now() + homeRetryMs(timings) };
  await unlessRedisIsAway(openHomes.settle(actor.userId, version, result), undefined);
}
