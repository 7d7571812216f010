import type { Instead } from '../refusal.ts';
import { closest } from './closest.ts';

/** One of these, whatever was typed. */
export function oneOf(...lists: readonly (readonly string[])[]): Instead {
  return () => lists;
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

/** "2 weeks", "2weeks" as 2w. */
function inShort(words: readonly string[]): readonly string[] {
  return words.flatMap((word, at) => {
    const isUnitOfNumber = /^\d{1,5}$/.test(words[at - 1] ?? '') && unitOf(word) !== undefined;
    if (isUnitOfNumber) return [];
    const [, count = word, typed] = /^(\d{1,5})([a-z]+)?$/i.exec(word) ?? [];
    const unit = unitOf(typed ?? words[at + 1]);
    return /^\d{1,5}[a-z]*$/i.test(word) && unit !== undefined ? [`${count}${unit}`] : [word];
  });
}
