import type { Instance } from '../../platform/hosting/service.ts';
import { isFilter } from '../instances/filter.ts';
import { isCommon, isKind } from './names.ts';
import { rightly } from './orders.ts';
import type { Phrasebook } from './phrasebook.ts';
import type { Sentence } from './read.ts';
import { EVERY } from './read-described.ts';
import type { Rendered } from './render.ts';
import { isSmallWord, PARTICLES, STATES, THINGS } from './tables.ts';
import { mayBeDay } from './weekdays.ts';

/** What an answer is given to, and which slots of its sentence its pattern explains. */
type Read = Rendered & {
  readonly at: ReadonlySet<number>;
  /** Whether it is said only with slips of the finger read as the words that were meant. */
  readonly isMended: boolean;
  /** The pattern that it is an answer to, spelled out. */
  readonly asked: string;
  /** Whether it can be filtered by what is asked about. */
  readonly isFiltered: boolean;
};

/** What of a sentence its answer leaves out: words that mean nothing here, times, other instances, and an order, as they were typed. */
export function unreadIn(book: Phrasebook, sentence: Sentence, read: Read): readonly string[] {
  return sentence.clauses.flatMap(({ words, isQuestion }, index) => {
    const { [index - 1]: before, [index + 1]: after } = sentence.clauses;
    const near = [before?.words.at(-1), ...words, after?.words[0]];
    const [first = '', second = ''] = words;
    const isOrder = !isQuestion && book.begins.has(first) && second.startsWith('<x');
    return words.flatMap((word, at) => {
      const slot = /^<[a-z]+(\d+)t?>$/.exec(word)?.[1];
      if (slot !== undefined) return unreadOf(sentence, Number(slot), read);
      const isAskedFor = isOrder && (at === 0 || (mayBeDay(word) && !isSmallWord(word)));
      if (isAskedFor && !read.words.includes(word)) return [word];
      if (isLeftOut(word, read, isBesideTarget(near, at + 1))) return [word];
      if (isKindOf(words, at) && !read.asked.includes(word)) return [word];
      const meant = read.isMended ? rightly(book, word) : word;
      return book.ordinary.has(meant) || isCommon(meant) || isSmallWord(meant) ? [] : [word];
    });
  });
}

/** Whether a word is a state that the answer isn't filtered by, where it is by another or `isOfKind`: the word says which are meant. */
function isLeftOut(word: string, { words, asked }: Read, isOfKind: boolean): boolean {
  const filter = PARTICLES.has(word) ? undefined : STATES[word];
  if (filter === undefined) return false;
  const [field, value = ''] = filter.split(':');
  const given = words.filter(isFilter);
  if (given.some((one) => one.includes(`${field}:`) && one.includes(value))) return false;
  return given.length > 0 || (isOfKind && !asked.includes(word));
}

/** Whether the word at a place is said with a target as another of its kind: "broken and <x>", "<x> or broken", and with a mark between them. */
function isBesideTarget(words: readonly (string | undefined)[], at: number): boolean {
  const isTarget = (place: number): boolean => words[place]?.startsWith('<x') ?? false;
  const isJoin = (place: number): boolean => /^(?:and|or)$/.test(words[place] ?? '');
  const isBehind = (isJoin(at - 1) && isTarget(at - 2)) || (at === 1 && isTarget(0));
  const isBefore = (isJoin(at + 1) && isTarget(at + 2)) || (at === words.length - 2 && isTarget(at + 1));
  return isBehind || (isBefore && !isTarget(at - 1));
}

/** Whether a word says of which kind things are, and no filter says it: "old" of "the old ones", "the big running servers". */
function isKindOf(words: readonly string[], at: number): boolean {
  if (!isKind(words[at] ?? '')) return false;
  const next = words
    .slice(at + 1)
    .find((word) => !isKind(word) && STATES[word] === undefined && !/^(?:and|or)$/.test(word));
  return THINGS.has(next ?? '');
}

/** What stands in a slot, as far as an answer leaves it out. */
function unreadOf(
  { slots, typed }: Sentence,
  index: number,
  { words, at, used, asked, isFiltered }: Read,
): readonly string[] {
  const filled = slots[index];
  if (!filled) return [];
  const part = typed[index] ?? '';
  if (filled.slot === 'x') {
    const { called, unknown, filters, isVague } = filled.target;
    if (isVague && called.length + filters.length + unknown.length === 0) {
      const left = part.split(' ').filter((word) => !isCommon(word) && !asked.includes(word));
      return left.length > 0 ? [left.join(' ')] : [];
    }
    const isAsked = part.split(' ').some((word) => STATES[word] !== undefined && asked.includes(word));
    const isOfOthers = filters.some((one) => one !== EVERY && !words.some((word) => one.endsWith(word)));
    if (isOfOthers && !isAsked) return [part];
    const isIn = ({ id, name }: Instance): boolean =>
      words.some((one) => one === id || one.includes(name) || hasStart(one, name));
    // Of what is filtered, or could be and isn't, the filter alone says what is shown.
    const isByFilter = words.some(isFilter) || (isFiltered && words.length === 0);
    const isShown = at.has(index) && unknown.length === 0 && !isByFilter;
    const others = isShown ? [] : called.filter((those) => !those.some(isIn));
    return [
      ...others.flatMap(([first]) => first?.name ?? []),
      ...unknown.filter((word) => !words.some((one) => one.endsWith(word))),
    ];
  }
  if (filled.slot === 'size')
    return words.some((one) => one.toLowerCase().includes(filled.word)) ? [] : [part];
  const isTime = filled.slot === 'span' || filled.slot === 'when';
  return isTime && !at.has(index) && !used.has(filled) ? [part] : [];
}

/** Whether a filter is for names that begin as this one does: `name:web-*`. */
function hasStart(filter: string, name: string): boolean {
  const [, patterns = ''] = /^name:(.+)$/.exec(filter) ?? [];
  return patterns.split(',').some((one) => one.endsWith('*') && name.startsWith(one.slice(0, -1)));
}
