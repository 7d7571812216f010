import { oneOf, REASON, withAfter } from '../../core/ask/mend-words.ts';
import { type EndExamples, noEnd } from '../../core/sentences/no-end.ts';
import { splitWords } from '../../core/ask/words.ts';
import { type Gap, type Instead, Refusal } from '../../core/refusal.ts';
import type { Moment } from '../../core/sentences/times.ts';
import { END_WORDS, readEnd } from '../../core/sentences/end.ts';
import { weekdayOf } from '../../core/sentences/weekdays.ts';
import { markOf } from '../../core/policy/pattern.ts';
import { looksLikeName } from '../../core/sentences/read-name.ts';
import { plain, say } from '../../platform/slack/phrase.ts';
import { parseDuration } from '../../platform/time/duration.ts';

/** What the words after `freeze` mean. */
export interface FreezeWords {
  readonly on?: readonly string[];
  /** Unix ms; undefined for until somebody ends it. */
  readonly until?: number;
  /** The IANA name of the zone in which a time of day was understood. */
  readonly zone?: string;
  readonly why: string;
}

const EXAMPLE = '/lamplighter freeze until mon 08:00 "release"';
const MAX_REASON_LENGTH = 300;
const MAX_SAID = 100;
const TRIES = ['30m, 2h or 2d', 'mon 08:00, 18:00 or for 2h'] as const;
const ENDS: EndExamples = { lengths: ['1h', '4h', '1d'], longer: '2d', tries: TRIES };
const INSTANCES: Gap = { asks: 'text', label: 'Names, such as web-1,prod-*' };

/**
 * `on prod-* until mon 08:00 "release"`: `on`, and `until` or `for`, may be left out, and the reason not. A time without a
 * zone is one in that of the `moment`. `line`: all that was typed, where it was. Typed words count as the reason only in
 * quotation marks: any others may be a sentence, and are asked about first. Throws a Refusal.
 */
export function parseFreeze(words: readonly string[], line: string | undefined, moment: Moment): FreezeWords {
  const left = wordsOf(words, line);
  refuseStart(left);
  const end = takeUntil(left, moment);
  const endWords = [...end.words];
  const on = takeOn(left, line !== undefined);
  if (EVERYTHING.test(left[0]?.word ?? '') && !left[0]?.isQuoted) left.shift();
  const isExact = line === undefined || (left.length === 1 && left.every(({ isQuoted }) => isQuoted));
  const why = textOf(left);
  if (isExact && why !== '')
    return { on, until: end.until, zone: end.zone, why: why.slice(0, MAX_REASON_LENGTH) };
  const named = left.filter(({ word, isQuoted }) => !isQuoted && isPattern(word));
  const those = [...(on ?? []), ...named.map(({ word }) => word)];
  const rest = textOf(left.filter((one) => !named.includes(one)));
  const what = [...(those.length > 0 ? ['on', those.join(',')] : ['everything']), ...endWords];
  if (rest === '') throw no(say`Why? Everyone who is refused will read it.`, oneOf([...what, REASON]));
  throw no(
    say`Do you want to freeze ${those.length > 0 ? those.join(', ') : 'everything'} with the reason "${plain(rest, MAX_SAID)}"? Nothing is frozen yet. To skip this question, put the reason in quotation marks.`,
    oneOf([...what, rest]),
  );
}

interface Word {
  readonly word: string;
  readonly isQuoted: boolean;
}

const EVERYTHING = /^(?:everything|all)$/i;

/** The words after the verb, and which of them were typed in quotation marks. */
function wordsOf(words: readonly string[], line: string | undefined): Word[] {
  const quoted = line === undefined ? [] : splitWords(line).quoted.slice(-words.length);
  return words.map((word, at) => ({ word, isQuoted: quoted[at] ?? false }));
}

/** Those of them that stand in no quotation marks: these may be more than a reason. Pure. */
export function bareWords(words: readonly string[], line: string | undefined): readonly string[] {
  if (line === undefined) return [];
  return texts(wordsOf(words, line).filter(({ isQuoted }) => !isQuoted));
}

function textOf(words: readonly Word[]): string {
  return words
    .map(({ word }) => word)
    .join(' ')
    .trim();
}

/** Whether what is frozen, and until when, may still follow these words after `freeze`: none of them is of a reason. Pure. */
export function isBeforeReason(before: readonly string[], moment: Moment): boolean {
  const left = wordsOf(before, undefined).filter(({ word }) => !AROUND.test(word));
  const at = indexOf(left, END_WORDS);
  const end = at < 0 ? undefined : readEnd(texts(left), at, moment);
  if (end) left.splice(at, end.count);
  return left.every(({ word }) => isPattern(word));
}

/** Words around what is frozen, which say nothing of it. */
const AROUND = /^(?:everything|all|changes|things|on|in|of|at|the)$/i;

