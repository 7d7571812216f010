import { z } from 'zod';
import type { RedisConnection } from '../../platform/redis/connection.ts';
import { createIndexedRecords, type IndexedRecords } from '../../platform/redis/indexed-records.ts';
import { key } from '../../platform/redis/key.ts';
import { PERMISSIONS } from './permissions.ts';

/** A right that somebody lacked, and may ask for. Times are Redis' clock, Unix ms. */
const accessRequestSchema = z.object({
  /** The id of the request that was refused. */
  id: z.string(),
  userId: z.string(),
  permission: z.enum(PERMISSIONS),
  target: z.object({ id: z.string(), name: z.string() }).optional(),
  channelId: z.string(),
  /** The thread that it was asked in. */
  threadTs: z.string().optional(),
  /** The route that was refused, and its words. */
  route: z.string(),
  words: z.array(z.string()),
  at: z.number(),
  /** They have asked for it. */
  askedAt: z.number().optional(),
  answered: z.object({ by: z.string(), how: z.enum(['once', 'for 8 h', 'no']), at: z.number() }).optional(),
});
export type AccessRequest = z.infer<typeof accessRequestSchema>;

export type AccessRequestStore = IndexedRecords<AccessRequest>;

const KEPT_MS = 24 * 3_600_000;

/** Nothing becomes due of them by itself, so they are closed from the beginning, and are kept for a day. */
export function createAccessRequestStore(redis: RedisConnection): AccessRequestStore {
  return createIndexedRecords(redis, {
    keyOf: (id) => key('access', 'request', id),
    index: key('access', 'requests'),
    schema: accessRequestSchema,
    dueAt: () => 'closed',
    keptMs: KEPT_MS,
  });
}
