import { z } from 'zod';
import type { RedisConnection } from '../../platform/redis/connection.ts';
import { createOneRecord } from '../records/one-record.ts';
import { person, say } from '../../platform/slack/phrase.ts';
import { Refusal } from '../refusal.ts';
import { byName } from '../instances/by-name.ts';
import { favouritesKey } from './keys.ts';

const favouriteSchema = z.object({
  /** Another one for each saving, so that a button stands for what was shown. */
  id: z.string(),
  /** In lower case. */
  name: z.string(),
  /** Filters, as they were typed. */
  words: z.array(z.string()),
  savedBy: z.string(),
  /** Unix ms. */
  savedAt: z.number(),
});
/** Filters by a name of their own. They are only words: what they match depends on who reads. */
export type Favourite = z.infer<typeof favouriteSchema>;

const recordSchema = z.object({ schema: z.literal(1), favourites: z.array(favouriteSchema) });
type FavouritesRecord = z.infer<typeof recordSchema>;

/** The favourites of the workspace. */
export interface Favourites {
  /** By name, in any case; undefined where there is none. */
  find(name: string): Promise<Favourite | undefined>;
  /** By name. */
  list(): Promise<readonly Favourite[]>;
  /** Saves one. Throws a Refusal where there are too many, or where one of that name is not the person's to replace. */
  save(favourite: Favourite, mayReplace: MayReplace): Promise<void>;
  /** Forgets the one that passes, and gives it; undefined where there is none. Throws a Refusal where it isn't the person's. */
  forget(isMeant: (favourite: Favourite) => boolean, mayReplace: MayReplace): Promise<Favourite | undefined>;
}

/** Whether the person may replace or forget a favourite. */
export type MayReplace = (favourite: Favourite) => boolean;

const MAX_FAVOURITES = 100;

export function createFavourites(redis: RedisConnection): Favourites {
  const none: FavouritesRecord = { schema: 1, favourites: [] };
  const store = createOneRecord<FavouritesRecord>(redis, {
    key: favouritesKey,
    schema: recordSchema,
    none,
  });
  return {
    find: async (name) => {
      const wanted = name.toLowerCase();
      return (await store.get()).favourites.find((one) => one.name === wanted);
    },
    list: async () => (await store.get()).favourites.toSorted((one, other) => byName(one.name, other.name)),
    save: async (favourite, mayReplace) => {
      await store.change((record) => saved(record, favourite, mayReplace));
    },
    forget: async (isMeant, mayReplace) => {
      let forgotten: Favourite | undefined;
      await store.change((record) => {
        forgotten = record.favourites.find(isMeant);
        if (!forgotten) return undefined;
        refuseUnlessTheirs(forgotten, mayReplace);
        return { ...record, favourites: record.favourites.filter((one) => one !== forgotten) };
      });
      return forgotten;
    },
  };
}

/** The record with a favourite, in place of one of its name. Throws a Refusal. Pure. */
function saved(record: FavouritesRecord, favourite: Favourite, mayReplace: MayReplace): FavouritesRecord {
  const before = record.favourites.find(({ name }) => name === favourite.name);
  if (before) refuseUnlessTheirs(before, mayReplace);
  const others = record.favourites.filter((one) => one !== before);
  if (others.length >= MAX_FAVOURITES) {
    throw new Refusal(
      'too-many',
      say`There are ${MAX_FAVOURITES} favourites already, so nothing was saved. Forget one first.`,
    );
  }
  return { ...record, favourites: [...others, favourite] };
}

function refuseUnlessTheirs(favourite: Favourite, mayReplace: MayReplace): void {
  if (mayReplace(favourite)) return;
  throw new Refusal(
    'foreign',
    say`${favourite.name} was saved by ${person(favourite.savedBy)}. Only they or an admin can change it, so nothing was done.`,
  );
}
