import { isRefusal, type SlackError, slackErrorOf } from '../../platform/slack/errors.ts';
import type { Addressee, DeliverDeps } from './message-source.ts';
import { type Instead, type Moment, type OutboxMessage, putOff, sentInstead } from './outbox-message.ts';

/** A message as far as it is known who is to get it. */
interface Sent {
  readonly of: Readonly<Record<string, string>>;
  readonly to: Addressee;
  /** When it was wanted, Unix ms. */
  readonly since: number;
  readonly message: OutboxMessage;
  /** Who gets it in place of a person who can't be reached, one after another. */
  readonly fallbacks: readonly Addressee[];
}

/**
 * The channel in which an addressee is reached, or the next one where Slack refuses them: a person who has left, or takes
 * no messages. Undefined where nobody can be reached just now: then `change` has put the message off, or dead-lettered it
 * where nobody ever can be.
 */
export async function channelOf(
  deps: DeliverDeps,
  { of, to, since, message, fallbacks }: Sent,
  change: (move: (message: OutboxMessage) => OutboxMessage) => Promise<unknown>,
): Promise<string | undefined> {
  if (message.fallback !== undefined) return message.fallback;
  if ('channelId' in to) return to.channelId;
  const { messenger, clock, timings, log } = deps;
  let fault: SlackError;
  try {
    return await messenger.directChannel(to.userId);
  } catch (error) {
    fault = slackErrorOf(error);
    log.warn({ ...of, code: fault.code }, 'opening direct messages');
  }
  const next = isRefusal(fault) ? await firstReached(deps, of, fallbacks, 0, fault) : fault;
  if ('channelId' in next) {
    await change((now) => sentInstead(now, next));
    return next.channelId;
  }
  const moment: Moment = { now: clock.now(), since, timings };
  if (putOff(message, next, moment).state === 'dead-lettered') reportDeadLetter(deps, of, next.code);
  await change((now) => putOff(now, next, moment));
  return undefined;
}

/**
 * The first of those who can be reached, from one on. Else what stands in the way: `fault`, unless one of them may be
 * reached later.
 */
export async function firstReached(
  { messenger, log }: Pick<DeliverDeps, 'messenger' | 'log'>,
  of: Readonly<Record<string, string>>,
  fallbacks: readonly Addressee[],
  from: number,
  fault: SlackError,
): Promise<Instead | SlackError> {
  let last = fault;
  for (const [index, one] of fallbacks.entries()) {
    if (index < from) continue;
    try {
      const channelId = 'channelId' in one ? one.channelId : await messenger.directChannel(one.userId);
      log.warn({ ...of, code: fault.code }, 'posting elsewhere instead');
      return { channelId, passedOver: index + 1 };
    } catch (error) {
      const direct = slackErrorOf(error);
      log.warn({ ...of, code: direct.code, outcome: direct.outcome }, 'opening direct messages');
      // What stands in the way of this message is what refused it first, unless direct messages may open later.
      if (!direct.dead) last = direct;
    }
  }
  return last;
}

/** A message has reached nobody: only who runs the bot can see that. */
export function reportDeadLetter(
  { log, metrics }: Pick<DeliverDeps, 'log' | 'metrics'>,
  of: Readonly<Record<string, string>>,
  code: string | undefined,
): void {
  log.error({ ...of, code }, 'a message reached nobody, and is given up');
  metrics.messageDeadLettered();
}
