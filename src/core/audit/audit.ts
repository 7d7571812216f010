import type { RedisConnection } from '../../platform/redis/connection.ts';
import { loadScript, type Script } from '../../platform/redis/script.ts';
import { hashOf, type Mark, START } from './chain.ts';
import { type Entry, entrySchema } from './entry.ts';
import { createHead, type Head } from './head.ts';
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

/** `redis`: the connection of what is recorded. `head`: shared with the other connections of this process. */
export function createAudit(redis: RedisConnection, head: Head = createHead()): Audit {
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
      const before = texts.length === 0 ? START : await head.find(redis);
      const links = linksAfter(before, texts);
      const answer = await script(redis, given, [
        ...args,
        before.hash,
        ...links.flatMap(wordsOf),
        texts.length,
      ]);
      const newest = links.at(-1);
      if (answer === STALE) head.wasOutdated();
      else if (newest) head.wrote(newest);
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

/** An entry as a script writes it down. */
interface Written extends Mark {
  readonly text: string;
}

/** What each entry is written down as that comes after `before`. */
function linksAfter(before: Mark, texts: readonly string[]): readonly Written[] {
  let last = before;
  return texts.map((text) => {
    const seq = last.seq + 1;
    const link = { seq, text, hash: hashOf(seq, last.hash, text) };
    last = link;
    return link;
  });
}

function wordsOf({ seq, text, hash }: Written): readonly (string | number)[] {
  return [seq, text, hash];
}
