import type { Instance } from '../../platform/hosting/service.ts';
import type { Atom } from './atoms.ts';
import type { Names } from './names.ts';
import { PARTICLES, PARTS, THINGS, UNITS } from './tables.ts';
import { countWhile, isOrdinary, type Known, NOTHING, type ReadTarget, textAt } from './target.ts';

/** "web-1", "web 1", "web-1 (101)", "web-1/web-2", "the instance slow". */
export function readName(
  known: Known,
  atoms: readonly Atom[],
  at: number,
  isSought: boolean,
): ReadTarget | undefined {
  const { names } = known;
  const start =
    at +
    (THINGS.has(textAt(atoms, at) ?? '') && names.called([textAt(atoms, at + 1) ?? '']).length > 0 ? 1 : 0);
  if (isMarked(atoms[start])) return undefined;
  for (let length = 4; length > 0; length--) {
    const words = atoms.slice(start, start + length);
    if (words.length < length || words.some(({ isMark }) => isMark)) continue;
    const called = calledBy(
      names,
      words.map(({ letters }) => letters),
    );
    if (called.length === 0) continue;
    const [word] = words;
    if (length === 1 && word && isOrdinary(known, word.text) && !isSought) return undefined;
    if (
      length === 1 &&
      word &&
      /^\d+$/.test(word.text) &&
      UNITS[textAt(atoms, start + 1) ?? ''] !== undefined
    )
      return undefined;
    return withId(names, called, atoms, start + length);
  }
  const parts = (atoms[start]?.letters ?? '').split(/[/+&]/);
  const each = parts.map((part) => names.called([part]));
  if (parts.length > 1 && each.every((those) => those.length > 0))
    return { target: { ...NOTHING, called: each }, next: start + 1 };
  return undefined;
}

/** Whether a mark stands before a word that may leave it out: "-web-1", "!web-1". */
function isMarked(atom: Atom | undefined): boolean {
  return atom !== undefined && !/^[\p{L}\p{N}@#]/u.test(atom.letters);
}

/** Those of a name, also where it stands in the genitive: "web-1's". */
function calledBy(names: Names, words: readonly string[]): readonly Instance[] {
  const called = names.called(words);
  const last = words.at(-1) ?? '';
  const owner = last.replace(/['\u2019]?s$/i, '');
  return called.length > 0 || owner === last || !/\d$/.test(owner)
    ? called
    : names.called([...words.slice(0, -1), owner]);
}

/** A name with an id behind it is that one; where the id is another's, it may be either. */
function withId(names: Names, called: readonly Instance[], atoms: readonly Atom[], next: number): ReadTarget {
  const id = idBehind(atoms, next);
  const byId = id === undefined ? [] : names.all.filter((one) => one.id === id);
  if (byId.length === 0) return { target: { ...NOTHING, called: [called] }, next };
  const isOne = called.some((one) => byId.includes(one));
  return { target: { ...NOTHING, called: [isOne ? byId : [...called, ...byId]] }, next: next + 3 };
}

/** What stands in brackets behind a name, as its id does. */
function idBehind(atoms: readonly Atom[], next: number): string | undefined {
  return textAt(atoms, next) === '(' && textAt(atoms, next + 2) === ')' ? textAt(atoms, next + 1) : undefined;
}

/** "that thing", "the most expensive one", "one of the sleeping ones". */
export function readVague(atoms: readonly Atom[], at: number): ReadTarget | undefined {
  if (PARTICLES.has(textAt(atoms, at) ?? '') || textAt(atoms, at) === 'back') return undefined;
  const words = countWhile(atoms, at, ({ isMark }) => !isMark);
  const texts = atoms.slice(at, at + words).map(({ text }) => text);
  // "The cheapest": which one that is, nobody said.
  const most = texts[0] === 'most' || texts[0] === 'least' ? 2 : SUPERLATIVES.has(texts[0] ?? '') ? 1 : 0;
  if (most > 0 && texts.length >= most) {
    const things = countWhile(atoms, at + most, ({ text }) => THINGS.has(text));
    return { target: { ...NOTHING, isVague: true }, next: at + most + things };
  }
  const last = texts.findLastIndex((word) => THINGS.has(word) || word === 'something');
  const isSaid =
    texts.slice(0, last + 1).some((word) => NOT_VAGUE.has(word)) ||
    UNITS[texts[last + 1] ?? ''] !== undefined;
  return last >= 0 && last <= MOST_VAGUE && !isSaid
    ? { target: { ...NOTHING, isVague: true }, next: at + last + 1 }
    : undefined;
}

const MOST_VAGUE = 2;

const SUPERLATIVES: ReadonlySet<string> = new Set(
  'cheapest dearest priciest costliest biggest largest smallest oldest newest latest slowest fastest worst best'.split(
    ' ',
  ),
);

const NOT_VAGUE: ReadonlySet<string> = new Set('for by in to of and or you i we they about with'.split(' '));

const SHORTEST_MISTYPED = 4;

/** A word that looks like a name, or is near to one: "web-3", "w1", "stagin". */
export function readUnknown(
  known: Known,
  atoms: readonly Atom[],
  at: number,
  isSought: boolean,
): ReadTarget | undefined {
  const atom = atoms[at];
  if (!atom || atom.isMark || isMarked(atom) || isOrdinary(known, atom.text)) return undefined;
  if (isSought && /^\d{2,}$/.test(atom.text) && UNITS[textAt(atoms, at + 1) ?? ''] === undefined)
    return { target: { ...NOTHING, unknown: [atom.letters] }, next: at + 1 };
  if (isSought && PARTS.has(atom.text))
    return { target: { ...NOTHING, unknown: [atom.letters] }, next: at + 1 };
  const isLikely = looksLikeName(atom.text);
  if (!isLikely && !(isSought && atom.text.length >= SHORTEST_MISTYPED)) return undefined;
  // Among ten thousand names that takes 95 ms, so it is asked last.
  if (!(isLikely && isSought) && known.names.near(atom.text).length === 0) return undefined;
  const hasId = isLikely && /\d/.test(idBehind(atoms, at + 1) ?? '');
  return { target: { ...NOTHING, unknown: [atom.letters] }, next: at + (hasId ? 4 : 1) };
}

/** Whether a word looks like the name of an instance: with a number, or in parts. */
export function looksLikeName(word: string): boolean {
  return /^(?=.*[a-z])[a-z0-9]+(?:[-_.:][a-z0-9]+)+$|^[a-z]+\d+$/i.test(word) && word !== 'add-on';
}

/** Words of a line that look like names and are none: "zeus-9" of "is zeus-9 down?". Pure. */
export function namesMissingIn(line: string, names: Names): readonly string[] {
  const isMissing = (word: string): boolean =>
    looksLikeName(word) && /\d/.test(word) && !word.includes(':') && names.called([word]).length === 0;
  return [...new Set(line.split(/[\s,;?!]+/).filter(isMissing))];
}
