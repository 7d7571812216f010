import { z } from 'zod';
import { key } from '../../../platform/redis/key.ts';

export const farewellKeys = {
  /** Hash: version and record of the farewells of a workspace. */
  record: key('farewell'),
  /** Lease of the process that puts them right. */
  lease: key('farewell', 'lease'),
} as const;

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

export const farewellSchema = z.object({
  /** When all of them were last as they should be; 0 for never. */
  keptAt: z.number(),
  /** In which channels one was kept ahead of the bot then. */
  channelIds: z.array(z.string()),
  /** Those that may be posted some time, or may have been. */
  scheduled: z.array(scheduledSchema),
});
export type FarewellRecord = z.infer<typeof farewellSchema>;

export const NO_FAREWELL: FarewellRecord = { keptAt: 0, channelIds: [], scheduled: [] };
