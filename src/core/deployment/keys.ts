import { key } from '../../platform/redis/key.ts';

export const deploymentKeys = {
  /** Whose state this is. */
  owner: key('owner'),
} as const;
