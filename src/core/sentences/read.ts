import { type Atom, atomsOf, FILLER, FILLER_PHRASES, LEADING, LEADING_PHRASES } from './atoms.ts';
import type { Slot } from './pattern.ts';
import { BREAKS } from './tables.ts';
import { readTarget } from './read-target.ts';
import { type Known, NOTHING, type SpokenTarget } from './target.ts';
import { areOver, readDays, readPastDay, saidTime } from './days.ts';
import { type Moment, readSpan } from './times.ts';
import { readWhen } from './when.ts';
import type { When } from './when-of.ts';

/** What stands in a slot of a sentence. */
export type Filled =
  | { readonly slot: 'x'; readonly target: SpokenTarget }
  | { readonly slot: 'when'; readonly when: When }
  | {
      readonly slot: 'span';
      readonly word: string;
      readonly days?: string;
      readonly isOver?: boolean;
      readonly said?: string;
    }
  | { readonly slot: Exclude<Slot, 'x' | 'when' | 'span'>; readonly word: string };

/** A clause, as patterns read it, and what stands in its slots. */
export interface Clause {
  /** Each word with a space before it and one at the end. */
  readonly text: string;
  readonly words: readonly string[];
  /** As it was typed, without filler. */
  readonly letters: string;
  readonly isQuestion: boolean;
}

/** A line, read. */
export interface Sentence {
  readonly clauses: readonly Clause[];
  /** All of it, without marks. */
  readonly text: string;
  readonly slots: readonly Filled[];
  /** What was typed for each slot. */
  readonly typed: readonly string[];
  /** It repeats what somebody else said, or what a machine did. */
  readonly isQuoted: boolean;
  readonly isPolite: boolean;
  /** It ends where more is to be said: "and then …". */
  readonly isUnfinished: boolean;
  /** "One by one", "and then": not several at once. */
  readonly isInTurn: boolean;
}

const PHRASES = FILLER_PHRASES.map((phrase) => phrase.split(' '));
const AT_FIRST = LEADING_PHRASES.map((phrase) => phrase.split(' '));
const POLITE =
  /\b(?:please|pls|plz|kindly|can you|could you|would you|will you|can we|could we|(?:can|could) (?:someone|somebody|anyone|anybody))\b/i;
const UNFINISHED = /\b(?:and|or|but|to|plus)(?:\s+then)?[\s.,:…-]*$/i;
const IN_TURN = /\bthen\b.+|\b(?:one by one|one after (?:the other|another)|one at a time|in turn)\b/i;
const SIZES: ReadonlySet<string> = new Set('small medium large standard premium basic'.split(' '));
const ROLES: ReadonlySet<string> = new Set(
  'viewer operator finance admin viewers operators admins'.split(' '),
);

/** Reads a line for what patterns look for. `begins`: after these words comes what is acted on. Pure. */
export function readSentence(
  line: string,
  known: Known,
  begins: ReadonlySet<string>,
  moment: Moment,
): Sentence {
  const isQuoted = isReport(line);
  const typedAtoms = atomsOf(line);
  const atoms = withoutFiller(typedAtoms);
  const besideNow = saidBesideNow(typedAtoms, begins);
  const slots: Filled[] = [];
  const typed: string[] = [];
  const clauses: Clause[] = [];
  let words: string[] = [];
  let letters: string[] = [];
  const close = (isQuestion: boolean): void => {
    if (words.length > 0)
      clauses.push({ text: sentenceOf(words), words, letters: letters.join(' '), isQuestion });
    words = [];
    letters = [];
  };
  for (let at = 0; at < atoms.length;) {
    const atom = atoms[at];
    if (!atom) break;
    if (atom.isMark) {
      close(atom.text === '?');
      at++;
      continue;
    }
    const isSought = begins.has(words.at(-1) ?? '') || words.at(-1) === 'of';
    const isBefore = words.length === 0 ? readBefore(atoms, at) : undefined;
    const filled = isBefore ?? readSlot(known, atoms, at, { isSought, isPast: words.some(isOfPast) }, moment);
    if (filled) {
      words.push(`<${filled.what.slot}${slots.length}${isOnlyThat(filled.what) ? 't' : ''}>`);
      const read = besideNow.has(atom) ? withSecondTime(filled.what) : filled.what;
      slots.push(isThoughtOver(typedAtoms, atom, atoms[filled.next - 1]) ? withSecond(read) : read);
      const said = atoms.slice(at, filled.next).map((one) => one.letters);
      typed.push(said.join(' '));
      letters.push(...said);
      at = filled.next;
      continue;
    }
    if (BREAKS.has(atom.text) || beginsReason(known, atoms, at, words)) close(false);
    words.push(atom.text);
    letters.push(atom.letters);
    at++;
  }
  close(false);
  return {
    clauses,
    text: sentenceOf(clauses.flatMap((clause) => clause.words)),
    slots,
    typed,
    isQuoted,
    isPolite: POLITE.test(line),
    isUnfinished: UNFINISHED.test(line),
    isInTurn: IN_TURN.test(line),
  };
}

