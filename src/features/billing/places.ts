import type { Access } from '../../core/policy/access.ts';
import { createPlaces as createChosenPlaces, type Places } from '../../core/policy/places.ts';
import { Refusal } from '../../core/refusal.ts';
import type { Examiner } from '../../platform/slack/examiner.ts';
import { say } from '../../platform/slack/phrase.ts';
import type { AlarmStore } from './alerts/alarm-store.ts';
import { type AlertConfig, mayStandIn, withPlace } from './alerts/alert-settings.ts';

/** The guard of a message with figures: the channel must still be one in which they may stand. */
export const FIGURES = 'figures';

/** The channels in which everybody may see the figures of the account. */
export function createPlaces(deps: {
  config: AlertConfig;
  access: Access;
  alarms: AlarmStore;
  examiner: Pick<Examiner, 'channel'>;
}): Places {
  const { config, access, alarms, examiner } = deps;
  return createChosenPlaces({
    access,
    examiner,
    permission: 'billing:place',
    isAllowed: async (channelId) => mayStandIn(channelId, (await alarms.get()).settings, config),
    choosing: (channelId) =>
      alarms.moving((alarm) => ({ ...alarm, settings: withPlace(alarm.settings, channelId) })),
    refuseOther: () => {
      if (config.channels.length === 0) return;
      throw new Refusal(
        'not-a-place',
        say`Account figures can't be shown in this channel. The configuration lists the channels where they can; the person who runs the bot can change it. Nothing was changed.`,
      );
    },
  });
}
