import { z } from 'zod';
import { newId } from '../../platform/id.ts';
import type { RedisConnection } from '../../platform/redis/connection.ts';
import { actorSchema } from '../../platform/slack/ids.ts';
import { DAY_MS } from '../../platform/time/duration.ts';
import { scheduleKeys } from './keys.ts';
import { targetSchema } from './schedule.ts';
import { whenSchema } from './when.ts';

/** What one person was shown before a schedule is saved. */
const draftSchema = z.object({
  owner: actorSchema,
  channelId: z.string(),
  target: targetSchema,
  when: whenSchema,
  /** Redis' clock, Unix ms. */
  expiresAt: z.number(),
});
export type Draft = z.infer<typeof draftSchema>;

export interface DraftStore {
  /** Gives the id: 128 random bits. */
  create(draft: Draft): Promise<string>;
  find(draftId: string): Promise<Draft | undefined>;
  /** Tells whether it was there. */
  discard(draftId: string): Promise<boolean>;
}

/** Longer than it counts, so that a late press is answered with the reason. */
const KEPT_MS = DAY_MS;

export function createDraftStore(redis: RedisConnection): DraftStore {
  return {
    create: async (draft) => {
      const id = newId();
      await redis.set(scheduleKeys.draft(id), JSON.stringify(draft), 'PX', KEPT_MS);
      return id;
    },
    find: async (draftId) => {
      const record = await redis.get(scheduleKeys.draft(draftId));
      return record === null ? undefined : draftSchema.parse(JSON.parse(record));
    },
    discard: async (draftId) => (await redis.del(scheduleKeys.draft(draftId))) === 1,
  };
}
