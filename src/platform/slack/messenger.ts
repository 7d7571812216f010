import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import { SlackError, slackErrorOf } from './errors.ts';
import type { MessageBlock } from './figures.ts';
import type { Form } from './forms.ts';
import { placeOf } from './ids.ts';
import type { Message, Modal } from './message.ts';
import { render } from './render.ts';
import { renderModal } from './modal.ts';

/** Where a message stands or is to stand. */
export interface Address {
  readonly channelId: string;
  readonly threadTs?: string;
}

export interface Posted {
  readonly channelId: string;
  readonly ts: string;
}

/** A stretch of a channel's history, Unix ms, both ends included; `cursor` of a page is where the next one begins. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly cursor?: string;
}

/** Messages out. Every method throws SlackError only. */
export interface Messenger {
  /** Posts once, in a form. `key` marks the message, so that `findOnPage` can tell whether it arrived. */
  post(address: Address, message: Message, key: string, form?: Form): Promise<Posted>;
  update(posted: Posted, message: Message, key: string, form?: Form): Promise<void>;
  /** The messages marked `key` on one page of what stands there; `next`: the cursor of the page after it, if any. */
  findOnPage(
    address: Address,
    key: string,
    stretch: Stretch,
  ): Promise<{ readonly found: readonly Posted[]; readonly next: string | undefined }>;
  /** Takes a message of the bot's own away; one that is gone already is as good. */
  remove(posted: Posted): Promise<void>;
  /** The channel of the bot's direct messages with a person. */
  directChannel(userId: string): Promise<string>;
  /** Opens a modal for the person whose typing or press gave the trigger. `address`: where that was. */
  openModal(triggerId: string, modal: Modal, address: Address): Promise<void>;
  /** A message at `address` that only one person sees. */
  whisper(address: Address, userId: string, message: Message, form?: Form): Promise<void>;
}

/** Metadata can be read by any app or member: an opaque key and nothing else. */
const EVENT_TYPE = 'lamplighter_message';
/** Slack gives fifteen where an app is distributed, whatever it asks for. */
const PER_PAGE = 200;
/** Nothing in a text becomes a link, a mention or a preview by itself. */
export const literal = { parse: 'none', link_names: false } as const;
/** Beside that, no link is unfurled. */
export const quiet = { unfurl_links: false, unfurl_media: false, ...literal } as const;

const ts = z.string().regex(/^\d{1,12}(\.\d{1,9})?$/);
const channelId = z.string().regex(/^[CDG][A-Za-z0-9_]{1,63}$/);
const postedSchema = z.object({ channel: channelId, ts });
const openedSchema = z.object({ channel: z.object({ id: channelId }) });
const messageSchema = z.object({
  ts,
  metadata: z
    .object({ event_payload: z.object({ key: z.string().optional() }).optional() })
    .optional()
    .catch(undefined),
  blocks: z
    .array(z.object({ block_id: z.string().optional() }))
    .optional()
    .catch(undefined),
});
const historySchema = z.object({
  messages: z.array(messageSchema),
  has_more: z.boolean().optional(),
  response_metadata: z.object({ next_cursor: z.string().optional() }).optional(),
});

function bears(message: z.infer<typeof messageSchema>, key: string): boolean {
  return (
    message.metadata?.event_payload?.key === key ||
    (message.blocks?.some((block) => block.block_id === key) ?? false)
  );
}

/** A name may hold signs that format text; beside blocks nobody sees that. */
const unformatted = { mrkdwn: false } as const;

/** What a message says, as fields of a call or of the body of a response_url. */
export function contentOf(
  message: Message,
  key: string | undefined,
  form: Form | undefined,
): { text: string; blocks?: MessageBlock[]; mrkdwn?: false } {
  const { text, blocks } = render(message, key, form);
  return blocks.length > 0 ? { text, blocks } : { text, ...unformatted };
}

export function createMessenger(web: WebClient): Messenger {
  return {
    post: (address, message, key, form) =>
      asSlackError(async () => {
        const answer = await web.chat.postMessage({
          ...target(address),
          ...contentOf(message, key, form),
          ...quiet,
          metadata: { event_type: EVENT_TYPE, event_payload: { key } },
        });
        const posted = postedSchema.safeParse(answer);
        if (!posted.success) throw new SlackError('unreadable', { outcome: 'unknown' });
        return { channelId: posted.data.channel, ts: posted.data.ts };
      }),

    update: (posted, message, key, form) =>
      asSlackError(async () => {
        await web.chat.update({
          channel: posted.channelId,
          ts: posted.ts,
          // Blocks that are left out would stay, so none are named.
          ...render(message, key, form),
          ...(form === 'text' ? unformatted : {}),
          ...literal,
        });
      }),

    findOnPage: (address, key, stretch) => asSlackError(() => findOnPage(web, address, key, stretch)),

    remove: async (posted) => {
      try {
        await asSlackError(() => web.chat.delete({ channel: posted.channelId, ts: posted.ts }));
      } catch (error) {
        if (!(error instanceof SlackError && error.code === 'message_not_found')) throw error;
      }
    },

    directChannel: (userId) =>
      asSlackError(async () => {
        const answer = await web.conversations.open({ users: userId });
        const opened = openedSchema.safeParse(answer);
        if (!opened.success) throw new SlackError('unreadable', { outcome: 'not-done' });
        return opened.data.channel.id;
      }),

    openModal: (triggerId, modal, { channelId: where, threadTs }) =>
      asSlackError(async () => {
        const view = renderModal(modal, placeOf(where, threadTs));
        await web.views.open({ trigger_id: triggerId, view });
      }),

    whisper: (address, userId, message, form) =>
      asSlackError(async () => {
        await web.chat.postEphemeral({
          ...target(address),
          user: userId,
          ...contentOf(message, undefined, form),
          ...literal,
        });
      }),
  };
}

/** Does a call. Throws SlackError only. */
export async function asSlackError<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw slackErrorOf(error);
  }
}

function target({ channelId: channel, threadTs }: Address): { channel: string; thread_ts?: string } {
  return { channel, ...(threadTs ? { thread_ts: threadTs } : {}) };
}

async function findOnPage(
  web: WebClient,
  { channelId: where, threadTs }: Address,
  key: string,
  { from, to, cursor }: Stretch,
): ReturnType<Messenger['findOnPage']> {
  const asked = {
    channel: where,
    oldest: String(from / 1000),
    latest: String(to / 1000),
    inclusive: true,
    include_all_metadata: true,
    limit: PER_PAGE,
    cursor,
  };
  const answer = historySchema.parse(
    threadTs
      ? await web.conversations.replies({ ...asked, ts: threadTs })
      : await web.conversations.history(asked),
  );
  const next = answer.response_metadata?.next_cursor;
  // "More" without a way to it is no proof that it isn't there.
  if (!next && answer.has_more) throw new SlackError('unreadable', { outcome: 'unknown' });
  const marked = answer.messages.filter((one) => bears(one, key));
  return { found: marked.map((one) => ({ channelId: where, ts: one.ts })), next: next || undefined };
}
