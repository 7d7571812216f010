import { UNTIL_WHEN } from './cannot.ts';
import { patternOf } from './pattern.ts';
import { afterNot, type Understood } from './understood.ts';
import { withoutPictures } from './atoms.ts';
import { besideOf } from './beside.ts';
import { changeFor, type Spot, targetOf, unclear, withThese } from './change-for.ts';
import { choice, eachOnce, joined } from './choice.ts';
import { inOrder } from './in-order.ts';
import {
  A_NIGHT,
  type Order,
  orderAndRest,
  ordersOf,
  orderUntil,
  saysOneEnd,
  unknownKinds,
} from './orders.ts';
import type { Entry, Phrasebook } from './phrasebook.ts';
import { type Clause, readSentence, type Sentence } from './read.ts';
import { answered, shown } from './shown.ts';
import { ALONE, PARTICLES, THANKS } from './tables.ts';

/**
 * What a line comes to that is no command, without a model: by the words that each route brings. A change is only ever
 * offered, and only where the line asks for nothing else: a question, a negation, a quote or what is past offers none.
 * Undefined where it means nothing. Pure.
 */
export function understand(book: Phrasebook, line: string, spot: Spot): Understood | undefined {
  const bare = withoutPictures(line);
  const meant = understandWords(book, bare, spot);
  // A picture may take an order back, as ❌ does.
  return meant?.what === 'offers' && bare !== line ? understandWords(book, line, spot) : meant;
}

function understandWords(book: Phrasebook, line: string, spot: Spot): Understood | undefined {
  const sentence = readSentence(line, { ...spot.known, ordinary: book.ordinary }, book.begins, spot.moment);
  const said = sentence.clauses.flatMap(({ words }) => words);
  // "And now?" in a thread is about what the thread is about.
  if (said.length === 0) return spot.about.length > 0 ? understandWords(book, THAT, spot) : undefined;
  if (said.every((word) => THANKS.has(word))) return { what: 'thanks' };
  const whole = ALONE[said.join(' ')];
  if (whole !== undefined && spot.about.length > 0) return understandWords(book, whole, spot);
  return (
    offered(book, sentence, spot) ??
    refrained(book, line, spot) ??
    undone(book, sentence, spot) ??
    same(book, sentence, spot) ??
    forAWhile(book, sentence, spot) ??
    halfRead(book, sentence, spot) ??
    shown(book, sentence, spot)
  );
}

const THAT = 'this';

function offered(book: Phrasebook, sentence: Sentence, spot: Spot): Understood | undefined {
  const ordered = ordersOf(book, sentence);
  if (!ordered) return undefined;
  const { orders, others, instead, isOr } = ordered;
  const [first, ...more] = orders;
  const whole = asTypedIn(
    sentence.clauses.flatMap(({ words }) => words),
    sentence,
  );
  // Which of several orders is corrected, nobody said.
  if (instead && more.length > 0) return unclear(whole);
  const reasons = others.filter(({ words }) => !words.every((word) => THANKS.has(word)));
  const why = reasons.map(({ letters }) => letters).join(', ') || undefined;
  const targets = orders.map(({ at }) => targetOf(at, sentence, spot));
  const meant = instead
    ? choice(first, [...targets, instead], sentence, spot.known.names)
    : allOf(orders, sentence, spot, { why, isOr, whole });
  if (meant?.what !== 'offers' && meant?.what !== 'which') return meant;
  // What a reason is said with takes what stands beside, but for what may be an order, a name or a time.
  const takesWhy = orders.some(({ entry }) => entry.words.includes('{why}'));
  const start = takesWhy ? Infinity : sentence.clauses.findIndex((clause) => !others.includes(clause));
  const beside = others.map((clause) => {
    const isAfter = sentence.clauses.indexOf(clause) > start;
    return { clause, is: besideOf(clause, sentence, targets, isAfter) };
  });
  // What asks which one is meant can't say what it leaves out, another order is no remark, and what stands beside a time may be its zone.
  const isTimed = orders.some(({ at }) => at.has('when'));
  const isOrder = ({ words: [begin = ''] }: Clause): boolean =>
    book.begins.has(begin) && !PARTICLES.has(begin);
  const what = beside.find(
    ({ clause, is }) =>
      is === 'unclear' ||
      (is === 'apart' && (meant.what === 'which' || (isTimed && !takesWhy) || isOrder(clause))),
  );
  if (what) return unclear(asTypedIn(what.clause.words, sentence));
  const apart = beside
    .filter(({ is }) => is === 'apart' && !takesWhy)
    .map(({ clause }) => asTypedIn(clause.words, sentence));
  return apart.length > 0 && meant.what === 'offers' ? { ...meant, apart } : meant;
}

