import { z } from 'zod';
import { entryAt, newestBefore, readMark } from '../audit/audit-reader.ts';
import { signedLine } from '../audit/head.ts';
import { auditKeys } from '../audit/keys.ts';
import { createOneRecord } from '../records/one-record.ts';
import type { Outbox } from '../outbox/outbox.ts';
import type { RedisConnection } from '../../platform/redis/connection.ts';
import { DAY_MS } from '../../platform/time/duration.ts';
import { auditHeadMessage } from './messages.ts';

const markSchema = z.object({
  /** Its id in the stream; none where nothing was written yet, or what was is no longer kept. */
  id: z.string().optional(),
  seq: z.int(),
  hash: z.string(),
});
type Marked = z.infer<typeof markSchema>;

/** Up to which midnight (Unix ms) the audit was told of, and how it ended then; nothing where it never was. */
const toldSchema = z.object({ until: z.number(), last: markSchema }).partial();

/**
 * Posts once a day, signed, how the audit ended with that day in UTC, so that it can be told later whether what Redis has leads to it
 * still. Days on which nothing ran are told of together. Whichever process comes first does it.
 */
export function createTellAuditHead(deps: {
  readonly redis: RedisConnection;
  readonly outbox: Pick<Outbox, 'saying'>;
  /** Redis' own clock, Unix ms. */
  readonly now: () => number;
  readonly channelId: string;
  /** How long entries are kept. */
  readonly keepMs: number;
  readonly signingKey: string;
  /** Names of the workspace and the account; empty where there is only one. */
  readonly of: readonly string[];
}): () => Promise<void> {
  const { redis, outbox, now, channelId, keepMs, signingKey, of } = deps;
  const told = createOneRecord(redis, { key: auditKeys.told, schema: toldSchema, none: {} });
  let nextAt = Number.NEGATIVE_INFINITY;
  return async () => {
    const at = now();
    const until = at - (at % DAY_MS);
    if (until < nextAt) return;
    const last = await markBefore(redis, until);
    const before = await told.get();
    const isBroken = before.last !== undefined && !(await standsStill(redis, before.last, at - keepMs));
    await told.change(
      (record) =>
        record.until === before.until && (record.until ?? 0) < until ? { until, last } : undefined,
      () => {
        const { until: since, last: from } = before;
        // What was before it was switched on is not told of, nor an audit that has nothing yet.
        if (since === undefined || from === undefined || (from.seq === 0 && last.seq === 0))
          return outbox.saying([], 'moved');
        const days = { first: dayOf(since), last: dayOf(until - DAY_MS) };
        const line = last.seq === 0 ? undefined : signedLine({ of, day: days.last, ...last }, signingKey);
        const content = auditHeadMessage({ days, from: from.seq, to: last.seq, line, isBroken });
        return outbox.saying([{ id: `audit-head-${until}`, to: { channelId }, content }], 'moved');
      },
    );
    nextAt = until + DAY_MS;
  };
}

/** "2026-11-26", in UTC. */
function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

/** How the audit ended at a moment; as it was pruned last where nothing of then is kept. */
async function markBefore(redis: RedisConnection, at: number): Promise<Marked> {
  const newest = await newestBefore(redis, at);
  if (newest) return { id: newest.id, seq: newest.seq, hash: newest.hash };
  return readMark(redis, auditKeys.anchor);
}

/** Whether an entry is what it was; it may be gone where it was written before `keptFrom` (Unix ms), and was pruned. */
async function standsStill(
  redis: RedisConnection,
  { id, seq, hash }: Marked,
  keptFrom: number,
): Promise<boolean> {
  if (id === undefined) return true;
  const there = await entryAt(redis, id);
  if (there) return there.seq === seq && there.hash === hash;
  // Who removed it could have set the anchor too.
  const [ms = ''] = id.split('-');
  return Number(ms) < keptFrom && (await readMark(redis, auditKeys.anchor)).seq >= seq;
}
