import type { Log } from '../../platform/log/log.ts';
import type { RedisConnection } from '../../platform/redis/connection.ts';
import { readMark, walkAudit } from '../audit/audit-reader.ts';
import type { Link } from '../audit/chain.ts';
import { auditKeys } from '../audit/keys.ts';
import { commit } from '../records/commit.ts';
import { holds } from '../records/conditions.ts';
import { field, trim } from '../records/writes.ts';

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
