import { z } from 'zod';
import type { OneKind } from '../../records/one-record.ts';
import { key } from '../../../platform/redis/key.ts';
import type { Phrase } from '../../../platform/slack/phrase.ts';
import type { Outbox } from '../../outbox/outbox.ts';

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

/** What nobody would see any more of one account if every process fell silent now. */
export interface LastWords {
  /** Undefined where there is only one. */
  readonly account: string | undefined;
  /** Where its alerts go; undefined where that is no channel, or nowhere. */
  readonly channelId: string | undefined;
  /** Whether its money has been looked at in time, so that the bot does what it is there for. */
  readonly isWatched: boolean;
  /** What is watched, in half a sentence: "the balance". */
  readonly what: string;
  /** What was read last. */
  readonly figures: readonly Phrase[];
  /** What has not ended: an alert, an operation. */
  readonly open: readonly Phrase[];
}

/** An account that the bot runs, as far as it has to say something before it falls silent, and after. */
export interface Speaker {
  /** Undefined where nobody looks at its money from time to time. Throws what its stores throw. */
  readonly lastWords: () => Promise<LastWords | undefined>;
  readonly outbox: Pick<Outbox, 'post'>;
}
