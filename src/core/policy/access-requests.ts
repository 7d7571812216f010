import { z } from 'zod';
import type { RecordKind, Records } from '../records/records.ts';
import { key } from '../../platform/redis/key.ts';
import { phraseSchema } from '../../platform/slack/phrase.ts';
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
  /** The route that was refused, its words, and what was pressed or picked. */
  route: z.string(),
  words: z.array(z.string()),
  value: z.string().optional(),
  picked: z.string().optional(),
  at: z.number(),
  /** They have asked for it. */
  asked: z
    .object({
      at: z.number(),
      /** The id of the press. */
      press: z.string(),
      /** Ids of the people who were asked. */
      of: z.array(z.string()),
      /** "restart web-1 (101)". */
      what: phraseSchema,
      because: z.string().optional(),
      /** What it is asked with besides the instance. */
      args: z.record(z.string(), z.unknown()).optional(),
      /** Its words name no one instance, so there is nothing that could be allowed. */
      isUnclear: z.literal(true).optional(),
      /** What it begins asks for the right again, so that once is worth nothing. */
      outlastsOnce: z.literal(true).optional(),
    })
    .optional(),
  answered: z
    .object({
      by: z.string(),
      how: z.enum(['once', 'for 8 h', 'no']),
      at: z.number(),
      /** The id of the press. */
      press: z.string().optional(),
    })
    .optional(),
});
export type AccessRequest = z.infer<typeof accessRequestSchema>;

export type AccessRequestStore = Records<AccessRequest>;

/** Which of somebody's requests for one right was asked last, and by which press. */
const lastAskSchema = z.object({ requestId: z.string(), press: z.string(), at: z.number() });
type LastAsk = z.infer<typeof lastAskSchema>;

/** All that wait for an answer. */
export async function listWaiting(
  store: Pick<AccessRequestStore, 'listOpen'>,
): Promise<readonly AccessRequest[]> {
  return (await store.listOpen()).filter(({ asked, answered }) => asked && !answered);
}

const KEPT_MS = 24 * 3_600_000;

/** Nothing becomes due of them by itself, and they are kept for a day. Those that wait for an answer are filed, to be found by it. */
export const ACCESS_REQUESTS: RecordKind<AccessRequest> = {
  keyOf: (id) => key('access', 'request', id),
  index: key('access', 'requests'),
  schema: accessRequestSchema,
  dueAt: ({ asked, answered }) => (asked && !answered ? asked.at + KEPT_MS : 'closed'),
  keptMs: KEPT_MS,
};

/** By who asks for what, so that there is one at a time. Kept as long as the requests. */
export const LAST_ASKS: RecordKind<LastAsk> = {
  keyOf: (id) => key('access', 'asked', id),
  index: key('access', 'asks'),
  schema: lastAskSchema,
  dueAt: () => 'closed',
  keptMs: KEPT_MS,
};
