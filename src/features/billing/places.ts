import { createPlaces as createChosenPlaces, type Places } from '../../core/policy/places.ts';
import { Refusal } from '../../core/refusal.ts';
import { say } from '../../platform/slack/phrase.ts';
import { mayStandIn, withPlace } from './alerts/alert-settings.ts';
import type { Billing } from './billing.ts';

/** The guard of a message with figures: the channel must still be one in which they may stand. */
export const FIGURES = 'figures';

/** The channels in which everybody may see the figures of the account. */
export function createPlaces({
  config,
  access,
  alarms,
  examiner,
}: Pick<Billing, 'config' | 'access' | 'alarms' | 'examiner'>): Places {
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
