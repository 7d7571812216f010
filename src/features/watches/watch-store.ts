import { z } from 'zod';
import { slackId } from '../../core/outbox/addressee.ts';
import { BoundedMap } from '../../platform/bounded-map.ts';
import type { RedisConnection } from '../../platform/redis/connection.ts';
import {
  createIndexedRecords,
  INDEXED_RECORD,
  type IndexedRecords,
  OPEN_KEPT_MS,
} from '../../platform/redis/indexed-records.ts';
import { createRecordStore, type RecordStore } from '../../platform/redis/record-store.ts';
import { loadScript } from '../../platform/redis/script.ts';
import { watchKeys } from './keys.ts';
import { packSeen, type Seen, unpackSeen } from './seen.ts';
import { dueAt, type Watch, watchSchema } from './watch.ts';

/** What is written with a step of a watch. */
interface With {
  readonly seen?: Seen;
  /** Nothing is written where another one is open by now than these. */
  readonly among?: readonly Pick<Watch, 'id'>[];
}

/** Watches. A change can be written with what was seen, in one step. */
export interface WatchStore extends IndexedRecords<Watch, With> {
  /** What a watch saw at the look of its record's mark; undefined where there was none, or another since. */
  findSeen(watch: Pick<Watch, 'id' | 'base'>): Promise<Seen | undefined>;
  /** Every watch that is not over, the oldest first. */
  listAll(): Promise<readonly Watch[]>;
}

/** The channels that an admin chose, so that the bot may tell them of instances without being asked. */
const placesSchema = z.object({ allowed: z.array(slackId) });
export type WatchPlaces = RecordStore<z.infer<typeof placesSchema>>;

/** Nobody asks for one that is over, but for a button that was pressed late. */
const KEPT_MS = 24 * 3_600_000;
/** What this process saw of so many watches is not read again. */
const MAX_KNOWN = 200;

const swap = loadScript(INDEXED_RECORD, new URL('./watch-swap.lua', import.meta.url));

export function createWatchStore(redis: RedisConnection): WatchStore {
  const known = new BoundedMap<string, { readonly mark: string; readonly seen: Seen }>(MAX_KNOWN);
  const records = createIndexedRecords<Watch, With>(redis, {
    keyOf: watchKeys.watch,
    index: watchKeys.open,
    schema: watchSchema,
    dueAt,
    keptMs: KEPT_MS,
    // A watch is kept for as long as somebody looks for it.
    swap: (keys, args, { seen, among } = {}) =>
      swap(redis, keys, [
        ...args.map((value, index) => (index === KEPT_AT && value === '' ? OPEN_KEPT_MS : value)),
        seen ? packSeen(seen) : '',
        among ? JSON.stringify(among.map(({ id }) => id)) : '',
      ]),
  });
  return {
    ...records,
    findSeen: async ({ id, base }) => {
      if (!base) return undefined;
      const mine = known.get(id);
      if (mine?.mark === base.mark) return mine.seen;
      const [record, text] = await redis.hmget(watchKeys.watch(id), 'record', 'seen');
      if (typeof record !== 'string' || typeof text !== 'string') return undefined;
      if (watchSchema.parse(JSON.parse(record)).base?.mark !== base.mark) return undefined;
      const seen = unpackSeen(text);
      known.set(id, { mark: base.mark, seen });
      return seen;
    },
    listAll: async () => {
      const ids = await records.listDue(Number.MAX_SAFE_INTEGER);
      const found = await Promise.all(ids.map(records.find));
      return found.filter((one) => one !== undefined).toSorted((one, other) => one.setAt - other.setAt);
    },
  };
}

/** Where among the arguments of the script it stands how long a record is kept. */
const KEPT_AT = 4;

export function createWatchPlaces(redis: RedisConnection): WatchPlaces {
  return createRecordStore(redis, watchKeys.places, placesSchema, { allowed: [] });
}
