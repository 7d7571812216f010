import type { Log } from '../../platform/log/log.ts';
import type { RedisConnection } from '../../platform/redis/connection.ts';
import type { Audit } from './audit.ts';
import { readMark } from './read-mark.ts';
import { pruneAudit } from './audit-reader.ts';
import { auditKeys } from './keys.ts';

/** A chain alone doesn't show that its end was cut off, or that it was rebuilt as a whole: the log has its head. */
const LOG_HEAD_EVERY_MS = 60_000;
const PRUNE_EVERY_MS = 24 * 3_600_000;

/** Writes the audit's head to the log every minute, and forgets once a day what is older than `keepMs`. */
export function createKeepAudit(deps: {
  readonly redis: RedisConnection;
  readonly audit: Audit;
  readonly keepMs: number;
  readonly now: () => number;
  readonly log: Log;
}): () => Promise<void> {
  const { redis, audit, keepMs, now, log } = deps;
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
      const count = await pruneAudit(redis, audit, now() - keepMs, now());
      if (count > 0) log.info({ count }, 'pruned the audit');
      prunedAt = at;
    }
  };
}
