import { key } from '../../platform/redis/key.ts';

export const approvalKeys = {
  approval: (id: string): string => key('approval', id),
  /** Ids of those that are not through yet, by when something is to be done. */
  open: key('approvals', 'open'),
} as const;
