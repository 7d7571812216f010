import type { RedisConnection } from '../../platform/redis/connection.ts';
import { createVerifier, type Fault, type Link, type Mark, START } from './chain.ts';
import type { Entry } from './entry.ts';
import { auditKeys } from './keys.ts';
import { createRecentEntries } from './recent-entries.ts';

/** An entry with its place in the chain. */
export interface Recorded {
  readonly seq: number;
  readonly entry: Entry;
}

/** What was found of a whole audit. */
export interface Verified {
  /** How many entries are right, from the first that is kept. */
  readonly count: number;
  readonly head: Mark;
  /** The newest entry that was pruned, or START. */
  readonly anchor: Mark;
  readonly fault: Fault | undefined;
  /** The hashes of those entries that were asked for, as far as it is right. */
  readonly hashes: ReadonlyMap<number, string>;
}

const PAGE = 5_000;

/** A mark of the chain; START where there is none. */
export async function readMark(redis: RedisConnection, key: string): Promise<Mark> {
  const [seq, hash] = await redis.hmget(key, 'seq', 'hash');
  return typeof seq === 'string' && typeof hash === 'string' ? { seq: Number(seq), hash } : START;
}

/** Walks the entries, oldest first; `see` gives false to end it. */
export async function walkAudit(redis: RedisConnection, see: (link: Link) => boolean): Promise<void> {
  let from = '-';
  for (;;) {
    const rows = await redis.xrange(auditKeys.entries, from, '+', 'COUNT', PAGE);
    for (const [id, fields] of rows) if (!see(linkOf(id, fields))) return;
    const [last] = rows.at(-1) ?? [];
    if (last === undefined || rows.length < PAGE) return;
    from = `(${last}`;
  }
}

/** At most `count` entries after the one of that id in the stream, oldest first; the oldest that are kept without one. */
export async function readAuditAfter(
  redis: RedisConnection,
  id: string | undefined,
  count: number,
): Promise<readonly Link[]> {
  const from = id === undefined ? '-' : `(${id}`;
  const rows = await redis.xrange(auditKeys.entries, from, '+', 'COUNT', count);
  return rows.map(([each, fields]) => linkOf(each, fields));
}

function linkOf(id: string, fields: readonly string[]): Link {
  const of = (name: string): string => fields[fields.indexOf(name) + 1] ?? '';
  return { id, seq: Number(of('n')), before: of('b'), entry: of('e'), hash: of('h') };
}

/** So often it is gone through again where it is pruned meanwhile. */
const MAX_TRIES = 3;

/** Goes through the whole audit, from the oldest entry that is kept to the newest. `wanted`: numbers of entries whose hashes are asked for. */
export async function verifyAudit(redis: RedisConnection, wanted: readonly number[] = []): Promise<Verified> {
  for (let tries = 1; ; tries++) {
    const verified = await verifyOnce(redis, wanted);
    if (!verified.fault || tries === MAX_TRIES) return verified;
    // What is pruned on the way is missing from what it was to be.
    const { hash } = await readMark(redis, auditKeys.anchor);
    if (hash === verified.anchor.hash) return verified;
  }
}

async function verifyOnce(redis: RedisConnection, wanted: readonly number[]): Promise<Verified> {
  const [anchor, head] = await Promise.all([
    readMark(redis, auditKeys.anchor),
    readMark(redis, auditKeys.head),
  ]);
  const verifier = createVerifier(anchor);
  const hashes = new Map<number, string>();
  const keep = ({ seq, hash }: Mark): void => void (wanted.includes(seq) && hashes.set(seq, hash));
  let fault: Fault | undefined;
  await walkAudit(redis, (link) => {
    // What was written since the head was read is not held against it.
    if (link.seq > head.seq && link.seq === verifier.last().seq + 1 && verifier.last().seq >= head.seq)
      return false;
    fault = verifier.next(link);
    if (!fault) keep(link);
    return fault === undefined;
  });
  fault ??= verifier.end(head);
  return { count: verifier.last().seq - anchor.seq, head, anchor, fault, hashes };
}

/** The newest entry that was written before a moment (Unix ms), by Redis' own clock; undefined where none of then is kept. */
export async function newestBefore(redis: RedisConnection, before: number): Promise<Link | undefined> {
  const [row] = await redis.xrevrange(auditKeys.entries, String(before - 1), '-', 'COUNT', 1);
  return row && linkOf(...row);
}

/** The entry of that id in the stream; undefined where it is not there. */
export async function entryAt(redis: RedisConnection, id: string): Promise<Link | undefined> {
  const [row] = await redis.xrange(auditKeys.entries, id, id);
  return row && linkOf(...row);
}

/** Reads what the audit keeps. */
export interface AuditReader {
  /** The newest entries that pass, newest first: at most `limit`, none from before `since` (Unix ms). */
  read(
    passes: (entry: Entry) => boolean,
    options: { readonly limit: number; readonly since: number },
  ): Promise<readonly Recorded[]>;
}

/** One that can't be read is left out. */
export function createAuditReader(redis: RedisConnection): AuditReader {
  const recent = createRecentEntries(redis);
  return {
    read: async (passes, { limit, since }) => {
      const found: Recorded[] = [];
      await recent.walk((seq, entry) => {
        if (entry.at < since) return false;
        if (passes(entry)) found.push({ seq, entry });
        return found.length < limit;
      });
      return found;
    },
  };
}
