const PREFIX = 'lamplighter';

/** Every key the bot uses, each made by a function. BullMQ's own keys stand under `queue`. */
export const keys = {
  /** Prefix that BullMQ puts before its own keys. */
  queue: `${PREFIX}:queue`,
  /** One signed delivery or event that has been seen; holds a request id. */
  delivery: (deliveryId: string): string => `${PREFIX}:delivery:${deliveryId}`,
  /** What a person asked for, until it has been answered or begun. */
  request: (requestId: string): string => `${PREFIX}:request:${requestId}`,
  /** What a request is answered with, until that has been told. */
  reply: (requestId: string): string => `${PREFIX}:reply:${requestId}`,
  /** Sorted set: request id by the time it was written down. */
  openRequests: `${PREFIX}:requests:open`,
  /** Hash of one operation: version and record. */
  operation: (operationId: string): string => `${PREFIX}:operation:${operationId}`,
  /** Sorted set: operation id by the time its next step is due. */
  openOperations: `${PREFIX}:operations:open`,
  /** Sorted set: operation id by the time its instance is to be looked at. */
  watchedOperations: `${PREFIX}:operations:watched`,
  /** The one operation in flight for an instance, or for a type of add-on on it. */
  guard: (guard: string): string => `${PREFIX}:guard:${guard}`,
  /** What a button stands for. */
  offer: (offerId: string): string => `${PREFIX}:offer:${offerId}`,
  /** What a person was asked to confirm. */
  confirmation: (confirmationId: string): string => `${PREFIX}:confirmation:${confirmationId}`,
  /** The words that a pick is to complete. */
  keptWords: (id: string): string => `${PREFIX}:words:${id}`,
  /** What was done with an instance lately, newest first. */
  past: (instanceId: string): string => `${PREFIX}:past:${instanceId}`,
  /** How long past operations of a kind took, newest first, in ms. */
  durations: (kind: string): string => `${PREFIX}:durations:${kind}`,
  /** Hash: version and record of what is known and told of the balance. */
  alarm: `${PREFIX}:alarm`,
  /** Hash: version and record of the digest that is sent again and again. */
  digest: `${PREFIX}:digest`,
  /** Hash: version and record of the files that are being read for people. */
  exports: `${PREFIX}:exports`,
  /** Which memory this is: another mark, or none, is another or an empty Redis. */
  memory: `${PREFIX}:memory`,
  /** Who tells the admins that the memory before this one is gone. */
  memoryTold: (mark: string): string => `${PREFIX}:memory:${mark}:told`,
  /** Written and deleted at the start, to see whether that is allowed. */
  probe: `${PREFIX}:probe`,
  /** Prefix of the calls counted against one API key. */
  budget: `${PREFIX}:budget`,
  /** The same of those that one kind of reading behind everybody's back made. */
  budgetOf: (kind: 'bulk' | 'background'): string => `${PREFIX}:budget:${kind}`,
} as const;
