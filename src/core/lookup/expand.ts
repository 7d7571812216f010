import { asTyped } from '../ask/words.ts';
import { Refusal } from '../refusal.ts';
import type { Instance } from '../../platform/hosting/service.ts';
import { person, type Phrase, say } from '../../platform/slack/phrase.ts';
import type { Favorite, Favorites } from './favorites.ts';
import { findExactly } from './find.ts';
import { isFilter } from '../instances/filter.ts';
import type { Sight } from './sight.ts';

/** Words in which a favorite stands for its filters. */
export interface Expanded {
  /** Filters, and words that are neither a filter nor a favorite. */
  readonly words: readonly string[];
  /** The favorite that was among them. */
  readonly favorite: Favorite | undefined;
}

/**
 * Words with the filters of a favorite in its place: the one way in which a favorite is understood, whatever it is typed
 * after. One that would tell its reader a name is not there for them. Throws a Refusal for two of them, which could mean both or
 * what both match. `findVisible`: asked where words name instances as well as filters. Among names alone, the exact name or id
 * of an instance that they give is that instance: nobody's favorite stands between a person and what they name.
 */
export async function expandFavorite(
  favorites: Favorites,
  words: readonly string[],
  mayKnow: Sight['mayKnow'],
  findVisible?: () => Promise<readonly Instance[]>,
): Promise<Expanded> {
  const none = { words, favorite: undefined };
  const others = words.filter((word) => !isFilter(word));
  if (others.length === 0) return none;
  const known = new Map((await favorites.list()).filter(mayKnow).map((one) => [one.name, one]));
  const called = others.filter((word) => known.has(word.toLowerCase()));
  const areNames = called.length > 0 && others.length === words.length;
  const visible = areNames ? ((await findVisible?.()) ?? []) : [];
  const meant = called.filter((word) => findExactly(word, visible).found === 'none');
  const [typed] = meant;
  const favorite = typed === undefined ? undefined : known.get(typed.toLowerCase());
  if (!favorite || typed === undefined) return none;
  if (meant.length > 1) {
    throw new Refusal(
      'one-at-a-time',
      say`I take one favorite at a time, so nothing was done. You can add filters to it, as in /instances ${favorite.name} status:running.`,
    );
  }
  return {
    words: words.flatMap((word) => (word === typed ? favorite.words : [word])),
    favorite,
  };
}

/** What a favorite stands for, and whose it is. */
export function favoriteWords({ name, words, savedBy }: Favorite): Phrase {
  return say`${name} is ${asTyped(words)}, saved by ${person(savedBy)}.`;
}
