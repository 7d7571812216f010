import type { Instance } from '../../platform/hosting/service.ts';
import { isCommon } from './names.ts';
import { rightly } from './orders.ts';
import type { Phrasebook } from './phrasebook.ts';
import type { Sentence } from './read.ts';
import type { Rendered } from './render.ts';
import { isSmallWord } from './tables.ts';
import { mayBeDay } from './when.ts';

/** What an answer is given to, and which slots of its sentence its pattern explains. */
type Read = Rendered & {
  readonly at: ReadonlySet<number>;
  /** Whether it is said only with slips of the finger read as the words that were meant. */
  readonly isMended: boolean;
};

/** What of a sentence its answer leaves out: words that mean nothing here, times, other instances, and an order, as they were typed. */
export function unreadIn(book: Phrasebook, sentence: Sentence, read: Read): readonly string[] {
  return sentence.clauses.flatMap(({ words, isQuestion }) => {
    const [first = '', second = ''] = words;
    const isOrder = !isQuestion && book.begins.has(first) && second.startsWith('<x');
    return words.flatMap((word, at) => {
      const slot = /^<[a-z]+(\d+)t?>$/.exec(word)?.[1];
      if (slot !== undefined) return unreadOf(sentence, Number(slot), read);
      const isAskedFor = isOrder && (at === 0 || (mayBeDay(word) && !isSmallWord(word)));
      if (isAskedFor && !read.words.includes(word)) return [word];
      const meant = read.isMended ? rightly(book, word) : word;
      return book.ordinary.has(meant) || isCommon(meant) || isSmallWord(meant) ? [] : [word];
    });
  });
}

/** What stands in a slot, as far as an answer leaves it out. */
function unreadOf({ slots, typed }: Sentence, index: number, { words, at, used }: Read): readonly string[] {
  const filled = slots[index];
  if (!filled) return [];
  if (filled.slot === 'x') {
    const { called, unknown } = filled.target;
    const isIn = ({ id, name }: Instance): boolean => words.some((one) => one === id || one.includes(name));
    const others = at.has(index) ? [] : called.filter((those) => !those.some(isIn));
    return [
      ...others.flatMap(([first]) => first?.name ?? []),
      ...unknown.filter((word) => !words.some((one) => one.endsWith(word))),
    ];
  }
  const isTime = filled.slot === 'span' || filled.slot === 'when';
  return isTime && !at.has(index) && !used.has(filled) ? [typed[index] ?? ''] : [];
}
