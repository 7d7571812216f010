import { key } from '../../platform/redis/key.ts';

/** Grants and freezes, in one record. */
export const accessKey = key('access');

/** The first admin has been welcomed. */
export const welcomeKey = key('welcome');
