import { changesFrom } from '../ask/closest.ts';
import { leftOutBy } from './beside.ts';
import { END_WORDS } from './end.ts';
import { FILLER } from './atoms.ts';
import { isCommon } from './names.ts';
import { looksLikeTime } from './no-end.ts';
import { patternOf, type Slot } from './pattern.ts';
import type { Entry, Phrasebook } from './phrasebook.ts';
import { type Clause, sentenceOf, type Sentence } from './read.ts';
import { CORRECTS, isSmallWord, NOT_SO, TAKES_BACK, THINGS } from './tables.ts';
import type { SpokenTarget } from './target.ts';

/** An order that a clause is. */
export interface Order {
  readonly entry: Entry;
  readonly at: ReadonlyMap<Slot, number>;
  /** What a clause beside it leaves out: "but keep db-1". */
  readonly except?: readonly SpokenTarget[];
}

/** What a sentence asks for, and the clauses beside. */
interface Ordered {
  readonly orders: readonly [Order, ...Order[]];
  readonly others: readonly Clause[];
  /** What is meant in place of what the order says: "sorry, I mean web-1". */
  readonly instead?: SpokenTarget;
  /** One of the orders is meant. */
  readonly isOr: boolean;
}

/** What the clauses of a sentence order; undefined where they order nothing, or one of them takes it back. Pure. */
export function ordersOf(book: Phrasebook, sentence: Sentence): Ordered | undefined {
  if (sentence.isQuoted || sentence.isUnfinished) return undefined;
  const orders: Order[] = [];
  const others: Clause[] = [];
  /** Only what stands after an order corrects it. */
  const corrections: Clause[] = [];
  const except: SpokenTarget[] = [];
  let isOr = false;
  for (const [index, clause] of sentence.clauses.entries()) {
    const found = isOnlyAsked(clause, sentence) ? undefined : ordersIn(book, clause);
    if (found && LINKS.has(sentence.clauses[index - 1]?.words.at(-1) ?? '')) return undefined;
    const leftOut = found ? undefined : leftOutBy(clause, sentence);
    if (found) orders.push(...found.orders);
    if (leftOut) except.push(leftOut);
    else others.push(...(found ? found.said : [clause]));
    isOr ||= found?.isOr ?? false;
    if (!found && !leftOut && orders.length > 0) corrections.push(clause);
  }
  const [first, ...more] = orders.map((one) => (except.length > 0 ? { ...one, except } : one));
  if (!first) return undefined;
  // "Tell me if web-1 goes down and restart it": whether it is to be done now, nobody said.
  if (more.length > 0 && sentence.clauses.some(({ words }) => words.some((word) => IF.has(word))))
    return undefined;
  const instead = correctionIn(corrections, sentence);
  const isHeld = orders.some(({ entry }) => entry.route.spoken?.isForAWhile);
  const isKept = !others.some(
    (clause) =>
      hasEnd(clause, sentence) ||
      (isHeld && hasUnread(clause)) ||
      (isDenied(clause) && !(instead && isOnlyNo(clause))),
  );
  if (!isKept) return undefined;
  // What only corrects is no more than what is meant instead.
  const beside = instead ? others.filter((clause) => !isCorrection(clause) && !isBareNo(clause)) : others;
  return { orders: [first, ...more], others: beside, isOr, ...(instead ? { instead } : {}) };
}

const IF: ReadonlySet<string> = new Set('if when whenever once unless'.split(' '));

/** Whether a clause beside says until when: an order that doesn't is another one. */
function hasEnd({ text, words }: Clause, sentence: Sentence): boolean {
  return A_WHILE.test(text) || UNREAD.test(text) || words.some((word) => isEnd(word, sentence));
}

/** Whether a clause beside what may be done for a while says so, although its end can't be read: "for -1h", "for the afternoon". */
function hasUnread({ words: [first = '', ...more] }: Clause): boolean {
  return (first === 'for' || END_WORDS.includes(first)) && (more.length === 0 || looksLikeTime(more));
}

/** An end that can't be read: "for 4x". */
const UNREAD = /^ for (?:<number)?\d/;
/** "For a while", "for the night", as they are without filler. */
const A_WHILE = /^ (?:for )?(?:while|bit|moment|night|tonight|evening|time being) $/;
export const A_NIGHT = /^ for (?:night|tonight) $/;

/** The order of a clause that would be one without its end: "stop web-1 for 2 days"; undefined where it has none. Pure. */
export function orderUntil(book: Phrasebook, sentence: Sentence): Order | undefined {
  // "For a while" is two clauses, since "while" begins one.
  const [clause, ...others] = sentence.clauses.filter(({ text }) => text !== ' for ');
  const isNone = sentence.isQuoted || sentence.isUnfinished;
  if (!clause || isNone || isOnlyAsked(clause, sentence)) return undefined;
  const left = clause.words.filter((word) => !isEnd(word, sentence));
  const hasNone = left.length === clause.words.length && others.length === 0;
  if (hasNone || !others.every((one) => hasEnd(one, sentence) || hasUnread(one))) return undefined;
  const text = sentenceOf(left);
  return orderOf(book.orders, text) ?? orderOf(book.whiles, text);
}

