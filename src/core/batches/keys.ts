import { key } from '../../platform/redis/key.ts';

export const batchKeys = {
  /** Hash of one batch: version and record. */
  batch: (batchId: string): string => key('batch', batchId),
  /** Sorted set: batch id by the time at which somebody else is to go on with it. */
  open: key('batches', 'open'),
  /** What one person was shown before a batch. */
  preview: (previewId: string): string => key('preview', previewId),
  /** By which batch the failed instances of this one were asked for again. */
  retry: (batchId: string): string => key('retry', batchId),
} as const;
