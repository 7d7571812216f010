import { anyOf, inWords } from '../../core/ask/mend-words.ts';
import { isFilter, parseFilters } from '../../core/instances/filter.ts';
import { type Instead, Refusal } from '../../core/refusal.ts';
import type { Feature } from '../../core/intake/route.ts';
import { typedVerbs } from '../../core/intake/route-index.ts';
import { say, person, type Phrase, strong, time } from '../../platform/slack/phrase.ts';
import { asTyped } from '../../core/ask/words.ts';
import { type Part, placeWords } from '../../core/lists/list.ts';
import type { Favorite } from '../../core/lookup/favorites.ts';

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

/** Words that stand beside names in what people type. */
const GRAMMAR = [
  'all',
  'help',
  'none',
  'any',
  'by',
  'at',
  'on',
  'in',
  'is',
  'for',
  'from',
  'until',
  'hours',
  'once',
  'daily',
  'weekly',
  'here',
  'off',
  'skip',
  'next',
  'pause',
  'remove',
  'mon',
  'tue',
  'wed',
  'thu',
  'fri',
  'sat',
  'sun',
];
const NAME = /^[\p{L}\p{N}][\p{L}\p{N}._-]{0,39}$/u;
const MAX_WORDS = 20;
const MAX_CHARACTERS = 300;

/** Words that no favorite may be called: verbs, nouns and what stands beside names. */
export function reservedWords(features: readonly Feature[]): ReadonlySet<string> {
  const ofFeatures = features.flatMap(({ noun, routes }) => [
    noun,
    ...routes.flatMap((route) => [route.verb, ...typedVerbs(route), ...(route.spoken?.verbs ?? [])]),
  ]);
  return new Set([...GRAMMAR, ...ofFeatures]);
}

/** A name and filters with the equals sign between them. */
function asFavorite(words: readonly string[]): ReturnType<Instead> {
  const named = words.filter((word) => word !== '=' && word.toLowerCase() !== 'as' && !isFilter(word));
  const filters = words.filter(isFilter);
  const [name, other] = named;
  return name !== undefined && other === undefined && filters.length > 0 ? [[name, '=', ...filters]] : [];
}

/** A name, filters, or both, where nothing else was typed. */
const whatIsMissing: Instead = (words) => {
  const [name, ...more] = words.filter((word) => word !== '=');
  if (name === undefined) return [[inWords('Name and filters', 'nightly = name:staging-*')]];
  if (more.length > 0 || isFilter(name)) return [];
  return [[name.replace(/=$/, ''), '=', inWords('Filters', 'name:staging-*')]];
};

/** `nightly = name:staging-*`, read. Throws a Refusal. `now`: Unix ms. */
export function parseFavorite(
  asked: readonly string[],
  reserved: ReadonlySet<string>,
  now: number,
): { readonly name: string; readonly words: readonly string[] } {
  const { name, words } = aroundEquals(asked);
  if (name === '' || words.length === 0) {
    throw new Refusal(
      'bad-favorite',
      say`Give me a name and filters, as in /instances save nightly = name:staging-*. Nothing was saved.`,
      anyOf(asFavorite, whatIsMissing),
    );
  }
  if (reserved.has(name)) throw nameTaken(name);
  if (!NAME.test(name)) {
    throw new Refusal(
      'bad-favorite',
      say`"${name}" can't be the name of a favorite. A name is one word of letters, digits, dots, dashes and underscores, at most 40. Nothing was saved.`,
    );
  }
  const other = words.find((word) => !word.includes(':'));
  if (other !== undefined) {
    throw new Refusal(
      'bad-favorite',
      say`A favorite consists of filters, and "${other}" is none. Nothing was saved. A filter for names is name:web-*.`,
    );
  }
  parseFilters(words, now);
  if (words.length > MAX_WORDS || words.join(' ').length > MAX_CHARACTERS) {
    throw new Refusal(
      'bad-favorite',
      say`That is too long for a favorite: it takes at most ${MAX_WORDS} filters of ${MAX_CHARACTERS} characters in all. Nothing was saved.`,
    );
  }
  return { name, words };
}

/** What stands before the first =, in lower case, and the words after it. Phones leave the spaces around it out. */
function aroundEquals(asked: readonly string[]): {
  readonly name: string;
  readonly words: readonly string[];
} {
  const at = asked.findIndex((word) => word.includes('='));
  const [before = '', ...after] = (asked[at] ?? '').split('=');
  if (at < 0) return { name: '', words: [] };
  return {
    name: [...asked.slice(0, at), before].join(' ').trim().toLowerCase(),
    words: [after.join('='), ...asked.slice(at + 1)].filter((word) => word !== ''),
  };
}
