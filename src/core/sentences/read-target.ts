import type { Instance } from '../../platform/hosting/service.ts';
import { isFilter } from '../instances/filter.ts';
import { type Atom, isPattern } from './atoms.ts';
import { eitherOf, kinPattern, readDescribed } from './read-described.ts';
import { looksLikeName, readName, readUnknown, readVague } from './read-name.ts';
import { ALL, THAT_ONE, THINGS, THOSE } from './tables.ts';
import {
  countWhile,
  isCertain,
  type Known,
  NOTHING,
  type ReadTarget,
  type SpokenTarget,
  textAt,
  without,
} from './target.ts';

const COUNTS: ReadonlySet<string> = new Set('of only other'.split(' '));

const COUNTED: ReadonlySet<string> = new Set('two three four five 2 3 4 5'.split(' '));

const JOINS: ReadonlySet<string> = new Set(', and or then plus / \n :'.split(' '));

const asPhrases = (phrases: string): readonly (readonly string[])[] =>
  phrases.split(',').map((phrase) => phrase.trim().split(/\s+/));

/** What follows these is left out. */
const LEAVES_OUT = asPhrases(
  `that is not, that are not, which are not, except for, except, but not, but for, but, not, without, other than, than, apart from,
  aside from, with exception of, excluding, excepting, omitting, leaving out, leave out`,
);
/** The same after "everything" alone; after a name they say something else. */
const LEAVES_OUT_OF_ALL = asPhrases(
  'besides, beside, save for, save, bar, barring, minus, less, sans, outside of, beyond',
);

/**
 * What the words from `at` on are about: names joined by "and" or commas, "all staging boxes that are off", "it". `isSought`:
 * something must stand there, so that a common word may be a name, and a word that is no name one that was mistyped.
 * `isEither`: "or" leaves it open which is meant. Undefined where they are about nothing. Pure.
 */
export function readTarget(
  known: Known,
  atoms: readonly Atom[],
  at: number,
  isSought: boolean,
  isEither = true,
): ReadTarget | undefined {
  let { target, next, isEmpty } = { target: NOTHING, next: at, isEmpty: true };
  for (;;) {
    let start = next;
    let isOr = false;
    if (!isEmpty) {
      const joins = countWhile(atoms, next, (atom) => JOINS.has(atom.text));
      // "Restart it, web-2 is fine": a comma joins names alone.
      if (target.isThat && atoms.slice(next, next + joins).every(({ isMark }) => isMark)) break;
      isOr = atoms.slice(next, next + joins).some(({ text }) => text === 'or');
      start += joins;
    }
    // A word before a name may be no name itself, and say that this one is not meant.
    const isNoName = target.isVague || target.unknown.some((word) => !looksLikeName(word));
    if (start === next && isNoName) break;
    // "Restart web-1, slow": behind a comma alone a common word says how it is.
    const isJoined = atoms.slice(next, start).some(({ text }) => !/^[,\n]$/.test(text));
    const unit = readUnit(known, atoms, start, isSought && (isEmpty || isJoined));
    const isApart = start > next || (isProper(target) && unit && isProper(unit.target));
    if (!unit || (!isEmpty && (unit.target.isThat || !isApart))) break;
    const either = eitherOf(target.filters, unit.target.filters);
    // No filter says "the running ones or those on pro".
    if (isOr && !either && target.filters.length > 0 && unit.target.filters.length > 0) break;
    target = either
      ? { ...both(target, unit.target), filters: either }
      : both(target, { ...unit.target, isChoice: unit.target.isChoice || (isOr && isEither) });
    next = unit.next;
    isEmpty = false;
  }
  if (isEmpty) return undefined;
  if (!target.isThat && target.called.length > 0 && !isAsMany(target)) target = ofNone(target);
  const left = readLeftOut(known, atoms, next, target.isAll || target.filters.length > 0);
  if (!left) return { target, next };
  const isKin = left.target.isAll && left.target.count === undefined && left.target.called.length > 1;
  // "Except the web servers" is also those to come.
  const kin = { ...NOTHING, filters: [`name:${kinPattern(left.target.called.flat())}`] };
  const others = isKin && target.filters.length > 0 ? kin : left.target;
  return { target: without(target, [others]), next: left.next };
}

/** Whether all of it is names that can be no other word: "web-1 web-2", and not "web-1 database", "slow web-1". */
function isProper({ called, isAll, isChoice, filters }: SpokenTarget): boolean {
  const isName = (those: readonly Instance[]): boolean =>
    those.length === 1 && those.every(({ name }) => looksLikeName(name));
  return !isAll && !isChoice && filters.length === 0 && called.length > 0 && called.every(isName);
}

function both(one: SpokenTarget, other: SpokenTarget): SpokenTarget {
  return {
    called: [...one.called, ...other.called],
    filters: [...one.filters, ...other.filters],
    unknown: [...one.unknown, ...other.unknown],
    except: [],
    exceptBy: [],
    isAll: one.isAll || other.isAll,
    isChoice: one.isChoice || other.isChoice,
    isThat: one.isThat || other.isThat,
    isVague: one.isVague || other.isVague,
    count: one.count ?? other.count,
  };
}

