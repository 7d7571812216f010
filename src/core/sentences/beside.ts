import { FILLER, LEADING } from './atoms.ts';
import { isCommon } from './names.ts';
import { looksLikeTime } from './no-end.ts';
import { patternOf } from './pattern.ts';
import { type Clause, sentenceOf, type Sentence } from './read.ts';
import { ALL, isSmallWord, THANKS, THINGS, UNITS } from './tables.ts';
import { isCertain, type SpokenTarget } from './target.ts';

const LEAVE_OUT = [
  '(but|and)? (leave|keep|let|leaving|keeping) <x> (alone|be|out|on|up|off|down|running|stopped|online|as is|as its|as they are|out of this|untouched)?',
  '(but|and)? (omit|omitting|skip|skipping|spare|sparing|exclude|excluding|ignore|ignoring|leave out|leaving out) <x>',
  '(but|and)? (other than|except|except for|apart from|besides|save|minus|but not|not|no|without) <x>',
  '(do not|never|not to) touch <x>',
  '<x> (is to|are to|must|should|has to|have to|can|may)? (stays|stay|keeps|keep|remains|remain) (on|up|off|down|running|online|alone|untouched|as is|as its|as they are)?',
  '<x> (is|are)? (excluded|excepted|omitted|spared|exempt|left alone|left out)',
].map((pattern) => patternOf(pattern, true));

/** What a clause leaves out of the order beside it: "keep db-1", "but not web-1"; undefined where it is something else, or not certain what. Pure. */
export function leftOutBy(clause: Pick<Clause, 'text'>, { slots }: Sentence): SpokenTarget | undefined {
  const at = LEAVE_OUT.flatMap((pattern) => pattern.match(clause.text)?.at.get('x') ?? [])[0];
  const filled = at === undefined ? undefined : slots[at];
  return filled?.slot === 'x' && isCertain(filled.target) ? filled.target : undefined;
}

/**
 * What a clause beside an order is to it: `said` where each of its words is known to change nothing, or a reason begins so; `apart` where it is about
 * something else, so that the order stands for itself and the clause is said to be left over; `unclear` where it may say what else is meant, or when. `ordered`: what
 * the order is about. `isAfter`: it stands behind the order, so that it must tell of something else. Pure.
 */
export function besideOf(
  { words }: Pick<Clause, 'words'>,
  { slots }: Sentence,
  ordered: readonly (SpokenTarget | undefined)[],
  isAfter: boolean,
): 'said' | 'apart' | 'unclear' {
  const text = sentenceOf(words);
  const [first = '', ...more] = words;
  if (CONDITION.test(text)) return 'unclear';
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
    if (words.length === named.length || isOfKind || BINDS.has(first)) return 'unclear';
    if (left.every((word) => word.startsWith('<x'))) {
      const isHow = words.every((word) => word.startsWith('<x') || isState(word));
      if (STATEMENT.test(text) || (isSame && isHow))
        return isOne || (isByName && !isAny) ? 'said' : 'unclear';
      return isOne && isHow ? 'apart' : 'unclear';
    }
    return isOne && isSame ? 'apart' : 'unclear';
  }
  if (words.every((word) => isCourtesy(word) || (isOne && HOW.has(word)))) return 'said';
  if (left.length === 0 && STATEMENT.test(text)) return 'said';
  // "For the old ones", "for the next month", "for the demo at 9": of which, for how long, or when.
  const isOther =
    (!isOne && more.some((word) => THINGS.has(word))) ||
    (first === 'as' && !isSubject(more[0])) ||
    more.some(
      (word) => COMING.test(word) || (first === 'for' && (word.startsWith('<span') || looksLikeTime([word]))),
    );
  if (REASON.test(first) && more.length > 0 && !isOther) return 'said';
  const isOfTime =
    left.length > 0 &&
    (/^<(?:when|span)/.test(first) ||
      looksLikeTime(left) ||
      left.some((word) => word.startsWith('<size')) ||
      left.every((word) => /^(?:<(?:when|span|number|size)|\d)/.test(word)));
  // "Running", "the old ones", "next week": of which, or when.
  const mayPick = left.length === 0 && words.some((word) => !isCourtesy(word) && mayNarrow(word));
  if (BINDS.has(first) || REASON.test(first) || isOfTime || mayPick) return 'unclear';
  // "Forget it", "remove it", but for "need it".
  const isOfThat = first !== 'need' && /^[a-z]\S* <x\d+t>$/.test(words.join(' '));
  return isOne && !isOfThat && (!isAfter || isOfItsOwn(first, more)) ? 'apart' : 'unclear';
}

