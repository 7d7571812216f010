import { key, namesIn, scopeIn } from '../../platform/redis/key.ts';
import type { RedisConnection } from '../../platform/redis/connection.ts';

export const auditKeys = {
  /** The entries, oldest first: a stream. */
  entries: key('audit'),
  /** Number and hash of the newest entry. */
  head: key('audit', 'head'),
  /** Number and hash of the newest entry that was pruned. */
  anchor: key('audit', 'anchor'),
  /** The newest entry that was given to who collects them: its id in the stream and its number. */
  streamed: key('audit', 'streamed'),
  /** Hash: version and record of up to which day its head was posted. */
  told: key('audit', 'told'),
} as const;

/** Where an audit is kept, and whose it is. */
export interface AuditPlace {
  /** What stands before the names of its keys. */
  readonly scope: string;
  /** The names of the workspace and the account; empty where there is only one. */
  readonly names: readonly string[];
}

const PAGE = 1_000;

/**
 * Every audit in Redis, by what stands before its keys, in the order of the alphabet; at least one. An account that has
 * other keys has an audit too, even if nothing is left of it: one that was removed must not go unseen. `prefix`: put before
 * every key of the deployment; the connection has none.
 */
export async function findAudits(redis: RedisConnection, prefix = ''): Promise<readonly AuditPlace[]> {
  const scopes = new Set<string>();
  const withAudit = new Set<string>();
  let cursor = '0';
  do {
    const [next, names] = await redis.scan(cursor, 'MATCH', `${prefix}${key('*')}`, 'COUNT', PAGE);
    cursor = next;
    for (const whole of names) {
      const name = whole.slice(prefix.length);
      const scope = scopeIn(name);
      if (scope === undefined) continue;
      scopes.add(scope);
      if (AUDIT.includes(name.slice(scope.length))) withAudit.add(scope);
    }
  } while (cursor !== '0');
  // What is shared by those inside it has no audit of its own.
  const isOuter = (scope: string): boolean =>
    [...scopes].some((other) => other !== scope && other.startsWith(scope));
  const found = [...scopes].filter((scope) => withAudit.has(scope) || !isOuter(scope));
  return (found.length === 0 ? [''] : found.toSorted()).map((scope) => ({
    scope: `${prefix}${scope}`,
    names: namesIn(scope),
  }));
}

const AUDIT: readonly string[] = Object.values(auditKeys);
