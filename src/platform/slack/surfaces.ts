import type { HomeView } from '@slack/types';
import type { WebClient } from '@slack/web-api';
import { slackErrorOf } from './errors.ts';
import type { Message } from './message.ts';
import { render } from './render.ts';
import { HOUR_MS } from '../time/duration.ts';

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

/** Tells Slack how a step of a workflow ended. */
export interface Steps {
  /** Throws SlackError, where another try may get through. A step that Slack has ended by itself is left at that. */
  complete(executionId: string, outputs: Readonly<Record<string, string>>): Promise<void>;
  /** The same of one that failed; `why`: for who looks after the workflow. */
  fail(executionId: string, why: string): Promise<void>;
}

/** It has ended already, by us or by Slack, or its workflow is gone. */
const OVER = new Set(['execution_not_in_running_state', 'function_execution_not_found']);

export function createSteps(web: WebClient): Steps {
  const told = async (telling: Promise<unknown>): Promise<void> => {
    try {
      await telling;
    } catch (error) {
      const fault = slackErrorOf(error);
      if (!OVER.has(fault.code)) throw fault;
    }
  };
  return {
    complete: (id, outputs) =>
      told(web.functions.completeSuccess({ function_execution_id: id, outputs: { ...outputs } })),
    fail: (id, why) => told(web.functions.completeError({ function_execution_id: id, error: why })),
  };
}