/** Whether words tell of something else: "ana is fine with it"; "slowly" and "in theory" say more of the order. */
function isOfItsOwn(first: string, more: readonly string[]): boolean {
  return more.length > 0 && (isSubject(first) || THANKS.has(first) || !isSmallWord(first));
}

function isSubject(word = ''): boolean {
  return word.startsWith('<x') || /^(?:i|we|you|he|she|they|its|there)$/.test(word);
}

/** Words that say nothing of what is to be done, or of what. */
function isCourtesy(word: string): boolean {
  return FILLER.has(word) || LEADING.has(word) || THANKS.has(word) || SAID.has(word);
}

/** How something is, said of what is named beside it. */
function isState(word: string): boolean {
  return isCourtesy(word) || HOW.has(word) || (isCommon(word) && !THINGS.has(word) && !ALL.has(word));
}

/** Whether a word may say which are meant, how many, or when, where it stands by itself. */
function mayNarrow(word: string): boolean {
  return isCommon(word) || NARROWS.has(word) || Object.hasOwn(UNITS, word);
}

function isSaid(word: string): boolean {
  return isCourtesy(word) || HOW.has(word) || isStateWord(word);
}

/** How something is, and the words of the language itself, but for those that bind what follows to what stands before. */
function isStateWord(word: string): boolean {
  return !BINDS.has(word) && (isSmallWord(word) || isCommon(word));
}

const SAID: ReadonlySet<string> = new Set('sorry fine okay'.split(' '));
/** Of one that is named these say how it is; of many they may say which. */
const HOW: ReadonlySet<string> = new Set('needed responding hangs dead stuck'.split(' '));
const REASON = /^(?:because|cause|cuz|its|so|for|they|since|as)$/;
/** A time of what is still to come, so that a reason with it may say when. */
const COMING = /^(?:<when|(?:today|tonight|tomorrow|weekend|(?:mon|tues|wednes|thurs|fri|satur|sun)days?)$)/;
/** "Is down", "web-1 and web-2 are slow". */
const STATEMENT =
  /^ (?:<x\d+t?> (?:(?:and|or) <x\d+t?> )*)?(?:is|are|am|has|have|been|being|looks?|looking|seems?|gets?|got|getting) /;
/** "As soon as it is up", "in case it is down". */
const CONDITION = /^ (?:(?:as |so )?(?:soon|long|far|often) as|in case|on condition) /;
const NARROWS: ReadonlySet<string> = new Set(
  'any some much many more most such own same last next'.split(' '),
);
/** A clause that begins so says when, whether, how or of which the rest is meant. */
const BINDS: ReadonlySet<string> = new Set(
  `once when whenever after before until till unless if provided providing assuming given while during following upon pending only
  first later but except besides save minus without not no never either or rather instead other others rest last every each any all
  both one two three starting beginning stay stays keep keeps leave`.split(/\s+/),
);

function isAmong({ called, unknown }: SpokenTarget, target: SpokenTarget): boolean {
  const [all, each] = [target.called.flat(), called.flat()];
  const isAll =
    each.every((one) => all.includes(one)) && unknown.every((word) => target.unknown.includes(word));
  return isAll && each.length + unknown.length > 0;
}