/** Whether a sentence says one end, and nothing else beside its order but what it is for: "for the demo for 3 hours". Pure. */
export function saysOneEnd(sentence: Sentence): boolean {
  const [, ...others] = sentence.clauses.filter(({ text }) => text !== ' for ');
  const words = sentence.clauses.flatMap((clause) => clause.words);
  const isReason = (word: string): boolean => /^[a-z]/.test(word) && (word === 'for' || !isSmallWord(word));
  const isOnlyEnd = (clause: Clause): boolean =>
    A_WHILE.test(clause.text) ||
    clause.words.every((word) => isEnd(word, sentence) || (clause.words[0] === 'for' && isReason(word)));
  const ends =
    words.filter((word) => isEnd(word, sentence)).length +
    others.filter(({ text }) => A_WHILE.test(text)).length;
  return ends < 2 && others.every(isOnlyEnd);
}

/** Whether a word of a clause stands for an end: how long, or until when. */
function isEnd(word: string, { slots, typed }: Sentence): boolean {
  const [, index] = /^<(?:when|span)(\d+)>$/.exec(word) ?? [];
  const filled = slots[Number(index)];
  if (filled?.slot === 'when') return filled.when.isEnd;
  const said = typed[Number(index)] ?? '';
  return filled?.slot === 'span' && /^(?:for\b(?! (?:last|past|previous)\b)|overnight$)/i.test(said);
}

/** Whether a clause says no more than that something else is meant, as beside a correction: "no wait", and no condition. */
function isOnlyNo({ words }: Clause): boolean {
  return words.every((word) => !TAKES_BACK.has(word) || NO.has(word));
}

function isBareNo({ words }: Clause): boolean {
  return words.every((word) => NO.has(word));
}

const NO: ReadonlySet<string> = new Set('no nope not wait'.split(' '));

/** "Not web-1, restart web-2": what is not meant is said beside what is. */
const OTHER_ONE = patternOf('(not|no) <x>', true);

function isDenied(clause: Clause): boolean {
  return isTakenBack(clause) && !OTHER_ONE.match(clause.text);
}

/** The orders of a clause, and what it says besides. */
interface OrdersIn {
  readonly orders: readonly Order[];
  readonly said: readonly Clause[];
  readonly isOr: boolean;
}

/** Whether a clause with a question mark only asks: "restart web-1?" may be a question, "could you …?" is none. */
function isOnlyAsked({ isQuestion, words }: Clause, { isPolite }: Sentence): boolean {
  return isQuestion && !isPolite && !['could', 'can', 'would'].includes(words[0] ?? '');
}

function ordersIn(book: Phrasebook, clause: Clause): OrdersIn | undefined {
  const whole = orderOf(book.orders, clause.text) ?? orderOf(book.orders, corrected(book, clause));
  if (whole) return { orders: [whole], said: [], isOr: false };
  const last = lastOrder(book, clause);
  if (last) return last;
  const parts = clause.text.split(/ (?:and then|and|then|or)(?= )/).map((part) => part.trim());
  const each = parts.map((part) => (part === '' ? undefined : orderOf(book.orders, ` ${part} `)));
  const found = each.filter((one) => one !== undefined);
  return parts.length > 1 && found.length === parts.length
    ? { orders: found, said: [], isOr: / or(?= )/.test(clause.text) }
    : undefined;
}

/** What of a clause follows an order that would stand by itself, and that order: "stop everything" of "stop everything bar the first". Pure. */
export function orderAndRest(
  book: Phrasebook,
  { words }: Clause,
): { readonly order: Order; readonly rest: readonly string[] } | undefined {
  for (let length = words.length - 1; length > 1; length--) {
    const order = orderOf(book.orders, sentenceOf(words.slice(0, length)));
    if (order?.at.has('x')) return { order, rest: words.slice(length) };
  }
  return undefined;
}

/**
 * What an order is about in words that mean nothing here: "red and blue ones" of "stop the red and the blue ones", also with a mark between them, as `next`
 * is behind one; undefined where it isn't so. Pure.
 */
export function unknownKinds(
  book: Phrasebook,
  clause: Clause,
  next: Clause | undefined,
): readonly string[] | undefined {
  const own = kindsIn(book, clause.words);
  if (own || !next || next.isQuestion) return own;
  return kindsIn(book, [...clause.words, 'and', ...next.words]);
}

