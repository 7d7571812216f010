import { type Fingerprint, fingerprintSchema } from '../instances/fingerprint.ts';
import type { RedisConnection } from '../../platform/redis/connection.ts';
import { commit } from '../records/commit.ts';
import { first, keep, type Write } from '../records/writes.ts';
import type { Posted } from '../../platform/slack/messenger.ts';
import { threadKeys } from './keys.ts';

/** What the bot's cards in a thread are about, so that "this" can stand for it. */
export interface Threads {
  /** Adds a card that stands to its thread, with the instances it is about as they were when it was made. Twice is once. */
  add(card: Posted, instances: readonly Fingerprint[]): Promise<void>;
  /**
   * The instances that cards in a thread are about, at most `MAX_ABOUT`, in no order; none where nothing is known of it.
   * `threadTs`: the time stamp of its first message.
   */
  find(channelId: string, threadTs: string): Promise<readonly Fingerprint[]>;
}

/** One more than a refusal names: two are enough to know that it isn't clear which one is meant. */
const MAX_ABOUT = 6;
/** As long as the record of what a card shows is kept. */
const ABOUT_KEPT_MS = 7 * 24 * 3_600_000;

export function createThreads(redis: RedisConnection): Threads {
  return {
    add: async ({ channelId, ts }, instances) => {
      if (instances.length === 0) return;
      const write = instances.slice(0, MAX_ABOUT).flatMap((one) => aboutWrites(channelId, ts, one));
      await commit(redis, { write });
    },
    find: async (channelId, threadTs) => {
      const texts = await redis.hvals(threadKeys.about(channelId, threadTs));
      return texts.map((text) => fingerprintSchema.parse(JSON.parse(text)));
    },
  };
}

/** A thread has a card that is about an instance. What was written first of an instance stays. */
export function aboutWrites(
  channelId: string,
  threadTs: string,
  { id, name, createdAt }: Fingerprint,
): readonly Write[] {
  const thread = threadKeys.about(channelId, threadTs);
  return [first(thread, id, JSON.stringify({ id, name, createdAt }), MAX_ABOUT), keep(thread, ABOUT_KEPT_MS)];
}
