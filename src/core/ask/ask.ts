import { z } from 'zod';
import { actorSchema, placeSchema } from '../../platform/slack/ids.ts';
import type { Message } from '../../platform/slack/message.ts';
import { key } from '../../platform/redis/key.ts';

/** What a person asked: which route, in which words or by which button. */
export const askSchema = z.object({
  id: z.string().regex(/^[A-Za-z0-9_-]{22}$/),
  route: z.string(),
  /** The words after the verb, un-mangled and split. */
  words: z.array(z.string()),
  /** The same words to the letter, where one of them was cleaned of a full stop or of marks around it. */
  letters: z.array(z.string()).optional(),
  /** The whole line as it was typed, from which it was read. */
  line: z.string().max(3_000).optional(),
  /** Whether `words` came without a verb, so that the first of them may be meant as one. */
  isVerbless: z.literal(true).optional(),
  /** The instance that "this" stands for among the words, as the card of the thread showed it; its id stands there instead. */
  meant: z.object({ id: z.string(), name: z.string(), createdAt: z.string().optional() }).optional(),
  /** What the message says that a shortcut was used on, without Slack's marks. */
  text: z.string().max(3_000).optional(),
  /** The id that was picked in the route's picker. */
  picked: z.string().max(150).optional(),
  /** What was picked beside the pressed button, in a select of several. */
  selected: z.array(z.string().max(150)).max(100).optional(),
  /** What the picker was shown with, once the pick is complete: a place in a list. */
  pickedIn: z.string().max(255).optional(),
  /** What a button or a modal carried: an opaque id, routing data and never authority. */
  value: z.string().max(2000).optional(),
  /** What was typed into the field of the route's modal. */
  typed: z.string().max(3000).optional(),
  /** What was filled into the fields of the route's form, by their names: what was typed or picked, nothing where it was left empty. */
  filled: z.record(z.string(), z.array(z.string().max(3000)).max(100)).optional(),
  /** Whether it was pressed in the app's Home, which shows what came of it. */
  inHome: z.literal(true).optional(),
  /** With it Slack opens a modal, once and for three seconds. */
  triggerId: z.string().max(300).optional(),
  actor: actorSchema,
  place: placeSchema,
  /** Where a private answer goes; without it, an ephemeral message at `place`. */
  responseUrl: z.string().max(2000).optional(),
  /** Whether a private answer takes the place of the private message whose element was pressed. */
  replaces: z.boolean(),
  /** When it reached us, Redis' clock, Unix ms. */
  askedAt: z.number(),
  /** Redis' clock, Unix ms: it waits for a call to the hosting service, and is tried again then. */
  queuedUntil: z.number().optional(),
  /** When it was typed or pressed, by Slack's clock, where Slack says that. */
  sentAt: z.number().optional(),
});
export type Ask = z.infer<typeof askSchema>;

/** What a handler answers: a message for the person alone, or nothing when a card in the channel says it. */
export type Reply = Message | undefined;

/** What a change takes besides its instance, as its own declaration reads it. */
export const argsSchema = z.record(z.string(), z.unknown());

/** How long what stands of one request is kept. */
export const REQUEST_KEPT_MS = 3_600_000;

export const requestKeys = {
  /** What a person asked for, until it has been answered or begun. */
  request: (requestId: string): string => key('request', requestId),
  /** Sorted set: request id by the time it was written down. */
  open: key('requests', 'open'),
  /** That a run has taken a request up, which may have carried it out; a mark of the last one, or of what came of it. */
  taken: (requestId: string): string => key('taken', requestId),
} as const;
