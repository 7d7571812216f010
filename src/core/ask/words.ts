import { parseArgs } from 'node:util';
import { type Phrase, say } from '../../platform/slack/phrase.ts';
import { type Gap, type Instead, Refusal } from '../refusal.ts';
import { mendOptions, withAfter } from './mend-words.ts';

/**
 * Reading what a person typed. Phones and Slack mangle text, so it is un-mangled before it is split.
 */
export interface Words {
  readonly words: readonly string[];
  /** The same words to the letter: with the full stop and the dashes that a phone may have put there, with marks and quotes around them, and what nobody sees within them. */
  readonly letters: readonly string[];
  /** Which of them stood in quotation marks. */
  readonly quoted: readonly boolean[];
  /** Why the words may not be what was meant. */
  readonly doubt: 'unmatched quote' | 'too long' | undefined;
}

const MAX_LINE = 3_000;
/** What nobody sees: control and format characters, and variants of others, but for those that are white space. */
const INVISIBLE = /(?![\t-\r])[\p{Cc}\p{Cf}\p{DI}]/gu;
const HIDDEN_AROUND = /^(?:(?![\t-\r])[\p{Cc}\p{Cf}\p{DI}])+|(?:(?![\t-\r])[\p{Cc}\p{Cf}\p{DI}])+$/gu;

