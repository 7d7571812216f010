import { hyphenated, unmangle, withoutStruck } from '../ask/words.ts';
import { isFilter } from '../instances/filter.ts';
import { FACE, PICTURES } from './filler.ts';
import { SPELLED } from './tables.ts';

/** One word of a line, or one mark between words. */
export interface Atom {
  /** In lower case, spelled out. */
  readonly text: string;
  /** As it was typed. */
  readonly letters: string;
  readonly isMark: boolean;
}

/** What ends a clause. */
const MARK = /^[.,!?;\n()…]$/;
const EDGES = /^["'“”[\]*_`<]+|["'“”[\]*_~`>]+$/gu;
/** Those of them that stand in no pattern of names. */
const QUOTES = /^["'“”[\]`<]+|["'“”[\]`>]+$/gu;
/** Drawn, and as Slack writes them: `:x:`, `:+1::skin-tone-2:`. */
const PICTURES_IN = /\p{Extended_Pictographic}|(?<!\S)(?::[a-z0-9_+-]+:)+(?!\S)/giu;
const MODIFIERS = /\p{Emoji_Modifier}|\p{Variation_Selector}/gu;
/** More words than this are no request in a sentence. */
const MAX_ATOMS = 120;

/** Longer ways to say "and". */
const AND = /\s(?:as well as|along with|together with|plus)\s/gi;

/** A line, or several, as words and marks. Pure. */
export function atomsOf(line: string): readonly Atom[] {
  const atoms: Atom[] = [];
  const said = withoutStruck(line).replace(AND, ' and ');
  for (const [index, one] of said.split('\n').entries()) {
    if (index > 0) atoms.push(mark('\n'));
    const pieces = unmangle(one).replace(MODIFIERS, ' ').replace(PICTURES_IN, ' $& ').split(' ');
    for (const piece of pieces) readPiece(piece, atoms);
    if (atoms.length > MAX_ATOMS) break;
  }
  return atoms.slice(0, MAX_ATOMS);
}

/** Splits marks off the beginning and the end of what stands between two spaces, and commas out of the middle. */
function readPiece(piece: string, atoms: Atom[]): void {
  const isPicture = piece.replace(PICTURES_IN, '') === '';
  if (isPicture && saysNothing(piece)) return;
  // "@channel" as Slack writes it.
  if (isPicture || /^!(?:channel|here|everyone)$/.test(piece)) {
    atoms.push({ text: piece, letters: piece, isMark: false });
    return;
  }
  // The commas of a filter end no clause.
  if (isFilter(piece) && /^[^,;!?…]+(?:,[^,;!?…]+)+$/u.test(piece)) {
    atoms.push({ text: piece.toLowerCase(), letters: piece, isMark: false });
    return;
  }
  for (const part of piece.split(/([,;!?…]+|\.{2,}|(?<=\S)[:.)]+$|^\(|\((?=\S)|\)(?=\S))/u)) {
    if (part === '') continue;
    const marks = part.replaceAll('...', '…').replace(/\.{2,}/g, '.');
    if ([...marks].every((one) => MARK.test(one))) {
      for (const one of new Set(marks)) atoms.push(mark(one));
      continue;
    }
    const bare = part.replace(QUOTES, '');
    const letters = isPattern(bare) || isFilter(bare) || part === '*' ? bare : part.replace(EDGES, '');
    const isBegun = atoms.at(-1)?.isMark === false;
    // A sign by itself stands between what it compares.
    if (isBegun && /^[<>]+$/.test(piece)) atoms.push({ text: piece, letters: piece, isMark: false });
    if (letters === '' || (/^[•*=|:]+$/.test(letters) && !(isBegun && letters === piece))) continue;
    if (/^(?:[–—-]+|\/\/+|#)$/.test(letters)) {
      readDash(letters, atoms);
      continue;
    }
    const plain = hyphenated(letters.toLowerCase());
    for (const text of (SPELLED[plain] ?? plain).split(' ')) atoms.push({ text, letters, isMark: false });
  }
}

/** A line without the pictures that may say something in it. Pure. */
export function withoutPictures(line: string): string {
  return line.replace(PICTURES_IN, (picture) => (saysNothing(picture) ? picture : ' '));
}

function saysNothing(picture: string): boolean {
  return picture
    .toLowerCase()
    .split(':')
    .every((name) => PICTURES.has(name) || FACE.test(name) || /^(?:skin-tone-\d)?$/.test(name));
}

const TIME =
  /^(?:\d{1,2}(?::\d{2})?(?:[ap]m|st|nd|rd|th)?|(?:mon|tue|wed|thu|fri|sat|sun|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*)$/;

/** A dash between two times is one, at the beginning of a line it says nothing, and after more what follows is said beside it. */
function readDash(letters: string, atoms: Atom[]): void {
  const last = atoms.at(-1);
  if (!last || last.isMark) return;
  atoms.push(TIME.test(last.text) ? { text: '-', letters, isMark: false } : mark('…'));
}

/** Names as a command has them: `web-*`, whose asterisk is no mark of bold text. */
export function isPattern(text: string): boolean {
  return /^[a-z0-9][\w.-]*-\*$/i.test(text);
}

function mark(text: string): Atom {
  return { text, letters: text, isMark: true };
}
