import { z } from 'zod';
import { oneOf } from '../../src/core/ask/mend-words.ts';
import type { Route } from '../../src/core/intake/route.ts';
import { setting, type SettingDeps } from '../../src/core/intake/setting.ts';
import type { OneKind, OneRecord } from '../../src/core/records/one-record.ts';
import { Refusal } from '../../src/core/refusal.ts';
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
      usage: '[full | short | none]',
      summary: 'how long the cards in this channel are',
      label: ([size]) => size && `Cards: ${size}`,
    },
    store: deps.cardSizes,
    read: async ({ words, actor: { userId: by }, place: { channelId } }) => {
      if (words.length === 0) return undefined;
      const size = SIZES.find((one) => one === words.join(' ').toLowerCase());
      if (size === undefined)
        throw new Refusal(
          'bad-option',
          say`I can't read "${words.join(' ')}" here. Cards are full, short or none.`,
          oneOf(...SIZES.map((one) => [one])),
        );
      return {
        step: ({ channels }) =>
          channels[channelId]?.size === size
            ? undefined
            : { channels: { ...channels, [channelId]: { size, by } } },
        fact: () => say`${person(by)} set the cards in this channel: ${size}.`,
      };
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
