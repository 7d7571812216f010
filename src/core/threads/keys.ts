import { key } from '../../platform/redis/key.ts';

export const threadKeys = {
  /** Hash of one thread: which instances the bot's cards in it are about, by their ids. */
  about: (channelId: string, threadTs: string): string => key('about', channelId, threadTs),
} as const;
