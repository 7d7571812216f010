import { z } from 'zod';
import { newId } from '../../platform/id.ts';
import { unlessRedisIsAway } from '../../platform/redis/away.ts';
import type { RedisConnection } from '../../platform/redis/connection.ts';
import { listKeys } from './keys.ts';

const shownListSchema = z.object({
  /** The only person who may turn its pages. */
  userId: z.string(),
  /** The words after the verb that it was asked by. */
  words: z.array(z.string()),
});
/** A list that one person was shown. */
type ShownList = z.infer<typeof shownListSchema>;

/** Records behind the buttons of lists. A button carries the id and a place in the list, and what it shows is read again. */
export interface ShownLists {
  /** Gives the id: 128 random bits, or `WHOLE_LIST`; undefined where it can't be kept. */
  keep(list: ShownList): Promise<string | undefined>;
  /** The list as `userId` asks for it. Undefined when it has expired or never was. */
  find(listId: string, userId: string): Promise<ShownList | undefined>;
}

/** The id of a list that no words were typed for. It needs no record: everybody sees in it what they may. */
export const WHOLE_LIST = 'whole';

const KEPT_MS = 24 * 3_600_000;

export function createShownLists(redis: RedisConnection): ShownLists {
  return {
    keep: async (list) => {
      if (list.words.length === 0) return WHOLE_LIST;
      const id = newId();
      const keeping = redis.set(listKeys.shown(id), JSON.stringify(list), 'PX', KEPT_MS);
      return (await unlessRedisIsAway(keeping, null)) === 'OK' ? id : undefined;
    },
    find: async (listId, userId) => {
      if (listId === WHOLE_LIST) return { userId, words: [] };
      const record = await redis.get(listKeys.shown(listId));
      return record === null ? undefined : shownListSchema.parse(JSON.parse(record));
    },
  };
}
