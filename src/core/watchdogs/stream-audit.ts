import type { Log } from '../../platform/log/log.ts';
import type { RedisConnection } from '../../platform/redis/connection.ts';
import { readAuditAfter } from '../audit/audit-reader.ts';
import type { Link } from '../audit/chain.ts';
import { auditKeys } from '../audit/keys.ts';
import { commit } from '../records/commit.ts';
import { holds } from '../records/conditions.ts';
import { field } from '../records/writes.ts';

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
