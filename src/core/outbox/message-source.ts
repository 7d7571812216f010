import { type SlackError, slackErrorOf } from '../../platform/slack/errors.ts';
import type { Message } from '../../platform/slack/message.ts';
import type { Address } from '../../platform/slack/messenger.ts';
import type { Metrics } from '../../platform/metrics/metrics.ts';
import type { Lane, Lanes } from './lanes.ts';
import type { Survival } from '../records/commit.ts';
import type { Moment, OutboxMessage } from './outbox-message.ts';
import type { Base } from '../base.ts';
import { hash } from 'node:crypto';
import { render } from '../../platform/slack/render.ts';
import { z } from 'zod';

/** What a message shows, as a short hash: equal hashes need no edit. */
export function contentHash(message: Message): string {
  return hashOf(render(message));
}

/** A short hash of anything that JSON can hold. */
export function hashOf(value: unknown): string {
  return hash('sha256', JSON.stringify(value), 'base64url').slice(0, 22);
}

export const slackId = z.string().regex(/^[A-Z][A-Za-z0-9_]{1,63}$/);
/**
 * A channel or a thread in it, or a person whose direct messages are meant. `underPost`: in the thread of the message of that id,
 * once it stands, or where it never does, in the direct messages of `orUserId`; without that, nowhere.
 */
export const addresseeSchema = z.union([
  z.object({
    channelId: slackId,
    threadTs: z.string().optional(),
    underPost: z.string().optional(),
    orUserId: slackId.optional(),
  }),
  z.object({ userId: slackId }),
]);
export type Addressee = z.infer<typeof addresseeSchema>;

/** A place outside of Slack, which the configuration names. */
export const outsideSchema = z.object({ outside: z.enum(['webhook', 'mail']) });
export type Outside = z.infer<typeof outsideSchema>;

/** What takes a message to Slack is built with: one that stands by itself, an operation's, a board's. */
export interface DeliverDeps extends Pick<Base, 'clock' | 'timings' | 'log' | 'messenger'> {
  readonly lanes: Lanes;
  readonly metrics: Pick<Metrics, 'messageDeadLettered' | 'messagePosted'>;
}

/** One message of a record `R`: where the record keeps it, what it says, where it goes. */
export interface MessageSource<R> {
  /** For the log: whose message it is and what it is called. */
  readonly of: Readonly<Record<string, string>>;
  readonly name: string;
  messageOf(record: R): OutboxMessage;
  contentOf(record: R): Message;
  /** What the message shows, as a key: another key, and it is edited. */
  contentKeyOf(record: R): string;
  addressOf(record: R): Address;
  /** Since when it has been wanted, Unix ms. */
  sinceOf(record: R): number;
  /** Who gets it where it can't be posted to where it was to go, one after another. */
  fallbacksOf(record: R): readonly Addressee[];
  /** Whether it is better seen twice than never. */
  readonly isBetterTwice: boolean;
  /** Whether an edit would show what is better shown later, by what is known once it is written down. */
  isToWait?(record: R): boolean;
  /** Whether an edit would show an end, or something else that people wait for; true where nothing is said. */
  isAwaited?(record: R): boolean;
  /**
   * Moves the message in the record, wherever that is by now. Gives the record then; undefined where `move` did not apply. Throws
   * NotReplicated where it is to survive and that is not certain.
   */
  change(move: MoveIn<R>, beside?: Survival): Promise<R | undefined>;
}

/** Moves a message of a record `R`; undefined where it does not apply. */
type MoveIn<R> = (message: OutboxMessage, record: R) => OutboxMessage | undefined;

/** What went wrong at Slack, which the log hears of. */
export function deliveryFaultOf(
  deps: DeliverDeps,
  source: Pick<MessageSource<unknown>, 'of'>,
  doing: string,
  error: unknown,
): SlackError {
  const { log } = deps;
  const fault = slackErrorOf(error);
  log.warn({ ...source.of, code: fault.code, outcome: fault.outcome }, doing);
  return fault;
}

/** The moment of a move that is made now. */
export function momentOf<R>(deps: DeliverDeps, source: MessageSource<R>, record: R): Moment {
  const { clock, timings } = deps;
  return {
    now: clock.now(),
    since: source.sinceOf(record),
    timings,
  };
}

/** What was refused for its limit holds up all that is to go the same way. */
export async function holdUp(
  deps: DeliverDeps,
  lane: Lane,
  { code, retryAfterMs }: SlackError,
): Promise<void> {
  const { lanes } = deps;
  if (code === 'ratelimited' && retryAfterMs !== undefined) await lanes.pause(lane, retryAfterMs);
}

/** The lane in which its posts or its edits go. */
export function laneOf<R>(source: MessageSource<R>, record: R, method: Lane['method']): Lane {
  if (method === 'post') return { method, channelId: source.addressOf(record).channelId };
  const { yieldsSince } = source.messageOf(record);
  return {
    method,
    isProgress: source.isAwaited?.(record) === false,
    yieldsSince,
  };
}
