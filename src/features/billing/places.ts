import type { Access } from '../../core/policy/access.ts';
import { Refusal } from '../../core/refusal.ts';
import type { Ask } from '../../core/routing/route.ts';
import { say } from '../../platform/slack/phrase.ts';
import type { AlarmStore } from './alerts/alarm-store.ts';
import { type AlertConfig, mayStandIn } from './alerts/alert-settings.ts';

/** The guard of a message with figures: the channel must still be one in which they may stand. */
export const FIGURES = 'figures';

/** In which channels everybody may see the figures of the account: none, but for those that somebody named. */
export interface Places {
  /** Throws a Refusal where the figures may not stand in the channel of `ask`, or its actor may not choose it. */
  allow(ask: Ask): Promise<void>;
  isAllowed(channelId: string): Promise<boolean>;
}

export function createPlaces(deps: { config: AlertConfig; access: Access; store: AlarmStore }): Places {
  const { config, access, store } = deps;
  const isAllowed = async (channelId: string): Promise<boolean> =>
    mayStandIn(channelId, (await store.get()).settings, config);
  return {
    isAllowed,
    allow: async (ask) => {
      const { channelId } = ask.place;
      if (await isAllowed(channelId)) return;
      if (config.channels.length > 0)
        throw new Refusal(
          'not-a-place',
          say`The figures of the account can't be shown in this channel: the configuration names those in which they can, and the person who runs the bot can change it. Nothing was changed.`,
        );
      const rule = await access.require(ask.actor, 'billing:place', {
        route: ask.route,
        operationId: ask.id,
      });
      await access.use(rule, ask.id);
      await store.change((alarm) => {
        const { allowed = [] } = alarm.settings;
        return { ...alarm, settings: { ...alarm.settings, allowed: [...new Set([...allowed, channelId])] } };
      });
    },
  };
}