function kindsIn(book: Phrasebook, words: readonly string[]): readonly string[] | undefined {
  for (let length = 1; length < words.length - 2; length++) {
    const rest = words.slice(length);
    const last = rest.at(-1) ?? '';
    const isJoined = rest.includes('and') || rest.includes('or');
    const isMore = rest.some((word) => book.begins.has(word)) || isTakenBack({ words: rest });
    if (!isJoined || isMore || !(THINGS.has(last) || last.startsWith('<x'))) continue;
    if (orderOf(book.orders, sentenceOf([...words.slice(0, length), '<x0>']))) return rest;
  }
  return undefined;
}

/** An order at the end of a clause that says first how something is: "web-1 is stuck restart it". */
function lastOrder(book: Phrasebook, clause: Clause): OrdersIn | undefined {
  const { words, isQuestion } = clause;
  if (isQuestion || !words[0]?.startsWith('<x')) return undefined;
  for (let at = 1; at < Math.min(words.length, MOST_SAID); at++) {
    const said = words.slice(1, at);
    if (said.some((word) => book.begins.has(word) || LINKS.has(word) || word.startsWith('<')))
      return undefined;
    // "Web-1 unlike db-1 needs a reboot" says of one what it says of the other.
    const order = words[at]?.startsWith('<') ? undefined : orderOf(book.orders, sentenceOf(words.slice(at)));
    if (order?.at.has('x') && !isTakenBack({ words: said }))
      return { orders: [order], said: [{ ...clause, words: words.slice(0, at) }], isOr: false };
  }
  return undefined;
}

/** So many words say how something is, before what is to be done about it. */
const MOST_SAID = 6;

/** With these a verb that follows is no order: "to restart", "and stop". */
const LINKS: ReadonlySet<string> = new Set(
  'to and or of a can could should would will must may might i we you they he she who that does do did'.split(
    ' ',
  ),
);

function orderOf(entries: readonly Entry[], text: string): Order | undefined {
  let best: Order | undefined;
  for (const entry of entries) {
    if (best && entry.pattern.weight <= best.entry.pattern.weight) continue;
    const found = entry.pattern.match(text);
    if (found) best = { entry, at: found.at };
  }
  return best;
}

const SHORTEST_SLIP = 5;

/** The clause, in which a word that is a slip of the finger from a verb is that verb. */
function corrected(book: Phrasebook, { words }: Clause): string {
  return sentenceOf(
    words.map((word) => {
      const right = rightly(book, word);
      // Of other words than these too many are something else: lunch is no launch.
      return book.mistyped.has(right) ? right : word;
    }),
  );
}

/** A word, or the one of which it is a slip of the finger, with the same first letter. */
export function rightly({ ordinary, words: right }: Phrasebook, word: string): string {
  if (word.length < SHORTEST_SWAP || !/^[a-z]+$/.test(word) || ordinary.has(word) || isCommon(word))
    return word;
  const alike = right.filter((one) => one.startsWith(word.charAt(0)));
  if (word.length >= SHORTEST_SLIP) {
    const changesTo = changesFrom(word, 1);
    return alike.find((one) => changesTo(one).whole !== undefined) ?? word;
  }
  // Of a short word only two letters that were swapped are a slip.
  return alike.find((one) => sorted(one) === sorted(word)) ?? word;
}

const SHORTEST_SWAP = 4;

function sorted(word: string): string {
  return [...word].toSorted().join('');
}

/** Whether a clause beside an order takes it back: a negation, a condition, what somebody said. */
function isTakenBack({ words }: Pick<Clause, 'words'>): boolean {
  // "Don't" may forbid what follows, whatever it is said of.
  const isNotSo = (word: string, at: number): boolean =>
    word === 'not' && words[at - 1] !== 'do' && NOT_SO.has(words[at + 1] ?? '');
  return words.some((word, at) => TAKES_BACK.has(word) && !isNotSo(word, at));
}

/** Whether a word may stand in a correction: any other may say that what it names is not meant. */
function isOfCorrection(word: string): boolean {
  return word.startsWith('<x') || OF_CORRECTION.has(word) || FILLER.has(word);
}

const OF_CORRECTION: ReadonlySet<string> = new Set([
  ...CORRECTS.flatMap((words) => words.split(' ')),
  ...'it its is was should be of course if'.split(' '),
]);

function isCorrection({ text, words }: Clause): boolean {
  return CORRECTS.some((said) => text.startsWith(` ${said} `)) && words.every(isOfCorrection);
}

function correctionIn(others: readonly Clause[], { slots }: Sentence): SpokenTarget | undefined {
  const clause = others.find(isCorrection);
  const slot = clause && /<x(\d+)t?>/.exec(clause.text)?.[1];
  const filled = slot === undefined ? undefined : slots[Number(slot)];
  return filled?.slot === 'x' ? filled.target : undefined;
}
