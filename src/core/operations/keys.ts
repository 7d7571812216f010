import { key } from '../../platform/redis/key.ts';
import type { SlackPlace } from '../../platform/slack/ids.ts';

export const operationKeys = {
  /** Hash of one operation: version and record. */
  operation: (operationId: string): string => key('operation', operationId),
  /** Sorted set: operation id by the time its next step is due. */
  open: key('operations', 'open'),
  /** Sorted set: operation id by the time of its next poll. */
  polled: key('operations', 'polled'),
  /** The lease of the process that polls all of them. */
  poller: key('operations', 'poller'),
  /** The one operation in flight for an instance, or for a type of add-on on it. */
  lock: (lock: string): string => key('lock', lock),
  /** Sorted set: open operations of a place with a card of their own, by when they got it. */
  cards: ({ channelId, threadTs }: SlackPlace): string => key('cards', channelId, threadTs ?? ''),
  /** What was done with an instance, newest first. */
  past: (instanceId: string): string => key('past', instanceId),
  /** How long past operations of a kind took, newest first. */
  times: (kind: string): string => key('times', kind),
} as const;
