import { FILLER, LEADING } from './filler.ts';
import { isCommon } from './names.ts';
import { patternOf } from './pattern.ts';
import type { Clause, Sentence } from './read.ts';
import { isSmallWord, THANKS } from './tables.ts';
import { isCertain, type Target } from './target.ts';

const LEAVE_OUT = [
  '(but|and)? (leave|keep|let|leaving|keeping) <x> (alone|be|out|on|up|off|down|running|stopped|online|as is|as its|as they are|out of this|untouched)?',
  '(but|and)? (omit|omitting|skip|skipping|spare|sparing|exclude|excluding|ignore|ignoring|leave out|leaving out) <x>',
  '(but|and)? (other than|except|except for|apart from|besides|save|minus|but not|not|no|without) <x>',
  '(do not|never|not to) touch <x>',
  '<x> (is to|are to|must|should|has to|have to|can|may)? (stays|stay|keeps|keep|remains|remain) (on|up|off|down|running|online|alone|untouched|as is|as its|as they are)?',
  '<x> (is|are)? (excluded|excepted|omitted|spared|exempt|left alone|left out)',
].map((pattern) => patternOf(pattern, true));

/** What a clause leaves out of the order beside it: "keep db-1", "but not web-1"; undefined where it is something else, or not certain what. Pure. */
export function leftOutBy(clause: Pick<Clause, 'text'>, { slots }: Sentence): Target | undefined {
  const at = LEAVE_OUT.flatMap((pattern) => pattern.match(clause.text)?.at.get('x') ?? [])[0];
  const filled = at === undefined ? undefined : slots[at];
  return filled?.slot === 'x' && isCertain(filled.target) ? filled.target : undefined;
}

/**
 * What a clause beside an order is to it: `said` where each of its words is known to change nothing, or a reason begins so; `apart` where it is about
 * something else, so that the order stands for itself and the clause is said to be left over; `unclear` where it may say what else is meant, or when. `ordered`: what
 * the order is about. Pure.
 */
export function besideOf(
  { words }: Pick<Clause, 'words'>,
  { slots }: Sentence,
  ordered: readonly (Target | undefined)[],
): 'said' | 'apart' | 'unclear' {
  const left = words.filter((word) => !isSaid(word));
  const named = words.flatMap((word) => {
    const filled = slots[Number(/^<x(\d+)t?>$/.exec(word)?.[1])];
    return filled?.slot === 'x' && !filled.target.isThat ? [filled.target] : [];
  });
  const meant = ordered.flatMap((target) => (target ? [target] : []));
  const isOne = meant.every(
    ({ filters, called, isAll }) => filters.length === 0 && !isAll && called.length < 2,
  );
  if (named.length > 0) {
    const isAny = named.some((one) => meant.some((target) => isAmong(one, target)));
    const isSame = named.every((one) => meant.some((target) => isAmong(one, target)));
    const isByName = meant.every(({ filters }) => filters.length === 0);
    // "All web, on pro servers" says more of what is meant.
    const isOfKind = words.at(-1)?.startsWith('<x') && named.some(({ filters }) => filters.length > 0);
    if (words.length === named.length || isOfKind) return 'unclear';
    if (left.every((word) => word.startsWith('<x')))
      return isOne || (isByName && !isAny) ? 'said' : 'unclear';
    return isOne && isSame ? 'apart' : 'unclear';
  }
  if (left.length === 0 || REASON.test(words[0] ?? '')) return 'said';
  if (BINDS.has(words[0] ?? '') || left.every((word) => /^(?:<(?:when|span|number)|\d)/.test(word)))
    return 'unclear';
  return isOne ? 'apart' : 'unclear';
}

function isSaid(word: string): boolean {
  return FILLER.has(word) || LEADING.has(word) || THANKS.has(word) || SAID.has(word) || isStateWord(word);
}

/** How something is, and the words of the language itself, but for those that bind what follows to what stands before. */
function isStateWord(word: string): boolean {
  return !BINDS.has(word) && (isSmallWord(word) || isCommon(word));
}

const SAID: ReadonlySet<string> = new Set('sorry needed responding hangs dead stuck fine okay'.split(' '));
const REASON = /^(?:because|cause|cuz|its|so|for|they|since|as)$/;
/** A clause that begins so says when, whether, how or of which the rest is meant. */
const BINDS: ReadonlySet<string> = new Set(
  `once when whenever after before until till unless if provided providing assuming given while during following upon pending only
  first later but except besides save minus without not no never either or rather instead other others rest last every each any all
  both one two three starting beginning stay stays keep keeps leave`.split(/\s+/),
);

function isAmong({ called, unknown }: Target, target: Target): boolean {
  const all = target.called.flat();
  return unknown.length === 0 && called.length > 0 && called.flat().every((one) => all.includes(one));
}
