import { asTyped } from '../../core/ask/words.ts';
import { type Part, placeWords } from '../../core/lists/list.ts';
import { Refusal } from '../../core/refusal.ts';
import type { Favorite } from '../../core/lookup/favorites.ts';
import { person, type Phrase, say, strong, time } from '../../platform/slack/phrase.ts';

/** What a favorite is, and how it is used from now on. */
export function savedWords({ name, words }: Favorite): Phrase[] {
  return [
    say`Saved ${strong(name)}: ${asTyped(words)}`,
    say`Everyone here can use it in place of filters, as in /instances ${name}. People see only the instances that they have access to.`,
  ];
}

/** The head of favorites; `part`: of a page of them. */
export function favoritesHead(count: number, part?: Part<Favorite>): Phrase {
  const all = count === 1 ? '1 favorite' : `${count} favorites`;
  return part ? say`${placeWords(part)} favorites:` : say`${all}:`;
}

/** One favorite in a list. */
export function favoriteLine({ name, words, savedBy, savedAt }: Favorite): Phrase {
  return say`${strong(name)}: ${asTyped(words)} · saved by ${person(savedBy)} ${time(savedAt)}`;
}

/** There is none yet. */
export function noFavorites(): Phrase {
  return say`There are no favorites yet. A favorite is a name for filters, for everyone here.`;
}

/** A favorite is gone. */
export function forgotten({ name, words }: Favorite): Phrase[] {
  return [say`Removed the favorite ${strong(name)} (${asTyped(words)}).`];
}

/** There is no such favorite. `name`: as it was typed; undefined where it was not, or by a button. */
export function noSuchFavorite(name: string | undefined): Phrase {
  return name === undefined
    ? say`That favorite has been changed or removed. Nothing was done.`
    : say`There is no favorite "${name}".`;
}

/** A name that means something already. */
export function nameTaken(name: string): Refusal {
  return new Refusal(
    'bad-favorite',
    say`"${name}" can't be the name of a favorite, because it already means something. Choose another name; nothing was saved.`,
  );
}
