import { z } from 'zod';
import { messageSchema, type Message } from '../../platform/slack/message.ts';
import type { Timings } from '../timings.ts';
import { fingerprintSchema } from '../instances/facts.ts';
import { addresseeSchema, outsideSchema } from './message-source.ts';
import { editable } from './edits.ts';
import {
  lastStep,
  newOutboxMessage,
  nextStep,
  outboxMessageSchema,
  type OutboxStep,
  stepDueAt,
} from './outbox-message.ts';
import type { Ask } from '../ask/ask.ts';
import { isDirect } from '../../platform/slack/ids.ts';

/** A message that stands by itself, as it is written down. Times are Redis' clock, Unix ms. */
export const postSchema = z.object({
  id: z.string(),
  to: z.union([addresseeSchema, outsideSchema]),
  content: messageSchema,
  /** What machines read of it outside of Slack; amounts are decimals. */
  facts: z.record(z.string(), z.string()).optional(),
  /** Since when it is wanted as it is. */
  at: z.number(),
  /** The name of what must hold right before it goes out; nothing for what may always stand there. */
  guard: z.string().optional(),
  message: outboxMessageSchema,
  /** Goes where it is to go or nowhere: nobody gets a direct message in place of the channel. */
  isForPlaceAlone: z.literal(true).optional(),
  /** The instances that its thread is about. */
  about: z.array(fingerprintSchema).optional(),
  /** Who is told where it reached nobody, and what of theirs it is. */
  onDeadLetter: z.object({ handler: z.string(), id: z.string() }).optional(),
  /** The number of the content in the record that it is made from: one of a lower number is older. */
  order: z.number().optional(),
  /** How often its content was changed; what stands in Slack shows one of these. */
  edits: z.number(),
  /** Nothing is left to do. */
  closedAt: z.number().optional(),
});
export type Post = z.infer<typeof postSchema>;

/** What is to be posted. The same `id` twice is one message: the first counts. */
export type NewPost = Pick<
  Post,
  'id' | 'to' | 'content' | 'facts' | 'guard' | 'isForPlaceAlone' | 'about' | 'onDeadLetter' | 'order'
>;
/** Other content for a message that is there. */
export type NewContent = Pick<Post, 'id' | 'content' | 'about' | 'order'>;

/** Whether a message has come to where it was to go. */
export type Standing =
  | { readonly state: 'on its way' }
  | { readonly state: 'stands'; readonly channelId: string; readonly ts: string }
  | { readonly state: 'dead-lettered'; readonly fault: string | undefined };

/** Where a message stands. Pure. */
export function standingOf({ message: { state, channelId, ts, fault }, closedAt }: Post): Standing {
  if (state === 'dead-lettered') return { state: 'dead-lettered', fault };
  if (state === 'sent' && channelId !== undefined && ts !== undefined)
    return { state: 'stands', channelId, ts };
  return closedAt === undefined ? { state: 'on its way' } : { state: 'dead-lettered', fault };
}

/** A message that nobody has sent yet. Pure. */
export function newPost(wanted: NewPost, now: number): Post {
  return { ...wanted, at: now, message: newOutboxMessage(wanted.id, now), edits: 0 };
}

/**
 * The post with other content, which is shown where it stands. Undefined where it shows the same, or that of this `order` or a
 * newer one: who made it was late. Pure.
 */
export function edited(post: Post, { content, about, order }: NewContent, now: number): Post | undefined {
  const isShown =
    order === undefined
      ? JSON.stringify(content) === JSON.stringify(post.content)
      : order <= (post.order ?? 0);
  if (isShown) return undefined;
  const { closedAt: _, ...open } = post;
  // What was wanted long ago is not what is wanted now, and is tried for as long.
  const message = editable(post.message, now);
  return {
    ...open,
    at: now,
    content,
    message,
    edits: post.edits + 1,
    order: order ?? post.order,
    about: about ?? post.about,
  };
}

/** What the post shows, as a key: another key, and it is edited. Pure. */
export function contentKeyOf({ edits }: Post): string {
  return String(edits);
}

/** What is to be done next, and when (Unix ms): a step of its message, or to close it. Pure. */
export function nextOf(
  post: Post,
  timings: Timings,
): { readonly step: OutboxStep | 'close'; readonly dueAt: number } | undefined {
  const { message, closedAt } = post;
  if (closedAt !== undefined) return undefined;
  const contentKey = contentKeyOf(post);
  const step = nextStep(message, contentKey) ?? lastStep(message);
  return step ? { step, dueAt: stepDueAt(message, step, contentKey, timings) } : { step: 'close', dueAt: 0 };
}

/** The post with nothing left to do; undefined where something is, as where it was edited since somebody looked. Pure. */
export function closed(post: Post, now: number, timings: Timings): Post | undefined {
  return nextOf(post, timings)?.step === 'close' ? { ...post, closedAt: now } : undefined;
}

/** The post that may not go out any more; undefined where it has. Pure. */
export function dropped(post: Post, now: number): Post | undefined {
  return post.closedAt === undefined && post.message.state === 'waiting'
    ? { ...post, closedAt: now }
    : undefined;
}

/**
 * What somebody has set for everybody, as a post in the channel in which they did, or nowhere; none for direct messages. Asked
 * again, it is the same post. Pure.
 */
export function saidHere(
  { id, place: { channelId } }: Pick<Ask, 'id' | 'place'>,
  content: Message,
): readonly NewPost[] {
  return isDirect(channelId) ? [] : [{ id: `fact-${id}`, to: { channelId }, content, isForPlaceAlone: true }];
}