/** What stands in an order beside "now", where each time is a second one: "now and at 9", "web-1 now, web-2 in an hour". */
function saidBesideNow(atoms: readonly Atom[], begins: ReadonlySet<string>): ReadonlySet<Atom> {
  const orders: Atom[][] = [[]];
  for (const atom of atoms) {
    if (begins.has(atom.text)) orders.push([]);
    orders.at(-1)?.push(atom);
  }
  return new Set(orders.slice(1).filter(saysNow).flat());
}

function saysNow(atoms: readonly Atom[]): boolean {
  return NOW.test(sentenceOf(atoms.map(({ text }) => text)));
}

const NOW = /(?<! from| for) (?:now|immediately|asap|pronto|(?:right|straight) away|as soon as possible) /;

/** Between two names, or within a time, these may take back what stands before them: "web-1, actually db-1". */
const SECOND_THOUGHTS: ReadonlySet<string> = new Set('actually oh hm hmm uh um'.split(' '));

function isThoughtOver(typed: readonly Atom[], from: Atom, to: Atom = from): boolean {
  const between = typed.slice(typed.indexOf(from), typed.indexOf(to));
  return between.some(({ text }) => SECOND_THOUGHTS.has(text));
}

/** What is said of one thing, where two are: nobody can tell which is meant. */
function withSecond(filled: Filled): Filled {
  if (filled.slot !== 'x' || filled.target.called.length < 2) return withSecondTime(filled);
  return { ...filled, target: { ...filled.target, isChoice: true } };
}

function withSecondTime(filled: Filled): Filled {
  if (filled.slot !== 'when' || filled.when.isEnd) return filled;
  return { ...filled, when: { ...filled.when, isTorn: true } };
}

/** "Both", "all three" at the beginning of a clause: what was named before it. */
function readBefore(
  atoms: readonly Atom[],
  at: number,
): { readonly what: Filled; readonly next: number } | undefined {
  const [one = '', two = '', three = ''] = atoms.slice(at, at + 3).map(({ text }) => text);
  const isNeed = (word: string): boolean => /^(?:needs?|wants?|must|should|have|are|were|can)$/.test(word);
  const length =
    /^(?:both|all)$/.test(one) && isNeed(two)
      ? 1
      : one === 'all' && /^(?:two|three|four|five|of)$/.test(two) && (isNeed(three) || three === 'them')
        ? three === 'them'
          ? 3
          : 2
        : 0;
  return length > 0
    ? { what: { slot: 'x', target: { ...NOTHING, isThat: true, isAll: true } }, next: at + length }
    : undefined;
}

/** Whether a reason follows: "for the demo", "so I can test". What is named after "for" is part of what is asked. */
function beginsReason(known: Known, atoms: readonly Atom[], at: number, words: readonly string[]): boolean {
  const { text = '' } = atoms[at] ?? {};
  if (words.length === 0 || (text !== 'so' && text !== 'for')) return false;
  return text === 'so' || readTarget(known, atoms, at + 1, false) === undefined;
}

/** Whether it is called nothing but "it". */
function isOnlyThat(filled: Filled): boolean {
  if (filled.slot !== 'x') return false;
  const { isThat, called, filters, unknown } = filled.target;
  return isThat && called.length + filters.length + unknown.length === 0;
}

/** Words as patterns read them. Pure. */
export function sentenceOf(words: readonly string[]): string {
  return `${words.map((word) => ` ${word}`).join('')} `;
}

/** Whether a word tells of what is over, so that a day after it is, too. */
function isOfPast(word: string): boolean {
  return /^(?:did|was|were|had|done|went|broke|spent|paid|audit|history|log|activity|transactions|charges|\w+ed)$/.test(
    word,
  );
}

