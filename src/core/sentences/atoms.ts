import { hyphenated, unmangle, withoutStruck } from '../ask/words.ts';
import { isFilter } from '../instances/filter.ts';
import { SPELLED } from './tables.ts';

/** What people say around what they want, in lower case. */

/** Words that say nothing of what is wanted. */
export const FILLER: ReadonlySet<string> = new Set(
  `please pls plz plse kindly now just quick quickly asap immediately right away real a an the my our your thx ty cheers
  lol haha hmm uh um oh lamplighter guys folks team pal mate dear there actually also really damn fucking bloody pronto
  urgently urgent friend everyone ffs omg hm somebody someone anybody anyone me rn atm anymore man dude anyway`.split(
    /\s+/,
  ),
);

/** Pictures that say no more than a mood or a haste, drawn and by their names in Slack; any other may take an order back, as ❌ does. */
const PICTURES: ReadonlySet<string> = new Set(
  `🙏 pray 👍 +1 thumbsup 👌 ok_hand ✅ white_check_mark ✔ heavy_check_mark 🚀 rocket 🔥 fire 🚨 rotating_light ⚠ warning ❗ exclamation
  heavy_exclamation_mark ‼ bangbang ❤ heart 👀 eyes 👋 wave 🤞 crossed_fingers 🤖 robot_face 🎉 tada ⚡ zap 💥 boom 💀 skull 🔄
  arrows_counterclockwise ♻ recycle 🔁 repeat ☕ coffee ♂ ♀ smile smiley grinning grin joy laughing sweat_smile slightly_smiling_face
  wink blush sob cry scream rage angry weary tired_face sweat cold_sweat disappointed pensive worried grimacing flushed`.split(
    /\s+/,
  ),
);
/** Faces, drawn: from 😀 to 🙄. */
const FACE = /^[\u{1F600}-\u{1F644}]$/u;

/** Words that say nothing at the beginning of a clause. */
export const LEADING: ReadonlySet<string> = new Set(
  'ok okay k alright maybe so well yes yeah sure hey hi hello yo bot and then go to'.split(' '),
);

const phrases = (all: string): readonly string[] => all.split(',').map((phrase) => phrase.trim());

/** The same in several words, wherever they stand. */
export const FILLER_PHRASES: readonly string[] = phrases(`
  for me, for us, for good, at once, right now, as soon as possible, real quick, thank you, from now on,
  at the moment, let me know, keep me posted, and let us see, and see, when you get a sec,
  when you get a chance, when you get a minute, when you have time, when you can, one after the other,
  one by one, one at a time, if you can, if possible, at all, in turn, by any chance
`);

/** The same at the beginning of a clause. */
export const LEADING_PHRASES: readonly string[] = phrases(`
  would you be so kind to, can someone, can somebody, can anyone, can anybody, could someone,
  could somebody, could anyone, could anybody, hi all, hello all, hey all, i think we should, we should,
  you should, you can, you could, i guess you can, make sure to, its time to, on second thought,
  could you, can you, would you, will you, can we, could we, can i get you to, i need you to,
  need you to, i want you to, want you to, i would like to, i want to, i need to, we need to, we want to,
  you need to, need to, time to, let us, go ahead and, go and, not again, why not
`);

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
