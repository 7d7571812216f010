import { key } from '../../platform/redis/key.ts';

/** The filters that were given a name. */
export const favoritesKey = key('favorites');
