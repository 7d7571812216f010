/**
 * Patterns of sentences: words, `(one|other)`, an optional `word?` or `(one|other)?`, `*` for any words, and slots as `<x>`.
 */
export type Slot = 'x' | 'who' | 'span' | 'when' | 'addon' | 'size' | 'role' | 'number' | 'channel';

/** Which slot of a sentence stands in each of a pattern, and whether the pattern explains all of the sentence. */
interface Match {
  readonly at: ReadonlyMap<Slot, number>;
  readonly isWhole: boolean;
}

export interface Pattern {
  /** How much of a sentence it explains: words count more than slots. */
  readonly weight: number;
  /** Where each slot of it stands in the sentence, if it matches: of all of it, or of a part. */
  match(sentence: string): Match | undefined;
}

/** A pattern in which `<name>` is what it stands for, unless it is a slot. Pure. */
export function spell(pattern: string, macros: Readonly<Record<string, readonly string[]>>): string {
  const replaced = (text: string, wrap: (words: string) => string): string =>
    text.replace(/<([a-z]+)>/g, (slot, name: string) => {
      const words = macros[name];
      return words === undefined ? slot : wrap(words.join('|'));
    });
  const grouped = pattern.replace(/\([^()]*\)/g, (group) => replaced(group, (words) => words));
  return replaced(grouped, (words) => `(${words})`);
}

/** What was compiled, by what it was compiled from: as many as the routes of this code have. */
const compiled = new Map<string, Pattern>();

/**
 * `isWhole`: it must match all of a sentence. Pure, and compiled once in a process: each account and each reader of
 * sentences has a book of the same thousands.
 */
export function patternOf(spelled: string, isWhole: boolean): Pattern {
  const key = `${isWhole ? 'whole' : 'part'} ${spelled}`;
  const known = compiled.get(key) ?? compile(spelled, isWhole);
  compiled.set(key, known);
  return known;
}

function compile(spelled: string, isWhole: boolean): Pattern {
  const tokens = spelled.match(/\([^()]*\)\??|\S+/g) ?? [];
  const needed = tokens.map(neededBy).find((word) => word !== undefined);
  const body = tokens.map(tokenOf).join('');
  const expression = new RegExp(isWhole ? `^${body} $` : body, 'u');
  return {
    weight: tokens.reduce((sum, token) => sum + weightOf(token), isWhole ? 1 : 0),
    match: (sentence) => {
      if (needed !== undefined && !sentence.includes(needed)) return undefined;
      const found = expression.exec(sentence);
      if (!found) return undefined;
      const at = new Map(
        [...found[0].matchAll(/<([a-z]+)(\d+)t?>/g)].map(([, slot, index]) => [slotOf(slot), Number(index)]),
      );
      return { at, isWhole: found[0].length === sentence.length - 1 };
    },
  };
}

/** Words that a sentence must hold for a token to match: most patterns are passed over by them. */
function neededBy(token: string): string | undefined {
  const words = /^\(([^()|]*)\)$/.exec(token)?.[1] ?? token;
  return /^[a-z' -]+$/.test(words) ? ` ${words}` : undefined;
}

function tokenOf(token: string): string {
  if (token === '*') return '(?: \\S+(?= ))*?';
  const [, inner, optional] = /^\(([^()]*)\)(\??)$/.exec(token) ?? [];
  if (inner !== undefined) return `(?:${inner.split('|').map(wordsOf).join('|')})${optional}`;
  return token.endsWith('?') ? `(?:${wordsOf(token.slice(0, -1))})?` : wordsOf(token);
}

function wordsOf(words: string): string {
  return words
    .split(' ')
    .filter((word) => word !== '')
    .map((word) => ` ${slotIn(word) ?? word.replace(/[.+^$[\]{}\\]/g, '\\$&')}(?= )`)
    .join('');
}

/** A slot as it stands in a sentence: `<x3>`, and `<x3t>` for what is only called "it". */
function slotIn(word: string): string | undefined {
  if (word === '<that>') return '<x\\d+t>';
  if (word === '<x>') return '<x\\d+t?>';
  return /^<[a-z]+>$/.test(word) ? `${word.slice(0, -1)}\\d+>` : undefined;
}

function weightOf(token: string): number {
  if (token === '*' || token.endsWith('?')) return 0;
  if (token.startsWith('<')) return 1;
  if (!token.startsWith('(')) return 2;
  const options = token.slice(1, -1).split('|');
  return 2 * Math.min(...options.map((option) => option.trim().split(' ').length));
}

function slotOf(slot: string | undefined): Slot {
  switch (slot) {
    case 'who':
    case 'span':
    case 'when':
    case 'addon':
    case 'size':
    case 'role':
    case 'number':
    case 'channel':
      return slot;
    default:
      return 'x';
  }
}
