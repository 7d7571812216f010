import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import { SlackError } from './errors.ts';
import type { Form } from './forms.ts';
import type { Message } from './message.ts';
import { asSlackError, contentOf, quiet } from './messenger.ts';

/** A message that Slack has yet to post. */
export interface ScheduledPost {
  readonly id: string;
  readonly channelId: string;
  /** Slack's clock, Unix ms, in whole seconds. */
  readonly postAt: number;
  /** What it says, as notifications show it: all by which it can be told from others. */
  readonly text: string;
}

/** Messages that Slack posts later by itself, also where no process lives by then. Every method throws SlackError only. */
export interface ScheduledPosts {
  /** Has one posted at a moment, Unix ms, at most 120 days ahead. `key` marks it, so that it can be found in the history once it stands. */
  schedule(
    at: { readonly channelId: string; readonly postAt: number },
    message: Message,
    key: string,
    form?: Form,
  ): Promise<void>;
  /** All that the bot has scheduled in the workspace. */
  list(): Promise<readonly ScheduledPost[]>;
  /** Takes one back; one that is gone, or due within a minute, is left as it is. */
  cancel(post: Pick<ScheduledPost, 'id' | 'channelId'>): Promise<void>;
}

const PER_PAGE = 100;
/** More than that the bot never scheduled by itself. */
const MAX_PAGES = 20;

const listSchema = z.object({
  scheduled_messages: z.array(
    z.object({
      id: z.union([z.string(), z.number()]).transform(String),
      channel_id: z.string(),
      post_at: z.number(),
      text: z.string().optional(),
    }),
  ),
  response_metadata: z.object({ next_cursor: z.string().optional() }).optional(),
});

export function createScheduledPosts(web: WebClient): ScheduledPosts {
  return {
    // Never with metadata: Slack doesn't post a message that has it.
    schedule: ({ channelId, postAt }, message, key, form) =>
      asSlackError(async () => {
        await web.chat.scheduleMessage({
          channel: channelId,
          post_at: Math.floor(postAt / 1_000),
          ...contentOf(message, key, form),
          ...quiet,
        });
      }),

    list: () => asSlackError(() => listAll(web)),

    cancel: async ({ id, channelId }) => {
      try {
        await asSlackError(() =>
          web.chat.deleteScheduledMessage({ channel: channelId, scheduled_message_id: id }),
        );
      } catch (error) {
        if (!(error instanceof SlackError && error.code === 'invalid_scheduled_message_id')) throw error;
      }
    },
  };
}

async function listAll(web: WebClient): Promise<readonly ScheduledPost[]> {
  const all: ScheduledPost[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const answer = listSchema.safeParse(
      await web.chat.scheduledMessages.list({ limit: PER_PAGE, ...(cursor ? { cursor } : {}) }),
    );
    if (!answer.success) throw new SlackError('unreadable', { outcome: 'not-done' });
    const { scheduled_messages: found, response_metadata: more } = answer.data;
    all.push(
      ...found.map(({ id, channel_id: channelId, post_at: at, text = '' }) => ({
        id,
        channelId,
        postAt: at * 1_000,
        text,
      })),
    );
    cursor = more?.next_cursor;
    if (!cursor) return all;
  }
  return all;
}
