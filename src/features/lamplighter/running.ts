import { Refusal } from '../../core/refusal.ts';
import type { Route } from '../../core/routing/route.ts';
import { openOperations, subject } from '../../core/operations/messages.ts';
import type { Operations } from '../../core/operations/operations.ts';
import type { RedisClock } from '../../platform/redis/clock.ts';
import { say } from '../../platform/slack/phrase.ts';

/** `/lamplighter operations`: what is running now, with a way to cancel what can be cancelled still. */
export function operationsRoute(
  operations: Operations,
  clock: Pick<RedisClock, 'now'>,
  cancelRoute: string,
): Route {
  return {
    id: 'lamplighter.operations',
    verb: 'operations',
    synonyms: ['running', 'jobs', 'ops'],
    permission: 'operations:read',
    writes: false,
    usage: '',
    summary: 'what is running now',
    handle: async () => {
      const open = await operations.listOpen();
      // Of one whose button was used only the card is edited once more.
      const running = open.filter((operation) => operation.next === undefined && operations.knows(operation));
      return openOperations(
        running.map((operation) => ({
          operation,
          kind: operations.kindOf(operation),
          link: operations.linkTo(operation),
        })),
        clock.now(),
        cancelRoute,
      );
    },
  };
}

export const FOLLOW_ROUTE = 'lamplighter.follow';

/** The button "Tell me too": who presses it is mentioned at the end as well. */
export function followRoute(operations: Operations): Route {
  return {
    id: FOLLOW_ROUTE,
    verb: 'follow',
    permission: 'operations:read',
    writes: false,
    summary: 'be notified of the end of an operation',
    handle: async (ask) => {
      const operation = await operations.follow(ask.value ?? '', ask.actor.userId);
      if (!operation) throw await refusal(ask.value ?? '');
      return { lines: [say`I'll mention you when ${subject(operation)} is through.`] };
    },
  };

  async function refusal(operationId: string): Promise<Refusal> {
    const operation = await operations.find(operationId);
    return operation && !operation.outcome
      ? new Refusal(
          'too-many',
          say`So many people follow it already that I can't mention you; its card shows the progress.`,
        )
      : new Refusal('over', say`That has ended already; its card shows how.`);
  }
}
