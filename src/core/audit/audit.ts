import type { RedisConnection } from '../../platform/redis/connection.ts';
import { loadScript, type Script } from '../../platform/redis/script.ts';
import { hashOf, type Mark, START } from './chain.ts';
import { type Entry, entrySchema } from './entry.ts';
import { auditKeys } from './keys.ts';

/** Who did what: entries that only ever come on top of one another. */
export interface Audit {
  /** Writes one entry down. Throws where that can't be done. */
  append(entry: Entry): Promise<void>;
  /**
   * Runs a script that changes something together with the entries that record it, see `loadAudited`: either all are
   * there or none is. Gives what the script returned. Without an entry, the script alone.
   */
  run(
    script: Script,
    keys: readonly string[],
    args: readonly (string | number)[],
    entries: Recording,
  ): Promise<unknown>;
}

/** What records a change: one entry, several in their order, or none. */
type Recording = Entry | readonly Entry[] | undefined;

const STALE = 'stale';

/**
 * A script that writes an entry down with its change: it returns 'stale' where auditIsStale() says so, before it changes
 * anything, and calls auditWrite() where it has changed something.
 */
export function loadAudited(...files: readonly URL[]): Script {
  return loadScript(new URL('./audit.lua', import.meta.url), ...files);
}

const append = loadAudited(new URL('./append.lua', import.meta.url));

/** `redis`: the connection of what is recorded. */
export function createAudit(redis: RedisConnection): Audit {
  /** In one process entries wait for one another; between processes the script tells the later one to go again. */
  let last: Promise<unknown> = Promise.resolve();

  const attempt = async (
    script: Script,
    keys: readonly string[],
    args: readonly (string | number)[],
    texts: readonly string[],
  ): Promise<unknown> => {
    const given = [...keys, auditKeys.entries, auditKeys.head];
    for (;;) {
      const head = texts.length === 0 ? START : await readMark(redis, auditKeys.head);
      const links = linksAfter(head, texts);
      const answer = await script(redis, given, [...args, head.hash, ...links, texts.length]);
      if (answer !== STALE) return answer;
    }
  };
  const run: Audit['run'] = (script, keys, args, entries = []) => {
    const texts = [entries].flat().map((entry) => JSON.stringify(entrySchema.parse(entry)));
    if (texts.length === 0) return attempt(script, keys, args, texts);
    const mine = last.then(() => attempt(script, keys, args, texts));
    last = mine.catch(() => undefined);
    return mine;
  };
  return {
    run,
    append: async (entry) => {
      await run(append, [], [], entry);
    },
  };
}

/** Number, text and hash of each entry that comes after `head`. */
function linksAfter(head: Mark, texts: readonly string[]): readonly (string | number)[] {
  let last = head;
  return texts.flatMap((text) => {
    const seq = last.seq + 1;
    last = { seq, hash: hashOf(seq, last.hash, text) };
    return [seq, text, last.hash];
  });
}

/** A mark of the chain; START where there is none. */
export async function readMark(redis: RedisConnection, key: string): Promise<Mark> {
  const [seq, hash] = await redis.hmget(key, 'seq', 'hash');
  return typeof seq === 'string' && typeof hash === 'string' ? { seq: Number(seq), hash } : START;
}