/** What is offered for all orders: several are several buttons, each for itself. */
function allOf(
  orders: readonly Order[],
  sentence: Sentence,
  spot: Spot,
  { why, isOr, whole }: { readonly why: string | undefined; readonly isOr: boolean; readonly whole: string },
): Understood | undefined {
  const timed = isOr ? { sentence } : inOrder(orders, sentence, spot, whole);
  if ('not' in timed) return timed.not;
  const each = orders.map((order) => changeFor(order, timed.sentence, spot, why));
  const [only] = each;
  if (each.length === 1) return only;
  // What can't be offered of several is not left out in silence.
  if (each.includes(undefined)) return undefined;
  const other = each.find((one) => one?.what === 'cannot');
  if (other) return other;
  const all = each.flatMap((one) => (one?.what === 'offers' ? [one] : []));
  const isOpen = each.some((one) => one?.what !== 'offers' || one.isWhich || (one.unknown ?? []).length > 0);
  // Several orders are several buttons, each for itself, and of one it isn't certain what is meant.
  if (isOr ? all.length < each.length : isOpen) return unclear(whole);
  const offers = all.flatMap((one) => one.offers);
  const unknown = all.flatMap((one) => one.unknown ?? []);
  if (offers.length === 0) return undefined;
  const isForOne = orders.some(({ entry }) => entry.route.spoken?.isForOne);
  const buttons = isOr || isForOne ? eachOnce(offers) : joined(offers);
  const meant = { what: 'offers', offers: buttons, isWhich: isOr } as const;
  return unknown.length > 0 ? { ...meant, unknown } : meant;
}

/** Words of a sentence, with what was typed for each slot. */
function asTypedIn(words: readonly string[], { typed }: Sentence): string {
  return words.map((word) => typed[Number(/^<[a-z]+(\d+)t?>$/.exec(word)?.[1])] ?? word).join(' ');
}

/** An order with a part that means nothing, where it is of several, or where that part names something else: none of it is done. */
function halfRead(book: Phrasebook, sentence: Sentence, spot: Spot): Understood | undefined {
  if (sentence.isQuoted) return undefined;
  for (const [index, clause] of sentence.clauses.entries()) {
    const found = clause.isQuestion ? undefined : orderAndRest(book, clause);
    const next = sentence.clauses[index + 1];
    const kinds = clause.isQuestion || found ? undefined : unknownKinds(book, clause, next);
    if (kinds) return unclear(asTypedIn(kinds, sentence));
    if (!found) continue;
    const { order, rest } = found;
    const target = targetOf(order.at, sentence, spot);
    const isOfMany = target && (target.filters.length > 0 || target.isAll || target.called.length > 1);
    const isOfOthers = rest[0] !== 'and' && rest.some((word) => word.startsWith('<x'));
    // A name that nothing has is said better by who looks for it, also with the id behind it as the bot shows it.
    const isNamed = rest.every(
      (word) => word.startsWith('<x') || (!isOfMany && /^(?:\d+|<number\d+>)$/.test(word)),
    );
    // Behind a time it may be its zone.
    if (!isNamed && (isOfMany || isOfOthers || order.at.has('when')))
      return unclear(asTypedIn(rest, sentence));
  }
  return undefined;
}

