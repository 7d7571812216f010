import { key } from '../../platform/redis/key.ts';

export const threadKeys = {
  /** Hash of one thread, or of one person outside of threads: which instances the bot's cards and answers are about, by their ids. */
  about: (channelId: string, threadTs: string): string => key('about', channelId, threadTs),
} as const;
