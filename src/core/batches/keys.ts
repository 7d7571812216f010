import { key } from '../../platform/redis/key.ts';

export const batchKeys = {
  /** Hash of one batch: version and record. */
  batch: (batchId: string): string => key('batch', batchId),
  /** Sorted set: batch id by the time at which somebody else is to go on with it. */
  open: key('batches', 'open'),
} as const;
