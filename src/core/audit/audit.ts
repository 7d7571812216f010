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

/** A script that waits until its entries come on top. */
interface Waiting {
  /** Runs it with its entries after `before`; gives what it answers, and the newest entry once it has written them. */
  send(before: Mark): { readonly answer: Promise<unknown>; readonly newest: Mark };
  resolve(answer: unknown): void;
  reject(error: unknown): void;
}

/** So many go out together: where one of them writes nothing after all, those behind it go again. */
const MOST_TOGETHER = 50;

/** `redis`: the connection of what is recorded. `head`: shared with the other connections of this process. */
export function createAudit(redis: RedisConnection, head: Head = createHead()): Audit {
  const send = (
    script: Script,
    keys: readonly string[],
    args: readonly (string | number)[],
    texts: readonly string[],
    before: Mark,
  ): ReturnType<Waiting['send']> => {
    const links = linksAfter(before, texts);
    const given = [...keys, auditKeys.entries, auditKeys.head];
    const words = [...args, before.hash, ...links.flatMap(wordsOf), texts.length];
    return { answer: script(redis, given, words), newest: links.at(-1) ?? before };
  };
  const wait = createLine(redis, head);
  const run: Audit['run'] = (script, keys, args, entries = []) => {
    const texts = [entries].flat().map((entry) => JSON.stringify(entrySchema.parse(entry)));
    if (texts.length === 0) return send(script, keys, args, texts, START).answer;
    return wait((before) => send(script, keys, args, texts, before));
  };
  return {
    run,
    append: async (entry) => {
      await run(append, [], [], entry);
    },
  };
}

/**
 * In one process entries come on top of one another in the order in which they were given: those that wait go out together,
 * each made after the one before it. Between processes the script lets the later one go again.
 */
function createLine(redis: RedisConnection, head: Head): (send: Waiting['send']) => Promise<unknown> {
  const line: Waiting[] = [];
  let isSending = false;

  const sendTogether = async (): Promise<void> => {
    let before = await head.find(redis);
    const sent = line
      .splice(0, MOST_TOGETHER)
      .map(async (one): Promise<{ newest?: Mark; again?: Waiting }> => {
        try {
          const { answer, newest } = one.send(before);
          before = newest;
          const answered = await answer;
          if (answered === STALE) return { again: one };
          one.resolve(answered);
          return { newest };
        } catch (error) {
          one.reject(error);
          return {};
        }
      });
    const all = await Promise.all(sent);
    const isWritten = all.every(({ newest }) => newest !== undefined);
    if (isWritten) head.wrote(before);
    else head.wasOutdated();
    line.unshift(...all.flatMap(({ again }) => again ?? []));
  };
  const sendAll = async (): Promise<void> => {
    if (isSending) return;
    isSending = true;
    while (line.length > 0) {
      await sendTogether().catch((error: unknown) => {
        for (const one of line.splice(0)) one.reject(error);
      });
    }
    isSending = false;
  };
  return (send) =>
    new Promise((resolve, reject) => {
      line.push({ send, resolve, reject });
      void sendAll();
    });
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