/** What a monitor says, or a quote: lines of "key: value", a mark at the beginning. */
function isReport(line: string): boolean {
  const fields = line.match(/^\s*[*_]?[A-Za-z][\w ]{1,24}[*_]?:\s/gm) ?? [];
  return (
    fields.length > 1 ||
    /^\s*(?:>|&gt;)/m.test(line) ||
    /\b(?:CRITICAL|PROBLEM|FIRING|ALERT|WARNING)\b/.test(line)
  );
}

function withoutFiller(atoms: readonly Atom[]): readonly Atom[] {
  const left: Atom[] = [];
  for (let at = 0; at < atoms.length;) {
    const isFirst = left.length === 0 || left.at(-1)?.isMark === true;
    const phrase = [...PHRASES, ...(isFirst ? AT_FIRST : [])].find((words) =>
      words.every((word, index) => atoms[at + index]?.text === word),
    );
    const atom = atoms[at];
    if (phrase) at += phrase.length;
    else {
      const isBegin = left.length === 0 || (isFirst && atom?.text !== 'to');
      const isSaid = atom && (atom.isMark || !(FILLER.has(atom.text) || (isBegin && LEADING.has(atom.text))));
      if (atom && isSaid) left.push(atom);
      at++;
    }
  }
  return left;
}

function readSlot(
  known: Known,
  atoms: readonly Atom[],
  at: number,
  { isSought, isPast }: { readonly isSought: boolean; readonly isPast: boolean },
  moment: Moment,
): { readonly what: Filled; readonly next: number } | undefined {
  const { text = '' } = atoms[at] ?? {};
  const people = readPeople(atoms, at);
  if (people) return people;
  const span = readSpan(atoms, at, moment) ?? (isPast ? readPastDay(atoms, at, moment) : undefined);
  if (span) {
    const days = readDays(atoms, at, span.next, moment);
    const said = saidTime(atoms, at, span.next);
    return {
      what: {
        slot: 'span',
        word: span.what,
        ...(days === undefined ? {} : { days, isOver: areOver(days, moment) }),
        ...(said === undefined ? {} : { said }),
      },
      next: span.next,
    };
  }
  const when = readWhen(atoms, at, moment);
  if (when) return { what: { slot: 'when', when: when.what }, next: when.next };
  const read = readTarget(known, atoms, at, isSought);
  if (read) return { what: { slot: 'x', target: read.target }, next: read.next };
  if (SIZES.has(text) || known.names.tier(text) !== undefined) {
    const more = atoms[at + 1]?.text === 'tier' ? 2 : 1;
    return { what: { slot: 'size', word: text }, next: at + more };
  }
  const addon = [text, text.replace(/s$/, '')].find((word) => known.addons.has(word));
  if (addon !== undefined) {
    const more = atoms[at + 1]?.text === 'add-on' || atoms[at + 1]?.text === 'add-ons' ? 2 : 1;
    return { what: { slot: 'addon', word: addon }, next: at + more };
  }
  if (/^\d{2,7}$/.test(text)) {
    const more = /^(?:credits?|claws?|euros?|dollars?)$/.test(atoms[at + 1]?.text ?? '') ? 2 : 1;
    return { what: { slot: 'number', word: text }, next: at + more };
  }
  const { letters = '' } = atoms[at] ?? {};
  if (/^#?C(?=.*\d)[A-Z0-9]{8,20}$/.test(letters))
    return { what: { slot: 'channel', word: letters.replace('#', '') }, next: at + 1 };
  if (ROLES.has(text)) return { what: { slot: 'role', word: text.replace(/s$/, '') }, next: at + 1 };
  return undefined;
}

/** An id of a person or a group, which Slack makes of a mention, and others after it. */
function readPeople(
  atoms: readonly Atom[],
  at: number,
): { readonly what: Filled; readonly next: number } | undefined {
  const isPerson = (index: number): boolean =>
    /^(?:@.+|@?(?=.*\d)[UWS][A-Z0-9_]{8,63})$/.test(atoms[index]?.letters ?? '');
  const people: string[] = [];
  let next = at;
  while (isPerson(next)) {
    people.push((atoms[next]?.letters ?? '').replace(/^@/, ''));
    next++;
    const joined = ['and', ','].includes(atoms[next]?.text ?? '') && isPerson(next + 1) ? 1 : 0;
    next += joined;
  }
  return people.length > 0 ? { what: { slot: 'who', word: people.join(' ') }, next } : undefined;
}