/** A line that Slack and phones leave as it is typed: printable ASCII without what Slack escapes. */
const UNMANGLED = /^[ !-%'-;=-~]*$/;

/** A typed line as words. Quoted words keep their spaces; an unmatched quote is refused, not guessed at. */
export function splitWords(line: string): Words {
  const said = line.slice(0, MAX_LINE).replace(STRUCK, (struck) => (/\s/.test(struck.trim()) ? ' ' : struck));
  const words = split(unmangle(said));
  const { letters } = hasHidden(said) ? split(unmangle(said, true)) : words;
  return {
    ...words,
    letters: letters.length === words.letters.length ? letters.map(trimHidden) : words.letters,
    doubt: line.length > MAX_LINE ? 'too long' : words.doubt,
  };
}

/** What stands between the marks of struck out text, which is taken back. */
const STRUCK = /(?<![^\s(,;:])(~~?)(?=[^\s~])[^~\n]*(?<=[^\s~])\1(?![^\s.,;:!?)])/gu;

/** A line without what is struck out in it. Pure. */
export function withoutStruck(line: string): string {
  return line.replace(STRUCK, ' ');
}

/** Whether all of a word is struck out. Pure. */
export function isStruck(word: string): boolean {
  return (
    word !== '' &&
    withoutStruck(word)
      .replace(/[.,]+$/u, '')
      .trim() === ''
  );
}

/** Whether a word, or a line, holds what nobody sees. Pure. */
export function hasHidden(text: string): boolean {
  return text.search(INVISIBLE) >= 0;
}

/** What a phone puts around a word says nothing; within it, it may be a part of a name. */
function trimHidden(word: string): string {
  return word.replace(HIDDEN_AROUND, '');
}

/** Slack's escapes, links, curly quotes, dashes and invisible characters back to what was typed. `keepsHidden`: these stay. */
export function unmangle(line: string, keepsHidden = false): string {
  if (UNMANGLED.test(line)) return line.trim();
  return line
    .replace(/<([^<>]*)>/g, (_, inner: string) => unlink(inner))
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
    .replace(keepsHidden ? '' : INVISIBLE, '')
    .replace(/[\u00A0\u2000-\u200A\u202F\u205F\u2800\u3000\s]/gu, ' ')
    .replace(/[\u201C\u201D\u201E\u201F\u00AB\u00BB]/gu, '"')
    .replace(/[\u2018\u2019\u201A\u201B]/gu, "'")
    .replace(/(^|\s)[\u2013\u2014](?=[\p{L}\p{N}])/gu, '$1--')
    .trim();
}

/** What stood between < and >: a mention becomes its id, a link what was typed. */
function unlink(inner: string): string {
  const [target, label] = splitOnce(inner, '|');
  if (/^[@#!]/.test(target)) return target.replace(/^([@#]|!subteam\^)/, '');
  return label === undefined || label === '' ? target.replace(/^mailto:/, '') : label;
}

function splitOnce(text: string, separator: string): [string, string | undefined] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

function split(line: string): Words {
  const words: { readonly word: string; readonly letters: string; readonly isQuoted: boolean }[] = [];
  const push = (said: string): void =>
    void words.push({
      word: wasQuoted ? said : bare(said),
      letters: wasQuoted ? letters : said,
      isQuoted: wasQuoted,
    });
  let word = '';
  let letters = '';
  let inWord = false;
  let quote: string | undefined;
  let wasQuoted = false;
  for (const [index, character] of [...line].entries()) {
    letters = inWord ? letters + character : character;
    if (quote !== undefined) {
      if (character === quote) quote = undefined;
      else word += character;
    } else if (character === '"' || (character === "'" && !inWord && closesLater(line, index))) {
      quote = character;
      inWord = true;
      wasQuoted = true;
    } else if (character === ' ') {
      letters = letters.slice(0, -1);
      if (inWord) push(word);
      word = '';
      inWord = false;
      wasQuoted = false;
    } else {
      word += character;
      inWord = true;
    }
  }
  if (inWord) push(wasQuoted ? word.trim() : word);
  const given = words.filter((one) => trimHidden(one.word) !== '');
  return {
    words: given.map((one) => one.word),
    letters: given.map((one) => one.letters),
    quoted: given.map((one) => one.isQuoted),
    doubt: quote === undefined ? undefined : 'unmatched quote',
  };
}

/** A lone ' is an apostrophe; a ' that closes again is a quote. */
function closesLater(line: string, index: number): boolean {
  return [...line].slice(index + 1).includes("'");
}

/** A word without the full stop a phone adds, and without emphasis or code marks around the whole of it; its hyphens are hyphens. */
function bare(word: string): string {
  return hyphenated(unended(unmarked(unended(word))));
}

/** The ways in which a word can be read that was typed with these letters, but for those letters themselves. The last is that of `words`. Pure. */
export function waysToRead(letters: string): readonly string[] {
  const whole = unmarked(unended(letters));
  const ways = [letters, unended(letters), unmarked(letters), whole, unended(whole)].flatMap((way) => [
    way,
    // Some phones make one dash of two hyphens.
    hyphenated(way, '--'),
    hyphenated(way),
  ]);
  return [...new Set(ways)].filter((way) => way !== letters);
}

/** What looks like a hyphen and is none. */
const LOOKALIKE = /[\u2010\u2011\u2212]/gu;
/** A dash within a word, also within a pattern as "web-*". */
const DASH_WITHIN = /(?<=[\p{L}\p{N}*])[\u2012-\u2015](?=[\p{L}\p{N}*])/gu;

/** A word with hyphens for what a phone has made of them. `dash`: what a dash stands for. Pure. */
export function hyphenated(word: string, dash = '-'): string {
  return word.replace(LOOKALIKE, '-').replace(DASH_WITHIN, dash);
}

function unmarked(word: string): string {
  return /^([*_`])(.+)\1$/u.exec(word)?.[2] ?? word;
}

function unended(word: string): string {
  return word.length > 1 ? word.replace(/[.,]+$/u, '') : word;
}

/** Words on one line, with quotation marks around each that holds a space. */
export function asTyped(words: readonly string[]): string {
  return words.map((word) => (/\s/.test(word) ? `"${word}"` : word)).join(' ');
}

/**
 * What follows `--` and a name: nothing, or a value. Where that is missing it is asked for, and `offers` may stand there; none
 * where a button alone says it.
 */
export type Option = 'flag' | { readonly asks?: Phrase; readonly offers: readonly (string | Gap)[] };

/** The options among words, and the other words. */
export interface OptionWords {
  readonly texts: ReadonlyMap<string, string>;
  readonly flags: ReadonlySet<string>;
  readonly rest: readonly string[];
  /** One that was given more than once: the last one counts. */
  readonly twice: string | undefined;
}

/**
 * `web-1 --last 7d --csv`, in any order. `known`: the options by their names; `example`: of all, as the end of a sentence. Throws a
 * Refusal that names the first option which can't be read.
 */
export function readOptions(
  words: readonly string[],
  known: Readonly<Record<string, Option>>,
  example: Phrase | string,
): OptionWords {
  const names = Object.keys(known);
  const no = (why: Phrase, instead: Instead): Refusal => new Refusal('bad-option', why, instead);
  const typed = names.filter((name) => known[name] === 'flag' || known[name]?.offers.length !== 0);
  const unread = (why: Phrase): Refusal => no(say`${why} The options are ${example}.`, mendOptions(typed));
  const texts = new Map<string, string>();
  const flags = new Set<string>();
  const rest: string[] = [];
  let twice: string | undefined;
  const types = names.map((name) => [name, { type: known[name] === 'flag' ? 'boolean' : 'string' }] as const);
  const { tokens } = parseArgs({
    args: [...words],
    options: Object.fromEntries(types),
    strict: false,
    tokens: true,
  });
  for (const token of tokens) {
    if (token.kind === 'positional') rest.push(token.value);
    if (token.kind !== 'option') continue;
    const { name, rawName, value, inlineValue, index } = token;
    const option = Object.hasOwn(known, name) && rawName === `--${name}` ? known[name] : undefined;
    if (option === undefined) throw unread(say`I don't know ${words[index]?.split('=')[0] ?? rawName} here.`);
    if (texts.has(name)) twice = name;
    if (option !== 'flag' && (value === undefined || (!inlineValue && /^-./.test(value))))
      throw no(
        option.asks ?? say`${rawName} needs a value. Nothing was done.`,
        withAfter(rawName, ...option.offers),
      );
    if (option === 'flag' && value !== undefined) throw unread(say`${rawName} takes no value.`);
    if (value === undefined) flags.add(name);
    else texts.set(name, value);
  }
  return { texts, flags, rest, twice };
}
