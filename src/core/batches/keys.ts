import { key } from '../../platform/redis/key.ts';
import type { FollowUp } from './batch.ts';

export const batchKeys = {
  /** Hash of one batch: version and record. */
  batch: (batchId: string): string => key('batch', batchId),
  /** Sorted set: batch id by the time at which somebody else is to go on with it. */
  open: key('batches', 'open'),
  /** What one person was shown before a batch. */
  preview: (previewId: string): string => key('preview', previewId),
  /** By which batch this was asked for after another one: its failed instances again, or those that it did not begin. */
  after: (what: OnceAfter, batchId: string): string => key(what, batchId),
} as const;

/** What can be asked for once after a batch. */
export type OnceAfter = Exclude<FollowUp, 'again'>;
