import { key } from '../../platform/redis/key.ts';

export const stepKeys = {
  /** Hash of one step of a workflow: version and record. */
  step: (id: string): string => key('step', id),
  /** Sorted set: steps that are not through, by when something is to be done. */
  open: key('steps', 'open'),
} as const;