/** Whether a word can only stand for instances. */
function isPattern(word: string): boolean {
  return word.includes('*') || markOf(word) !== undefined || looksLikeName(word);
}

/** The patterns after `thaw on`; undefined where all of it is meant. Throws a Refusal. */
export function parseThaw(words: readonly string[]): readonly string[] | undefined {
  const [first, ...patterns] = words;
  if (first === undefined) return undefined;
  if (first.toLowerCase() !== 'on')
    throw new Refusal(
      'bad-thaw',
      say`I can't read "${words.join(' ')}". Example: /lamplighter thaw, or /lamplighter thaw on prod-*.`,
      oneOf(['on', ...words]),
    );
  return patternsOf(patterns);
}

/** Throws a Refusal where a day is typed on which it is to begin. */
function refuseStart(left: readonly Word[]): void {
  const at = left.findIndex(
    ({ isQuoted }, index) => !isQuoted && isStart(texts(left.slice(index, index + 2))),
  );
  if (at < 0) return;
  const named = texts(left.slice(0, at)).filter(isPattern);
  const quotedAt = left.findIndex(({ isQuoted }) => isQuoted);
  const start = texts(left.slice(at, quotedAt < at ? left.length : quotedAt)).join(' ');
  throw no(
    say`A freeze begins at once, so I can't set one that begins ${plain(start, MAX_SAID)}. Nothing is frozen yet.`,
    oneOf([...(named.length > 0 ? ['on', named.join(',')] : ['everything']), REASON]),
  );
}

function isStart([word = '', day = '']: readonly string[]): boolean {
  return (
    /^(?:on|from|starting)$/i.test(word) &&
    (/^(?:tomorrow|tonight)$/i.test(day) || weekdayOf(day.toLowerCase()) !== undefined)
  );
}

/** The end that was typed, and the words for it, which are taken out of `left`. */
type TypedEnd = Pick<FreezeWords, 'until' | 'zone'> & { readonly words: readonly string[] };

function takeUntil(left: Word[], moment: Moment): TypedEnd {
  const [{ word: bare, isQuoted } = { word: '', isQuoted: false }] = left;
  const isBare = !isQuoted && lengthOf(bare) !== undefined;
  if (isBare) left.unshift({ word: 'for', isQuoted: false });
  const forAt = indexOf(left, ['for']);
  const at = forAt >= 0 ? forAt : indexOf(left, END_WORDS.slice(1));
  if (at < 0) return { words: [] };
  const quotedAt = left.findIndex(({ isQuoted: quoted }, index) => index > at && quoted);
  const said = texts(left.slice(0, quotedAt < 0 ? left.length : quotedAt));
  const end = readEnd(said, at, moment);
  // What follows may be the reason.
  const next = /^(?:the|an?)$/i.test(said[at + 1] ?? '') ? 3 : 2;
  if (!end) throw noEnd(said.slice(at, at + next), moment, no, ENDS);
  left.splice(at, end.count);
  return end;
}

function lengthOf(word: string): number | undefined {
  return parseDuration(word.toLowerCase(), ['m', 'h', 'd', 'w']);
}

function texts(words: readonly Word[]): string[] {
  return words.map(({ word }) => word);
}

/** Where one of these keywords stands: in quotation marks it is none. */
function indexOf(words: readonly Word[], keywords: readonly string[]): number {
  return words.findIndex(({ word, isQuoted }) => !isQuoted && keywords.includes(word.toLowerCase()));
}

/**
 * Takes `on` and the patterns after it out. Typed, they end at what is in quotation marks; without any, at the first word that
 * need be none. Made by a button, all of them are one word.
 */
function takeOn(left: Word[], isTyped: boolean): string[] | undefined {
  const at = indexOf(left, ['on']);
  if (at < 0) return undefined;
  const after = left.slice(at + 1);
  const hasQuoted = after.some(({ isQuoted }) => isQuoted);
  const isOver = ({ word, isQuoted }: Word, index: number): boolean =>
    (isQuoted && (index > 0 || index === after.length - 1)) ||
    (index > 0 && (!isTyped || (!hasQuoted && !isPattern(word) && !/^\d+$/.test(word))));
  const end = after.findIndex(isOver);
  const those = left.splice(at, 1 + (end < 0 ? after.length : end)).slice(1);
  return patternsOf(texts(those));
}

function patternsOf(words: readonly string[]): string[] {
  const patterns = words.flatMap((word) => word.split(/\s*,\s*/)).filter((pattern) => pattern !== '');
  if (patterns.length === 0) throw no(say`On which instances?`, withAfter('on', INSTANCES));
  return patterns;
}

function no(why: ReturnType<typeof say>, instead?: Instead): Refusal {
  return new Refusal('bad-freeze', instead ? why : [...why, ...say` Example: ${EXAMPLE}.`], instead);
}
