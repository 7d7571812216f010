import type { Log } from '../../platform/log/log.ts';
import type { RedisConnection } from '../../platform/redis/connection.ts';
import { readMark, walkAudit, readAuditAfter, entryAt, newestBefore } from '../audit/audit-reader.ts';
import { type Link, signedLine } from '../audit/chain.ts';
import { auditKeys } from '../audit/keys.ts';
import { commit, field, trim } from '../records/commit.ts';
import { holds } from '../records/conditions.ts';
import { z } from 'zod';
import { createOneRecord } from '../records/one-record.ts';
import type { Outbox } from '../outbox/outbox.ts';
import { DAY_MS } from '../../platform/time/duration.ts';
import { auditHeadMessage } from './messages.ts';

/** A chain alone doesn't show that its end was cut off, or that it was rebuilt as a whole: the log has its head. */
const LOG_HEAD_EVERY_MS = 60_000;
const PRUNE_EVERY_MS = 24 * 3_600_000;

/** Writes the audit's head to the log every minute, and forgets once a day what is older than `keepMs`. */
export function createKeepAudit(deps: {
  readonly redis: RedisConnection;
  readonly keepMs: number;
  readonly now: () => number;
  readonly log: Log;
}): () => Promise<void> {
  const { redis, keepMs, now, log } = deps;
  let loggedAt = Number.NEGATIVE_INFINITY;
  let prunedAt = Number.NEGATIVE_INFINITY;
  return async () => {
    const at = performance.now();
    if (at - loggedAt >= LOG_HEAD_EVERY_MS) {
      const { seq, hash } = await readMark(redis, auditKeys.head);
      if (seq > 0) log.info({ seq, hash }, 'the head of the audit');
      loggedAt = at;
    }
    if (at - prunedAt >= PRUNE_EVERY_MS) {
      const count = await pruneAudit(redis, now() - keepMs, now());
      if (count > 0) log.info({ count }, 'pruned the audit');
      prunedAt = at;
    }
  };
}

/**
 * Forgets what was written before `before` (Unix ms). What stays still verifies: the anchor says what it begins with,
 * and an entry of its own says up to where was pruned. Gives how many entries went: none where another has pruned meanwhile.
 */
export async function pruneAudit(redis: RedisConnection, before: number, now: number): Promise<number> {
  const anchor = await readMark(redis, auditKeys.anchor);
  let newest: Link | undefined;
  let firstKept: string | undefined;
  await walkAudit(redis, (link) => {
    const [ms = ''] = link.id.split('-');
    if (Number(ms) >= before) firstKept = link.id;
    else newest = link;
    return firstKept === undefined;
  });
  if (!newest || firstKept === undefined) return 0;
  const words = `${newest.seq} ${newest.hash}`;
  const { result } = await commit<'moved'>(redis, {
    if: [holds(auditKeys.anchor, 'hash', anchor.hash, 'moved')],
    write: [
      field(auditKeys.anchor, 'seq', String(newest.seq)),
      field(auditKeys.anchor, 'hash', newest.hash),
      trim(auditKeys.entries, firstKept),
    ],
    audit: { what: 'pruned', at: now, requestId: `prune-${newest.seq}`, route: 'audit.prune', words },
  });
  return result === 'written' ? newest.seq - anchor.seq : 0;
}

/** Takes entries out of the bot, oldest first. Throws where they weren't taken. */
export type AuditSink = (links: readonly Link[]) => Promise<void>;

const PAGE = 200;

/**
 * Gives the audit to who collects it, each entry at least once: two workers, or a kill right after it was taken, may give one twice,
 * and its number and hash tell that. It begins with the oldest entry that is kept.
 */
export function createStreamAudit(deps: {
  readonly redis: RedisConnection;
  readonly sink: AuditSink;
  readonly log: Log;
}): () => Promise<void> {
  const { redis, sink, log } = deps;
  return async () => {
    const [id, seq] = await redis.hmget(auditKeys.streamed, 'id', 'seq');
    let last = typeof id === 'string' ? { id, seq: Number(seq) } : undefined;
    for (;;) {
      const links = await readAuditAfter(redis, last?.id, PAGE);
      const [first, newest] = [links[0], links.at(-1)];
      if (!first || !newest) return;
      if (last && first.seq > last.seq + 1)
        log.warn(
          { from: last.seq + 1, to: first.seq - 1 },
          'entries of the audit were gone before they were streamed',
        );
      await sink(links);
      const { result } = await commit<'moved'>(redis, {
        if: [holds(auditKeys.streamed, 'id', last?.id ?? '', 'moved')],
        write: [
          field(auditKeys.streamed, 'id', newest.id),
          field(auditKeys.streamed, 'seq', String(newest.seq)),
        ],
      });
      // Another goes on from where it has come.
      if (result === 'moved' || links.length < PAGE) return;
      last = newest;
    }
  };
}

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