/** One order that is not to be done. */
function refrained(book: Phrasebook, line: string, spot: Spot): Understood | undefined {
  const denied = afterNot(line);
  if (denied === undefined) return undefined;
  const known = { ...spot.known, ordinary: book.ordinary };
  const sentence = readSentence(denied, known, book.begins, spot.moment);
  const ordered = ordersOf(book, sentence);
  if (!ordered || ordered.instead || ordered.orders.length > 1) return undefined;
  const [order] = ordered.orders;
  const meant = changeFor(order, sentence, spot);
  const about = meant?.what === 'offers' ? meant.offers.flatMap((one) => one.about) : [];
  return { what: 'refrain', routeId: order.entry.route.id, about: [...new Set(about)] };
}

/** What is ordered with an end, of what has none. */
function forAWhile(book: Phrasebook, sentence: Sentence, spot: Spot): Understood | undefined {
  const order = orderUntil(book, sentence);
  if (!order) return undefined;
  const { entry } = order;
  const { verb, spoken } = entry.route;
  const isRead = spoken?.isForAWhile && saysOneEnd(sentence);
  const words = isRead ? `${entry.words} ${endIn(sentence)}` : undefined;
  const offers = words && changeFor({ ...order, entry: { ...entry, words } }, sentence, spot);
  if (offers) return offers;
  const about = targetOf(order.at, sentence, spot)?.called.flat() ?? [];
  const cannot = spoken?.isForAWhile ? UNTIL_WHEN : `${verb} something only for a while`;
  return { what: 'cannot', cannot, about, isOrder: true };
}

/** The words of its end: those of a slot, or of a night. */
function endIn({ clauses }: Sentence): string {
  return clauses.some(({ text }) => A_NIGHT.test(text)) ? 'for night' : '{end}';
}

const UNDO = ['(undo|revert|roll back|take back) <that>?', 'undo'].map((pattern) => patternOf(pattern, true));

/** "Undo": the order that turns around what was last done here. */
function undone(book: Phrasebook, sentence: Sentence, spot: Spot): Understood | undefined {
  const [clause, ...others] = sentence.clauses;
  if (!clause || others.length > 0 || sentence.isQuoted || clause.isQuestion) return undefined;
  const isUndo = UNDO.some((pattern) => pattern.match(clause.text));
  const entry = book.orders.find(
    ({ route, words }) =>
      words === '{x}' && route.spoken?.undoes !== undefined && route.spoken.undoes === spot.lastRouteId,
  );
  if (!isUndo || !entry || spot.about.length === 0) return undefined;
  return withThese({ entry, at: new Map() }, sentence, spot);
}

const SAME = [
  '(try|do|run) <that>? (again|once more)',
  '(retry|redo|repeat) <that>?',
  '(again|once more)',
  'do? (same|likewise|ditto) (for|with|on|to)? <x>',
  '(make|do) <that> (for|with|to)? <x> (instead)?',
  '(rather|instead) <x>',
  '<x> (too|as well)',
  '(do|and) <x> (too|as well)?',
  'also <x>',
].map((pattern) => patternOf(pattern, true));

/** "the same for web-2": what was last done here, with another. */
function same(book: Phrasebook, sentence: Sentence, spot: Spot): Understood | undefined {
  const [clause, ...others] = sentence.clauses;
  if (!clause || others.length > 0) return undefined;
  // What may stand after it is not said again.
  const isLast = ({ route, words }: Entry): boolean =>
    route.id === spot.lastRouteId && /^\{x\}(?: \[|$)/.test(words);
  const at = SAME.flatMap((pattern) => pattern.match(clause.text)?.at ?? [])[0];
  const ordered = book.orders.find(isLast);
  if (ordered) {
    if (!at || sentence.isQuoted || clause.isQuestion) return undefined;
    const order = { entry: ordered, at };
    return at.has('x') ? changeFor(order, sentence, spot) : withThese(order, sentence, spot);
  }
  const entry = at && book.asks.find(isLast);
  return entry && answered(book, entry, { at, isWhole: true, isMended: false }, sentence, spot);
}
