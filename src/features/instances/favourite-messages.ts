import { asTyped } from '../../core/ask/words.ts';
import { Refusal } from '../../core/refusal.ts';
import type { Favourite } from '../../core/lookup/favourites.ts';
import { person, type Phrase, say, strong, time } from '../../platform/slack/phrase.ts';

/** What a favourite is, and how it is used from now on. */
export function savedWords({ name, words }: Favourite): Phrase[] {
  return [
    say`Saved ${strong(name)}: ${asTyped(words)}`,
    say`Everybody here can use it wherever filters go, as in instances ${name}. Each sees only what they may.`,
  ];
}

/** The head of a page of favourites. */
export function favouritesHead(count: number, from: number, shown: number): Phrase {
  const all = count === 1 ? '1 favourite' : `${count} favourites`;
  return shown === count ? say`${all}:` : say`${from + 1} to ${from + shown} of ${all}:`;
}

/** One favourite in a list. */
export function favouriteLine({ name, words, savedBy, savedAt }: Favourite): Phrase {
  return say`${strong(name)}: ${asTyped(words)} · saved by ${person(savedBy)} ${time(savedAt)}`;
}

/** There is none yet, and how to save one. */
export function noFavourites(): Phrase {
  return say`There are no favourites yet. To save one: instances save nightly = name:staging-*`;
}

/** A favourite is gone, and how to have it back. */
export function forgotten({ name, words }: Favourite): Phrase[] {
  return [say`Removed ${strong(name)}. To have it back: instances save ${name} = ${asTyped(words)}`];
}

/** There is no such favourite. `name`: as it was typed; undefined where it was not, or by a button. */
export function noSuchFavourite(name: string | undefined): Phrase {
  return name === undefined
    ? say`That favourite has been changed or removed. To see which there are: instances favourites`
    : say`There is no favourite "${name}". To see which there are: instances favourites`;
}

/** A name that means something already. */
export function nameTaken(name: string): Refusal {
  return new Refusal(
    'bad-favourite',
    say`"${name}" can't be the name of a favourite, because it means something already. Nothing was saved; take another name.`,
  );
}
