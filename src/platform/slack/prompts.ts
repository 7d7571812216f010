import type { WebClient } from '@slack/web-api';
import { HOUR_MS } from '../time/duration.ts';
import { slackErrorOf } from './errors.ts';

/** A line that Slack offers to say for a person: what it is called, and what is said. */
export interface Prompt {
  readonly title: string;
  readonly message: string;
}

/** The lines that Slack offers where a person opens the conversation with the bot, in an app with an agent view. */
export interface Prompts {
  /** Whether Slack has lately refused them as a whole, as it does without the agent view or its scope. */
  isOff(): boolean;
  /** Offers at most four there. Throws SlackError. */
  offer(channelId: string, prompts: readonly Prompt[]): Promise<void>;
}

const MOST = 4;
const OFF_FOR_MS = HOUR_MS;

/** `account`: what they are about, where there are several; each line then names it. */
export function createPrompts(web: WebClient, account: string | undefined): Prompts {
  let offUntil = 0;
  return {
    isOff: () => Date.now() < offUntil,
    offer: async (channelId, prompts) => {
      const named = prompts.slice(0, MOST).map(({ title, message }) => ({
        title,
        message: account === undefined ? message : `${account}: ${message}`,
      }));
      try {
        // Without `thread_ts`: with it an app with an agent view is shown nothing, and told nothing of that.
        await web.assistant.threads.setSuggestedPrompts({ channel_id: channelId, prompts: named });
      } catch (error) {
        const refused = slackErrorOf(error);
        if (refused.dead) offUntil = Date.now() + OFF_FOR_MS;
        throw refused;
      }
    },
  };
}
