import type { RedisConnection } from '../../platform/redis/connection.ts';
import { type Entry, entrySchema } from './entry.ts';
import { auditKeys } from './keys.ts';

/** An entry as it stands in the stream: what was written is never changed. */
interface Written {
  readonly id: string;
  readonly seq: number;
  readonly hash: string;
  /** Undefined where it can't be read. */
  readonly entry: () => Entry | undefined;
}

/** Looks through the audit from its newest entry on. */
export interface RecentEntries {
  /** Each entry that can be read, newest first; `see` gives false to end it. Throws what Redis throws. */
  walk(see: (seq: number, entry: Entry) => boolean): Promise<void>;
}

const PAGE = 500;
/** Of the newest: a few MB, and most of what histories are made of. */
const REMEMBERED = 5_000;

/**
 * Reads each entry once: fetching and reading thousands anew for each history is what people wait for while somebody asks for one after
 * the other. What is remembered counts only as far as it still stands there, without a gap to what was written since. `page`: how many are
 * fetched at once, `remembered`: how many at most.
 */
export function createRecentEntries(
  redis: RedisConnection,
  { page: perPage = PAGE, remembered = REMEMBERED } = {},
): RecentEntries {
  /** From the newest on. */
  let known: readonly Written[] = [];

  /** What is known by now, and the id of the oldest that is kept; undefined for none. */
  const look = async (): Promise<{ readonly window: readonly Written[]; readonly oldest?: string }> => {
    const before = known;
    const [last] = before;
    const [rows, [first]] = await Promise.all([
      redis.xrevrange(auditKeys.entries, '+', last?.id ?? '-', 'COUNT', perPage),
      redis.xrange(auditKeys.entries, '-', '+', 'COUNT', 1),
    ]);
    const [oldest] = first ?? [];
    const window = joined(rows.map(writtenOf), before, oldest).slice(0, remembered);
    if (known === before) known = window;
    return { window, ...(oldest === undefined ? {} : { oldest }) };
  };

  return {
    walk: async (see) => {
      const { window, oldest } = await look();
      let page = window;
      /** What may still be remembered: once something was not, nothing older is. */
      let all: readonly Written[] | undefined = window;
      for (;;) {
        for (const { seq, entry } of page) {
          const read = entry();
          if (read && !see(seq, read)) return;
        }
        const last = page.at(-1);
        if (last && last.id === oldest) return;
        const from = last ? (`(${last.id}` as const) : '+';
        page = (await redis.xrevrange(auditKeys.entries, from, '-', 'COUNT', perPage)).map(writtenOf);
        if (page.length === 0) return;
        const more: readonly Written[] = [...(all ?? []), ...page];
        const isRemembered: boolean = all !== undefined && known === all && more.length <= remembered;
        all = isRemembered ? more : undefined;
        if (isRemembered) known = more;
      }
    },
  };
}

/** What was just read, with what was known before where both have the same entry in common, as far as it was not pruned. Pure. */
function joined(
  read: readonly Written[],
  before: readonly Written[],
  oldest: string | undefined,
): readonly Written[] {
  const [last] = before;
  const seam = read.at(-1);
  if (!last || seam?.id !== last.id || seam.hash !== last.hash) return read;
  const end = before.findIndex(({ id }) => id === oldest);
  return [...read.slice(0, -1), ...(end < 0 ? before : before.slice(0, end + 1))];
}

function writtenOf([id, fields]: [id: string, fields: string[]]): Written {
  const of = (name: string): string => fields[fields.indexOf(name) + 1] ?? '';
  let text: string | undefined = of('e');
  let entry: Entry | undefined;
  return {
    id,
    seq: Number(of('n')),
    hash: of('h'),
    entry: () => {
      if (text !== undefined) entry = readEntry(text);
      text = undefined;
      return entry;
    },
  };
}

function readEntry(text: string): Entry | undefined {
  try {
    return entrySchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
