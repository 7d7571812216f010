import { z } from 'zod';
import type { Route } from '../../src/core/intake/route.ts';
import { choiceOf, setting, type SettingDeps } from '../../src/core/intake/setting.ts';
import type { OneKind, OneRecord } from '../../src/core/records/one-record.ts';
import { key } from '../../src/platform/redis/key.ts';
import { person, say } from '../../src/platform/slack/phrase.ts';

const SIZES = ['full', 'short', 'none'] as const;

const cardSizesSchema = z.object({
  channels: z.record(z.string(), z.object({ size: z.enum(SIZES), by: z.string() })),
});
type CardSizes = z.infer<typeof cardSizesSchema>;

/** How long the cards of a channel are. */
export const CARD_SIZES: OneKind<CardSizes> = {
  key: key('card-sizes'),
  schema: cardSizesSchema,
  none: { channels: {} },
};

interface CardSizeDeps extends SettingDeps {
  readonly cardSizes: OneRecord<CardSizes>;
}

/** `/lamplighter cards [full | short | none]`: a whole setting in one file. */
export function cardSizeRoute(deps: CardSizeDeps): Route {
  return setting(deps, {
    route: {
      id: 'lamplighter.cards',
      verb: 'cards',
      permission: 'operations:read',
      writePermission: 'instances:place',
      usage: `[${SIZES.join(' | ')}]`,
      summary: 'how long the cards in this channel are',
    },
    store: deps.cardSizes,
    read: async (ask) => {
      const size = choiceOf(SIZES, ask);
      const { actor, place } = ask;
      return (
        size && {
          step: ({ channels }) => ({
            channels: { ...channels, [place.channelId]: { size, by: actor.userId } },
          }),
          fact: () => say`${person(actor.userId)} set the cards in this channel: ${size}.`,
        }
      );
    },
    shown: ({ channels }, { place: { channelId } }) => {
      const size = channels[channelId]?.size ?? 'full';
      return {
        lines: [say`Cards in this channel: ${size}.`],
        presses: SIZES.filter((one) => one !== size).map((one) => [one]),
      };
    },
  });
}
