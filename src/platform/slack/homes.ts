import type { HomeView } from '@slack/types';
import type { WebClient } from '@slack/web-api';
import { slackErrorOf } from './errors.ts';
import type { Message } from './message.ts';
import { render } from './render.ts';

/** The app's Home, one for each person, seen by them alone. */
export interface Homes {
  /**
   * Shows messages in a person's Home, in place of what stood there. `channelId`: their direct messages with the bot, where
   * what they press is answered. Throws SlackError.
   */
  publish(userId: string, channelId: string, messages: readonly Message[]): Promise<void>;
}

export function createHomes(web: WebClient): Homes {
  return {
    publish: async (userId, channelId, messages) => {
      const view: HomeView = {
        type: 'home',
        private_metadata: channelId,
        // A view takes neither charts nor tables.
        blocks: messages.flatMap((message, index) => [
          ...(index === 0 ? [] : [{ type: 'divider' as const }]),
          ...render(message, undefined, 'no-figures').blocks,
        ]),
      };
      try {
        await web.views.publish({ user_id: userId, view });
      } catch (error) {
        throw slackErrorOf(error);
      }
    },
  };
}
