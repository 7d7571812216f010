import { Refusal } from '../errors.ts';
import type { Route } from '../feature.ts';
import { openOperations, subject } from '../operations/messages.ts';
import type { Operations } from '../operations/operations.ts';
import { isRedisAway } from '../redis/away.ts';
import { say } from '../slack/phrase.ts';

/** `/lamplighter operations`: what is running now. */
export function operationsRoute(operations: Operations): Route {
  return {
    id: 'lamplighter.operations',
    verb: 'operations',
    synonyms: ['running', 'jobs', 'ops'],
    permission: 'operations:read',
    writes: false,
    usage: '',
    summary: 'what is running now',
    handle: async () => {
      const open = await operations.listOpen().catch((error: unknown) => {
        if (!isRedisAway(error)) throw error;
        throw new Refusal('no-database', say`I can't reach my database right now. Try again in a minute.`);
      });
      return openOperations(open.map((operation) => ({ operation, kind: operations.kindOf(operation) })));
    },
  };
}

export const FOLLOW_ROUTE = 'lamplighter.follow';

/** The button "Tell me too": whoever presses it is mentioned at the end as well. */
export function followRoute(operations: Operations): Route {
  return {
    id: FOLLOW_ROUTE,
    verb: 'follow',
    permission: 'operations:read',
    writes: false,
    summary: 'be told of the end of an operation',
    handle: async (ask) => {
      const operation = await operations.follow(ask.value ?? '', ask.actor.userId);
      if (!operation) throw new Refusal('over', say`That has ended already; its card shows how.`);
      return { lines: [say`I'll mention you when ${subject(operation)} is through.`] };
    },
  };
}
