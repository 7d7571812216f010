import type { Ask } from '../../core/ask/ask.ts';
import type { Operation } from '../../core/operations/operation.ts';
import { Refusal } from '../../core/refusal.ts';
import type { Route } from '../../core/intake/route.ts';
import { type Ongoing, openOperations, subject } from '../../core/operations/messages.ts';
import type { Operations } from '../../core/operations/operations.ts';
import { say } from '../../platform/slack/phrase.ts';
import type { Bot } from '../../core/bot/bot.ts';

/** `/lamplighter operations`: what is running now, with a way to cancel what can be canceled still. */
export function operationsRoute(
  { operations, access, clock }: Pick<Bot, 'clock' | 'access' | 'operations'>,
  cancelRoute: string,
): Route {
  const seenBy = (ask: Ask): Promise<readonly Operation[]> => openFor({ operations, access }, ask);
  return {
    id: 'lamplighter.operations',
    namesPeople: true,
    verb: 'operations',
    spoken: {
      isFirst: true,
      asks: [
        '(cancel|abort|nevermind|never mind) <that>',
        '(cancel|abort|nevermind|never mind)',
        '(is|are) (anything|something) * <doing>',
        '(what|anything) * (happening|in progress|under way|underway|busy)',
        '(what|which) * (operations|jobs|tasks)',
        'cancel * (restart|stop|start|operation) of',
        '(undo|revert|cancel|abort)',
        '(operations|jobs)',
        '(still|are|is) * (working on|in progress)',
        'what are you doing',
      ],
    },
    permission: 'operations:read',
    writes: false,
    usage: '',
    summary: 'what is running now',
    suggests: async (ask) => {
      const { length: count } = await seenBy(ask);
      const title = count === 0 ? 'Is anything in progress?' : `What is in progress? (${count})`;
      return { title, message: 'operations' };
    },
    handle: async (ask) => {
      const running = await seenBy(ask);
      return openOperations(ongoingOf(operations, running), clock.now(), cancelRoute);
    },
  };
}

/** The operations under way that somebody may see. */
export async function openFor(
  { operations, access }: Pick<Bot, 'access' | 'operations'>,
  { actor, place }: Pick<Ask, 'actor'> & Partial<Pick<Ask, 'place'>>,
): Promise<readonly Operation[]> {
  const open = await operations.listOpen();
  const maySee = await access.which(actor, 'operations:read', place?.channelId);
  // Of one whose button was used only the card is edited once more.
  return open.filter((one) => one.next === undefined && operations.knows(one) && maySee(one.subject));
}

/** The same as others read of them. */
export function ongoingOf(operations: Operations, running: readonly Operation[]): readonly Ongoing[] {
  return running.map((operation) => ({
    operation,
    kind: operations.kindOf(operation),
    link: operations.linkTo(operation),
  }));
}

export const FOLLOW_ROUTE = 'lamplighter.follow';

/** The buttons "Tell me too" and "Keep me posted": who presses it is mentioned at the end as well. */
export function followRoute({ operations, access }: Pick<Bot, 'access' | 'operations'>): Route {
  return {
    id: FOLLOW_ROUTE,
    verb: 'follow',
    permission: 'operations:read',
    writes: false,
    summary: 'be notified of the end of an operation',
    handle: async (ask) => {
      const known = await operations.find(ask.value ?? '');
      const { channelId } = ask.place;
      if (known) await access.require(ask.actor, 'operations:read', known.subject, { channelId });
      const operation = await operations.follow(ask.value ?? '', ask.actor.userId);
      if (!operation) throw await refusal(ask.value ?? '');
      return { lines: [say`I'll mention you when ${subject(operation)} is finished.`] };
    },
  };

  async function refusal(operationId: string): Promise<Refusal> {
    const operation = await operations.find(operationId);
    return operation && !operation.outcome
      ? new Refusal(
          'too-many',
          say`Too many people are following it already, so I can't mention you. Its card shows the progress.`,
        )
      : new Refusal('over', say`That has already ended. Its card shows how.`);
  }
}
