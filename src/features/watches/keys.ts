import { key } from '../../platform/redis/key.ts';

export const watchKeys = {
  /** Hash: version and record of a watch, and what it saw last. */
  watch: (id: string): string => key('watch', id),
  /** Sorted set: id of a watch by when it has something to do next. */
  open: key('watches', 'open'),
  /** Hash: version and record of the channels that may hear of instances. */
  places: key('watch-places'),
} as const;
