import type { RedisConnection } from '../../platform/redis/connection.ts';
import { readMark } from './read-mark.ts';
import { createVerifier, type Fault, type Link, type Mark } from './chain.ts';
import { type Entry, entrySchema } from './entry.ts';
import { auditKeys } from './keys.ts';

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
  readonly fault: Fault | undefined;
}

const PAGE = 5_000;

/** Walks the entries, oldest first, or newest first where `isNewestFirst`; `see` gives false to end it. */
export async function walkAudit(
  redis: RedisConnection,
  see: (link: Link) => boolean,
  { isNewestFirst = false, page = PAGE } = {},
): Promise<void> {
  let from = isNewestFirst ? '+' : '-';
  for (;;) {
    const rows = isNewestFirst
      ? await redis.xrevrange(auditKeys.entries, from, '-', 'COUNT', page)
      : await redis.xrange(auditKeys.entries, from, '+', 'COUNT', page);
    for (const [id, fields] of rows) if (!see(linkOf(id, fields))) return;
    const [last] = rows.at(-1) ?? [];
    if (last === undefined || rows.length < page) return;
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

/** Goes through the whole audit, from the oldest entry that is kept to the newest. */
export async function verifyAudit(redis: RedisConnection): Promise<Verified> {
  const [anchor, head] = await Promise.all([
    readMark(redis, auditKeys.anchor),
    readMark(redis, auditKeys.head),
  ]);
  const verifier = createVerifier(anchor);
  let fault: Fault | undefined;
  await walkAudit(redis, (link) => {
    // What was written since the head was read is not held against it.
    if (link.seq > head.seq && link.seq === verifier.last().seq + 1 && verifier.last().seq >= head.seq)
      return false;
    fault = verifier.next(link);
    return fault === undefined;
  });
  fault ??= verifier.end(head);
  return { count: verifier.last().seq - anchor.seq, head, fault };
}

/** Reads what the audit keeps. */
export interface AuditReader {
  /** The newest entries that pass, newest first: at most `limit`, none from before `since` (Unix ms). */
  read(
    passes: (entry: Entry) => boolean,
    options: { readonly limit: number; readonly since: number },
  ): Promise<readonly Recorded[]>;
}

export function createAuditReader(redis: RedisConnection): AuditReader {
  return { read: (passes, options) => readAudit(redis, passes, options) };
}

/** One that can't be read is left out. */
async function readAudit(
  redis: RedisConnection,
  passes: (entry: Entry) => boolean,
  { limit, since }: { readonly limit: number; readonly since: number },
): Promise<readonly Recorded[]> {
  const found: Recorded[] = [];
  await walkAudit(
    redis,
    ({ seq, entry: text }) => {
      const read = entrySchema.safeParse(parsed(text));
      if (!read.success) return true;
      if (read.data.at < since) return false;
      if (passes(read.data)) found.push({ seq, entry: read.data });
      return found.length < limit;
    },
    { isNewestFirst: true, page: 500 },
  );
  return found;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
