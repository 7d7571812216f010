import { Refusal } from '../../core/refusal.ts';
import type { Ask } from '../../core/ask/ask.ts';
import type { Route } from '../../core/intake/route.ts';
import { HostingError } from '../../platform/hosting/hosting-error.ts';
import { isRedisAway } from '../../platform/redis/away.ts';
import { SlackError } from '../../platform/slack/errors.ts';
import type { Prompt } from '../../platform/slack/surfaces.ts';
import type { Bot } from '../../core/bot/bot.ts';

/** Somebody opens the conversation with the bot: Slack offers them what to say there, made of what is going on. */
export function suggestRoute(deps: Bot): Route {
  const { prompts, features, log } = deps;
  return {
    id: 'lamplighter.suggest',
    serves: 'suggest',
    verb: 'suggest',
    permission: undefined,
    writes: false,
    summary: 'what to say in the conversation with the bot',
    handle: async (ask) => {
      if (prompts.isOff()) return undefined;
      const routes = features().flatMap((feature) => feature.routes);
      const found = await Promise.all(routes.map((route) => promptOf(deps, ask, route)));
      try {
        await prompts.offer(
          ask.place.channelId,
          found.flatMap((one) => one ?? []),
        );
      } catch (error) {
        if (!(error instanceof SlackError)) throw error;
        // A message about it would only disturb: everything can be typed.
        log.limited('suggested prompts', error);
      }
      return undefined;
    },
  };
}

/** What a route suggests to this person, if they may ask it; nothing where what it is made of can't be read. */
async function promptOf({ access }: Bot, ask: Ask, route: Route): Promise<Prompt | undefined> {
  if (!route.suggests || route.permission === undefined) return undefined;
  const { channelId } = ask.place;
  try {
    const { allowed } = await access.check(ask.actor, route.permission, 'any', { channelId });
    return allowed ? await route.suggests(ask) : undefined;
  } catch (error) {
    if (!(error instanceof HostingError || error instanceof Refusal || isRedisAway(error))) throw error;
    return undefined;
  }
}
