import { toStored } from '../../platform/redis/stored.ts';
import { tookOf } from './cancel-window.ts';
import type { PollTimes } from './poll-times.ts';
import type { Operation } from './operation.ts';
import { pastOf } from './recent-store.ts';
import { timesText } from './times.ts';
import type { Entry } from '../audit/entry.ts';

/** What an operation that has ended leaves for those that come after it; each is an empty text where there is none. */
export interface History {
  /** What was done with the instance, or may have been. */
  readonly past: string;
  /** How long it took. */
  readonly times: string;
}

/** What `operation`, which has just ended, leaves. Pure but for what `pollTimes` knows of its kind. */
export function historyOf(operation: Operation, { endedAfter }: Pick<PollTimes, 'endedAfter'>): History {
  const { kind, outcome, execution } = operation;
  const { acceptedAt } = execution;
  const isTimed = outcome?.result === 'done' && outcome.code === 'done';
  const tookMs = isTimed ? Math.round(tookOf(operation, outcome.at)) : undefined;
  const past = pastOf(operation, tookMs);
  const endedAfterMs =
    isTimed && acceptedAt !== undefined ? Math.round(endedAfter(kind, outcome.at - acceptedAt)) : undefined;
  return {
    past: past ? toStored(past) : '',
    times: tookMs === undefined ? '' : timesText({ tookMs, endedAfterMs }),
  };
}

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
