import { z } from 'zod';
import type { OneKind } from '../../records/one-record.ts';
import { key } from '../../../platform/redis/key.ts';

/** Lease of the process that puts them right. */
export const FAREWELL_LEASE = key('farewell', 'lease');

/** One that was scheduled, or may have been: written down before Slack is asked. Times are Slack's clock, Unix ms. */
const scheduledSchema = z.object({
  channelId: z.string(),
  /** By which it is found in the history. */
  key: z.string(),
  postAt: z.number(),
  /** Since when it says that the bot has been silent. */
  since: z.number(),
  /** It was posted, and below it the bot has said that it is back. */
  isTold: z.literal(true).optional(),
});
export type Scheduled = z.infer<typeof scheduledSchema>;

const farewellSchema = z.object({
  /** When all of them were last as they should be; 0 for never. */
  keptAt: z.number(),
  /** In which channels one was kept ahead of the bot then. */
  channelIds: z.array(z.string()),
  /** Those that may be posted some time, or may have been. */
  scheduled: z.array(scheduledSchema),
});
export type FarewellRecord = z.infer<typeof farewellSchema>;

/** The farewells of a workspace. */
export const FAREWELL: OneKind<FarewellRecord> = {
  key: key('farewell'),
  schema: farewellSchema,
  none: { keptAt: 0, channelIds: [], scheduled: [] },
};
