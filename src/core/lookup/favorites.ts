import { z } from 'zod';
import type { RedisConnection } from '../../platform/redis/connection.ts';
import { createOneRecord, type OneKind } from '../records/one-record.ts';
import { person, say } from '../../platform/slack/phrase.ts';
import { Refusal } from '../refusal.ts';
import { byName } from '../instances/facts.ts';
import { key } from '../../platform/redis/key.ts';

const favoriteSchema = z.object({
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
export type Favorite = z.infer<typeof favoriteSchema>;

const recordSchema = z.object({ favorites: z.array(favoriteSchema) });
type FavoritesRecord = z.infer<typeof recordSchema>;

/** The filters that were given a name. */
const FAVORITES: OneKind<FavoritesRecord> = {
  key: key('favorites'),
  schema: recordSchema,
  none: { favorites: [] },
};

/** The favorites of the workspace. */
export interface Favorites {
  /** By name, in any case; undefined where there is none. */
  find(name: string): Promise<Favorite | undefined>;
  /** By name. */
  list(): Promise<readonly Favorite[]>;
  /** Saves one. Throws a Refusal where there are too many, or where one of that name is not the person's to replace. */
  save(favorite: Favorite, mayReplace: MayReplace): Promise<void>;
  /** Forgets the one that passes, and gives it; undefined where there is none. Throws a Refusal where it isn't the person's. */
  forget(isMeant: (favorite: Favorite) => boolean, mayReplace: MayReplace): Promise<Favorite | undefined>;
}

/** Whether the person may replace or forget a favorite. */
export type MayReplace = (favorite: Favorite) => boolean;

const MAX_FAVORITES = 100;

export function createFavorites(redis: RedisConnection): Favorites {
  const store = createOneRecord(redis, FAVORITES);
  return {
    find: async (name) => {
      const wanted = name.toLowerCase();
      return (await store.get()).favorites.find((one) => one.name === wanted);
    },
    list: async () => (await store.get()).favorites.toSorted((one, other) => byName(one.name, other.name)),
    save: async (favorite, mayReplace) => {
      await store.change((record) => saved(record, favorite, mayReplace));
    },
    forget: async (isMeant, mayReplace) => {
      let forgotten: Favorite | undefined;
      await store.change((record) => {
        forgotten = record.favorites.find(isMeant);
        if (!forgotten) return undefined;
        refuseUnlessTheirs(forgotten, mayReplace);
        return { ...record, favorites: record.favorites.filter((one) => one !== forgotten) };
      });
      return forgotten;
    },
  };
}

/** The record with a favorite, in place of one of its name. Throws a Refusal. Pure. */
function saved(record: FavoritesRecord, favorite: Favorite, mayReplace: MayReplace): FavoritesRecord {
  const before = record.favorites.find(({ name }) => name === favorite.name);
  if (before) refuseUnlessTheirs(before, mayReplace);
  const others = record.favorites.filter((one) => one !== before);
  if (others.length >= MAX_FAVORITES) {
    throw new Refusal(
      'too-many',
      say`There are ${MAX_FAVORITES} favorites already, so nothing was saved. Forget one first.`,
    );
  }
  return { ...record, favorites: [...others, favorite] };
}

function refuseUnlessTheirs(favorite: Favorite, mayReplace: MayReplace): void {
  if (mayReplace(favorite)) return;
  throw new Refusal(
    'foreign',
    say`${favorite.name} was saved by ${person(favorite.savedBy)}. Only they or an admin can change it, so nothing was done.`,
  );
}
