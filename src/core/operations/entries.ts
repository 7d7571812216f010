import type { Entry } from '../audit/entry.ts';
import { tookOf } from './cancel-window.ts';
import type { Operation } from './operation.ts';

/** What the audit keeps of operations, as pure functions. */

/** Whether a step is the one that ends an operation. */
export function isEndedBy(before: Operation, after: Operation): boolean {
  return before.outcome === undefined && after.outcome !== undefined;
}

/** How an operation ended, under the reference under which it was asked. */
export function entryOfEnd(operation: Operation): Entry {
  const { id, kind, actor, place, subject, outcome, canceledBy, approvedBy } = operation;
  return {
    what: 'ended',
    at: outcome?.at ?? 0,
    requestId: id,
    by: canceledBy ?? actor.userId,
    channelId: place.channelId,
    route: kind,
    target: { id: subject.id, name: subject.name },
    approvedBy,
    ...(outcome
      ? {
          result: outcome.result,
          tookMs: tookOf(operation, outcome.at),
          answer: [outcome.code, outcome.said].filter(Boolean).join(': '),
        }
      : {}),
  };
}
