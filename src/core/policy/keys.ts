import { key } from '../../platform/redis/key.ts';

/** Grants and freezes, in one record. */
export const accessKey = key('access');
