import type { Gap, Instead } from '../refusal.ts';
import { closest } from './closest.ts';

/** One of these, whatever was typed. */
export function oneOf(...lists: ReturnType<Instead>): Instead {
  return () => lists;
}

/** A word, what is asked for in its place, or several of both. */
type Part = string | Gap | readonly (string | Gap)[];

/** A person, who is picked. */
export const PERSON: Gap = { asks: 'person', label: 'Pick a person' };

/** A channel, which is picked. */
export const CHANNEL: Gap = { asks: 'channel', label: 'Pick a channel' };

/** Why something is done. */
export const REASON: Gap = { asks: 'text', label: 'Reason' };

/** Words that are typed as in the request itself. `example`: of them. */
export function inWords(what: string, example: string): Gap {
  return { asks: 'words', label: `${what}, such as ${example}` };
}

/** The same with one of these at its end. */
export function followedBy(...parts: readonly Part[]): Instead {
  return (words) => parts.map((part) => [...words, ...partsOf(part)]);
}

/** The same with one of these after the last word that is `word`, in any case. */
export function withAfter(word: string, ...parts: readonly Part[]): Instead {
  return (words) => putAt(words, word, parts, 1, 0);
}

/** The same with one of these in the place of the last word that is `word`, in any case. */
export function withInPlaceOf(word: string, ...parts: readonly Part[]): Instead {
  return (words) => putAt(words, word, parts, 0, 1);
}

function putAt(
  words: readonly string[],
  word: string,
  parts: readonly Part[],
  after: number,
  dropped: number,
): ReturnType<Instead> {
  const at = words.findLastIndex((one) => one.toLowerCase() === word.toLowerCase());
  if (at < 0) return [];
  return parts.map((part) => {
    const all: (string | Gap)[] = [...words];
    return all.toSpliced(at + after, dropped, ...partsOf(part));
  });
}

function partsOf(part: Part): readonly (string | Gap)[] {
  return typeof part === 'string' || 'asks' in part ? [part] : part;
}

/** Everything that these offer. */
export function anyOf(...all: readonly Instead[]): Instead {
  return (words) => all.flatMap((one) => one(words));
}

/** The same with a wrong word replaced by the candidate that it is a slip of. */
export function mendWord(wrong: string, candidates: readonly string[]): Instead {
  const right = closest(wrong, candidates);
  return (words) =>
    right === undefined
      ? []
      : [words.map((word) => (word.toLowerCase() === wrong.toLowerCase() ? right : word))];
}

/** The same with lengths of time as they are read: "2 weeks" as 2w. */
export const mendTimes: Instead = (words) => changed(words, inShort(words));

/** The same with options that are a slip of one of `names`, or lack their dashes, and with lengths of time as they are read. */
export function mendOptions(names: readonly string[]): Instead {
  return (words) =>
    changed(
      words,
      inShort(words).map((word) => asOption(word, names)),
    );
}

function asOption(word: string, names: readonly string[]): string {
  const [, dashes = '', name = '', value = ''] = /^(-{0,2})([a-z][a-z-]*)(=.*)?$/i.exec(word) ?? [];
  const isBare = dashes === '';
  if (isBare)
    return BARE.has(word.toLowerCase()) && names.includes(word.toLowerCase())
      ? `--${word.toLowerCase()}`
      : word;
  const right = names.includes(name) ? name : closest(name, names);
  return right === undefined ? word : `--${right}${value}`;
}

/** Options that people give without their dashes; a reason may hold any other word. */
const BARE: ReadonlySet<string> = new Set(['last', 'type', 'csv', 'dry-run']);

function changed(words: readonly string[], mended: readonly string[]): readonly (readonly string[])[] {
  return mended.join(' ') === words.join(' ') ? [] : [mended];
}

const UNITS = [
  [/^m(?:in(?:ute)?s?)?$/i, 'm'],
  [/^h(?:(?:ou)?rs?)?$/i, 'h'],
  [/^d(?:ays?)?$/i, 'd'],
  [/^w(?:(?:ee)?ks?)?$/i, 'w'],
] as const;

function unitOf(word: string | undefined): string | undefined {
  return word === undefined ? undefined : UNITS.find(([pattern]) => pattern.test(word))?.[1];
}

/** "2 weeks", "2weeks" as 2w; "2 or 3 hours" stays, since nobody said which. */
function inShort(words: readonly string[]): readonly string[] {
  if (/\b\d+[a-z]* (?:or|to) \d/i.test(words.join(' '))) return words;
  return words.flatMap((word, at) => {
    const isUnitOfNumber = /^\d{1,5}$/.test(words[at - 1] ?? '') && unitOf(word) !== undefined;
    if (isUnitOfNumber) return [];
    const [, count = word, typed] = /^(\d{1,5})([a-z]+)?$/i.exec(word) ?? [];
    const unit = unitOf(typed ?? words[at + 1]);
    return /^\d{1,5}[a-z]*$/i.test(word) && unit !== undefined ? [`${count}${unit}`] : [word];
  });
}
