import { key } from '../../platform/redis/key.ts';

export const outboxKeys = {
  post: (id: string): string => key('post', id),
  /** Ids of messages that are not through yet, by when their next step is due. */
  open: key('posts', 'open'),
  lane: (method: string, channelId: string): string => key('lane', method, channelId),
} as const;
