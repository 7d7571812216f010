import type { RedisConnection } from '../../platform/redis/connection.ts';
import { loadScript, type Script } from '../../platform/redis/script.ts';
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

/** A script that writes entries down with its change: it calls auditWrite() where it has changed something. */
export function loadAudited(...files: readonly URL[]): Script {
  return loadScript(new URL('./audit.lua', import.meta.url), ...files);
}

const append = loadAudited(new URL('./append.lua', import.meta.url));

/** `redis`: the connection of what is recorded. */
export function createAudit(redis: RedisConnection): Audit {
  const run: Audit['run'] = (script, keys, args, entries = []) => {
    const texts = [entries].flat().map((entry) => JSON.stringify(entrySchema.parse(entry)));
    return script(redis, [...keys, auditKeys.entries, auditKeys.head], [...args, ...texts, texts.length]);
  };
  return {
    run,
    append: async (entry) => {
      await run(append, [], [], entry);
    },
  };
}