/** What is left out of what was read; undefined where it isn't certain what that is: then nobody has read it. */
function readLeftOut(
  known: Known,
  atoms: readonly Atom[],
  at: number,
  isOfAll: boolean,
): ReadTarget | undefined {
  const start = textAt(atoms, at) === ',' ? at + 1 : at;
  const words = [...LEAVES_OUT, ...(isOfAll ? LEAVES_OUT_OF_ALL : [])].find((one) =>
    one.every((word, index) => textAt(atoms, start + index) === word),
  );
  if (!words) return undefined;
  // Neither "web-1 or db-1" is meant, where that is left out.
  const read = readTarget(known, atoms, start + words.length, false, false);
  // "That is not a web server" is none of them; "except one of them" doesn't say which.
  const isOfNone = words.includes('not') && words.length > 2;
  const left = read && (isOfNone ? { ...read.target, isChoice: false } : read.target);
  return left && isCertain(left) ? { target: left, next: read.next } : undefined;
}

function readUnit(
  known: Known,
  atoms: readonly Atom[],
  at: number,
  isSought: boolean,
): ReadTarget | undefined {
  // "One of the webs": which of them, nobody said.
  if (
    ['one', 'any', 'either', 'first', 'second', 'last'].includes(textAt(atoms, at) ?? '') &&
    textAt(atoms, at + 1) === 'of'
  ) {
    const read = readUnit(known, atoms, at + 2, isSought);
    return read && { target: { ...read.target, isAll: false, isChoice: true }, next: read.next };
  }
  const isFirst = ({ text }: Atom): boolean => ALL.has(text) || COUNTED.has(text);
  const counts = countWhile(atoms, at, isFirst);
  const others =
    counts === 0 ? 0 : countWhile(atoms, at + counts, (atom) => isFirst(atom) || COUNTS.has(atom.text));
  const isThan = textAt(atoms, at + counts + others) === 'than';
  const determiners = counts + others - (isThan && others > 0 ? 1 : 0);
  const before = atoms.slice(at, at + determiners).map(({ text }) => text);
  const isAll =
    before.some((word) => ALL.has(word) && word !== 'any' && word !== 'either') ||
    before.some((word) => COUNTED.has(word));
  const start = at + determiners;
  const pattern = textAt(atoms, start) ?? '';
  if (isPattern(pattern))
    return { target: { ...NOTHING, filters: [`name:${pattern}`], isAll: true }, next: start + 1 };
  const filters = countWhile(atoms, start, ({ letters }) => isFilter(letters));
  if (filters > 0) {
    const typed = atoms.slice(start, start + filters).map(({ letters }) => letters);
    return { target: { ...NOTHING, filters: typed, isAll: true }, next: start + filters };
  }
  const named = readName(known, atoms, start, isSought);
  // "Everything db-1" is neither all nor one.
  if (named && isAll && isProper(named.target) && countedBy(before) === undefined) return undefined;
  if (named)
    return withThing(
      { target: { ...named.target, isAll, count: countedBy(before) }, next: named.next },
      atoms,
    );
  const described = readDescribed(known, atoms, start, before, isSought);
  if (described) {
    const target = { ...described.target, isAll: isAll || described.target.isAll };
    return { target: isSaidOtherwise(target, before) ? ofNone(target) : target, next: described.next };
  }
  const that = textAt(atoms, start);
  if (that !== undefined && THAT_ONE.has(that)) {
    // "those two", "that one", "this machine"
    const things = countWhile(atoms, start + 1, ({ text }) => THINGS.has(text) || COUNTED.has(text));
    const count = countedBy([
      ...before,
      ...atoms.slice(start + 1, start + 1 + things).map(({ text }) => text),
    ]);
    const target = { ...NOTHING, isThat: true, isAll: THOSE.has(that), count };
    return { target, next: start + 1 + things };
  }
  if (isSought && before.at(-1) === 'both')
    return { target: { ...NOTHING, isThat: true, isAll: true }, next: start };
  return (isSought ? readVague(atoms, start) : undefined) ?? readUnknown(known, atoms, start, isSought);
}

/** Whether there are as many as is said, and all of those that are meant: not "two servers", nor "all other boxes". */
function isSaidOtherwise({ called, filters }: SpokenTarget, before: readonly string[]): boolean {
  const count = countedBy(before);
  return before.includes('other') || (count !== undefined && (filters.length > 0 || called.length !== count));
}

/** Whether as many are named as is said: "both web-1 and db-1". */
function isAsMany({ called, count }: SpokenTarget): boolean {
  return count === undefined || [called.length, called.flat().length].includes(count);
}

/** The same where nobody said which of them. */
function ofNone(target: SpokenTarget): SpokenTarget {
  return target.called.length > 0
    ? { ...target, isAll: false, isChoice: true }
    : { ...target, isVague: true };
}

const COUNTS_AS: Readonly<Record<string, number | undefined>> = {
  both: 2,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
};

/** How many words say that there are; undefined where none does. */
function countedBy(words: readonly string[]): number | undefined {
  const word = words.find((one) => one === 'both' || COUNTED.has(one));
  return word === undefined ? undefined : (COUNTS_AS[word] ?? Number(word));
}

/** "the web-1 box" */
function withThing({ target, next }: ReadTarget, atoms: readonly Atom[]): ReadTarget {
  return { target, next: next + countWhile(atoms, next, ({ text }) => THINGS.has(text)) };
}
