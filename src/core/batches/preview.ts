import { z } from 'zod';
import { newId } from '../../platform/id.ts';
import type { RedisConnection } from '../../platform/redis/connection.ts';
import { actorSchema, placeSchema } from '../../platform/slack/ids.ts';
import { phraseSchema } from '../../platform/slack/phrase.ts';
import { FOLLOW_UPS, shownSchema } from './batch.ts';
import { figuresSchema } from './figures.ts';
import { batchKeys } from './keys.ts';

/** What a person was shown before several instances are changed: the exact ones, and those that are left out. */
const previewSchema = z.object({
  /** The route by which it is confirmed. */
  routeId: z.string(),
  /** The only person who may. */
  actor: actorSchema,
  place: placeSchema,
  /**
   * What it was asked by: words; the ids of instances that failed before, or were picked; or instances as they were when
   * somebody saw them, of which no other may take the place.
   */
  asked: z.union([
    z.object({ words: z.array(z.string()) }),
    z.object({ ids: z.array(z.string()) }),
    z.object({
      those: z.array(z.object({ id: z.string(), name: z.string(), createdAt: z.string().optional() })),
      /** Set where one that runs and is healthy by now no longer needs it. */
      isForTrouble: z.literal(true).optional(),
    }),
  ]),
  chosen: z.array(shownSchema),
  /** Left out, each with the reason: "is stopped already". */
  skipped: z.array(z.object({ id: z.string(), name: z.string(), why: phraseSchema })),
  /** What is said besides, such as what it saves. */
  notes: z.array(phraseSchema),
  atOnce: z.number(),
  because: z.string().optional(),
  override: z.string().optional(),
  /** The batch after which these are asked for, and what of it they are. */
  follows: z.object({ what: z.enum(FOLLOW_UPS), batchId: z.string() }).optional(),
  /** Set where it is to save money. */
  figures: figuresSchema.optional(),
  /** Redis' clock, Unix ms. */
  expiresAt: z.number(),
});
export type Preview = z.infer<typeof previewSchema>;

/** Records behind previews. Beginning a batch uses one up, in the commit that begins it. */
export interface PreviewStore {
  /** Gives the id: 128 random bits. */
  create(preview: Preview): Promise<string>;
  /** Undefined when it never was, or was long ago. `usedBy`: the batch that was begun by it. */
  find(previewId: string): Promise<{ readonly preview: Preview; readonly usedBy?: string } | undefined>;
}

/** Longer than it counts, so that a late press is answered with the reason. */
const KEPT_MS = 24 * 3_600_000;

export function createPreviewStore(redis: RedisConnection): PreviewStore {
  return {
    create: async (preview) => {
      const id = newId();
      const key = batchKeys.preview(id);
      await redis.multi().hset(key, 'record', JSON.stringify(preview)).pexpire(key, KEPT_MS).exec();
      return id;
    },
    find: async (previewId) => {
      const [record, usedBy] = await redis.hmget(batchKeys.preview(previewId), 'record', 'usedBy');
      if (typeof record !== 'string') return undefined;
      const preview = previewSchema.parse(JSON.parse(record));
      return typeof usedBy === 'string' ? { preview, usedBy } : { preview };
    },
  };
}
