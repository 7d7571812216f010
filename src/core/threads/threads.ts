import { z } from 'zod';
import type { Fingerprint } from '../instances/fingerprint.ts';
import type { RedisConnection } from '../../platform/redis/connection.ts';
import { loadScript } from '../../platform/redis/script.ts';
import type { Posted } from '../../platform/slack/messenger.ts';
import { threadKeys } from './keys.ts';

/** What the bot's cards in a thread are about, so that "this" can stand for it. */
export interface Threads {
  /** Notes that a card stands which is about these instances, as they were when it was made. Twice is once. */
  note(card: Posted, instances: readonly Fingerprint[]): Promise<void>;
  /**
   * The instances that cards in a thread are about, at most `MAX_ABOUT`, in no order; none where nothing is known of it.
   * `threadTs`: the time stamp of its first message.
   */
  find(channelId: string, threadTs: string): Promise<readonly Fingerprint[]>;
}

/** One more than a refusal names: two are enough to know that it isn't clear which one is meant. */
export const MAX_ABOUT = 6;
/** As long as the record of what a card shows is kept. */
export const ABOUT_KEPT_MS = 7 * 24 * 3_600_000;

/** Put before a script that notes what a card is about with what else it writes. */
export const NOTE_ABOUT = new URL('./note-about.lua', import.meta.url);

const noteAll = loadScript(NOTE_ABOUT, new URL('./note-all.lua', import.meta.url));

const fingerprintSchema: z.ZodType<Fingerprint> = z.object({
  id: z.string(),
  name: z.string(),
  createdAt: z.string().optional(),
});

export function createThreads(redis: RedisConnection): Threads {
  return {
    note: async ({ channelId, ts }, instances) => {
      if (instances.length === 0) return;
      const some = instances.slice(0, MAX_ABOUT).flatMap((one) => [one.id, aboutText(one)]);
      await noteAll(redis, [threadKeys.about(channelId, ts)], [MAX_ABOUT, ABOUT_KEPT_MS, ...some]);
    },
    find: async (channelId, threadTs) => {
      const texts = await redis.hvals(threadKeys.about(channelId, threadTs));
      return texts.map((text) => fingerprintSchema.parse(JSON.parse(text)));
    },
  };
}

/** An instance as it is kept with a thread. */
export function aboutText({ id, name, createdAt }: Fingerprint): string {
  return JSON.stringify({ id, name, createdAt });
}
