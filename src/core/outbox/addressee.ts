import { z } from 'zod';
import { type SlackError, slackErrorOf } from '../../platform/slack/errors.ts';
import type { DeliverDeps } from './message-source.ts';
import { type Moment, type OutboxMessage, putOff } from './outbox-message.ts';

export const slackId = z.string().regex(/^[A-Z][A-Za-z0-9_]{1,63}$/);
/** A channel or a thread in it, or a person whose direct messages are meant. */
export const addresseeSchema = z.union([
  z.object({ channelId: slackId, threadTs: z.string().exactOptional() }),
  z.object({ userId: slackId }),
]);
export type Addressee = z.infer<typeof addresseeSchema>;

/**
 * The channel in which an addressee is reached. Undefined where a person can't be reached just now: then `change` has put
 * the message off, or dead-lettered it where it never can be. `since`: when it was wanted, Unix ms.
 */
export async function channelOf(
  { messenger, clock, timings, log }: DeliverDeps,
  {
    of,
    to,
    since,
  }: { readonly of: Readonly<Record<string, string>>; readonly to: Addressee; readonly since: number },
  change: (move: (message: OutboxMessage) => OutboxMessage) => Promise<unknown>,
): Promise<string | undefined> {
  if ('channelId' in to) return to.channelId;
  try {
    return await messenger.directChannel(to.userId);
  } catch (error) {
    const fault: SlackError = slackErrorOf(error);
    log.warn({ ...of, code: fault.code }, 'opening direct messages');
    const moment: Moment = { now: clock.now(), since, timings };
    await change((message) => putOff(message, fault, moment));
    return undefined;
  }
}
