import { countDuration, DAY_MS, HOUR_MS, lengthWords, MINUTE_MS } from '../../platform/time/duration.ts';
import { NUMBERS, UNITS } from './tables.ts';

/** A length of time, as people say it. */
export interface Length {
  readonly ms: number;
  /** The shortest word for it: `90m`, `4h30m`. */
  readonly word: string;
  /** Where the next word stands. */
  readonly next: number;
}

/** More words than this say no length. */
export const MOST_OF_A_LENGTH = 12;

const WEEK_MS = 7 * DAY_MS;
const MONTH_MS = 30 * DAY_MS;
const UNIT_MS: Readonly<Record<string, number>> = { m: MINUTE_MS, h: HOUR_MS, d: DAY_MS, w: WEEK_MS };

const ARTICLE = /^(?:a|an|the|another)$/;

/**
 * `4h`, `4h30m`, `1.5h`, "4 hours and 30 minutes", "an hour and a half", "half a day", "one and a half hours", "a week", "a month"
 * from `at` on, in lower case, with or without articles. Undefined for anything else; a length of nothing is one. Pure.
 */
export function readLength(words: readonly string[], at = 0): Length | undefined {
  const first = readPart(words, skipArticles(words, at));
  if (!first) return undefined;
  const parts = [first];
  for (;;) {
    const { ofMs, next } = parts.at(-1) ?? first;
    const more = readMore(words, next, ofMs);
    if (!more) break;
    parts.push(more);
  }
  const [one, other] = parts;
  const ms = parts.reduce((sum, part) => sum + part.ms, 0);
  const word = other === undefined && one?.word !== undefined ? one.word : wordOf(ms);
  return { ms, word, next: parts.at(-1)?.next ?? first.next };
}

/** One count of one unit, and how long that unit is. */
interface Part {
  readonly ms: number;
  readonly ofMs: number;
  /** As it was typed, in short, where that says it. */
  readonly word?: string;
  readonly next: number;
}

function readPart(words: readonly string[], at: number): Part | undefined {
  const word = words[at] ?? '';
  const after = skipArticles(words, at + 1);
  if (word === 'half') return partOf(0.5, words[after], after + 1);
  // "For a minute" and "for hours" say no length.
  if (/^(?:hour|hr|day|week|month)$/.test(word)) return partOf(1, word, at + 1);
  const [, typed, attached] = /^(\d{1,5}(?:[.,]\d{1,2})?)([a-z]+)?$/.exec(NUMBERS[word] ?? word) ?? [];
  if (typed === undefined) return compound(word, at + 1);
  const count = Number(typed.replace(',', '.'));
  if (attached !== undefined) return partOf(count, attached, at + 1);
  const half = skipArticles(words, at + 2);
  return words[at + 1] === 'and' && words[half] === 'half'
    ? partOf(count + 0.5, words[half + 1], half + 2)
    : partOf(count, words[at + 1], at + 2);
}

/** What adds to a part before it: "and a half", and "and 30 minutes", "30m", in smaller units than before. */
function readMore(words: readonly string[], at: number, beforeMs: number): Part | undefined {
  const next = words[at] === 'and' ? skipArticles(words, at + 1) : at;
  const isHalf = next > at && words[next] === 'half';
  const part = readPart(words, next);
  if (part && part.ofMs < beforeMs) return part;
  return isHalf && msOf(words[skipArticles(words, next + 1)] ?? '') === undefined
    ? { ms: toMinutes(beforeMs / 2), ofMs: 0, next: next + 1 }
    : undefined;
}

/** `4h30m`, `1d12h`, `1h30`. */
function compound(word: string, next: number): Part | undefined {
  const said = /^\d{1,2}h\d{2}$/.test(word) ? `${word}m` : word;
  if (!/^(?:\d{1,5}[a-z]+){2,}$/.test(said)) return undefined;
  const each = [...said.matchAll(/(\d+)([a-z]+)/g)].map(([, count, unit]) =>
    partOf(Number(count), unit, next),
  );
  if (each.some((part, index) => !part || part.ofMs >= (each[index - 1]?.ofMs ?? MONTH_MS))) return undefined;
  return {
    ms: each.reduce((sum, part) => sum + (part?.ms ?? 0), 0),
    ofMs: each.at(-1)?.ofMs ?? 0,
    next,
  };
}

function partOf(count: number, unit: string | undefined, next: number): Part | undefined {
  const ofMs = msOf(unit ?? '');
  if (ofMs === undefined) return undefined;
  const letter = UNITS[unit ?? ''];
  const word = Number.isInteger(count) && letter !== undefined ? { word: `${count}${letter}` } : {};
  return { ms: toMinutes(count * ofMs), ofMs, ...word, next };
}

function msOf(unit: string): number | undefined {
  return /^months?$/.test(unit) ? MONTH_MS : UNIT_MS[UNITS[unit] ?? ''];
}

function skipArticles(words: readonly string[], at: number): number {
  let next = at;
  while (ARTICLE.test(words[next] ?? '')) next++;
  return next;
}

function toMinutes(ms: number): number {
  return Math.round(ms / MINUTE_MS) * MINUTE_MS;
}

/** `90m`, `1h30m`, `1d12h`: whole days, hours and minutes. */
function wordOf(ms: number): string {
  const parts = [
    [Math.floor(ms / DAY_MS), 'd'],
    [Math.floor((ms % DAY_MS) / HOUR_MS), 'h'],
    [Math.floor((ms % HOUR_MS) / MINUTE_MS), 'm'],
  ] as const;
  const said = parts.flatMap(([count, letter]) => (count > 0 ? [`${count}${letter}`] : []));
  return said.join('') || '0m';
}

/** `4h30m` as "4 hours 30 minutes", `7d` as "1 week"; what is no length as it was typed. */
export function lengthLabel(typed: string): string {
  const word = typed.toLowerCase();
  const { ms = 0 } = readLength([word]) ?? {};
  if (ms === 0) return typed;
  const parts = word.match(/\d+[mhdw]/g) ?? [];
  if (parts.length > 1) return parts.map(lengthWords).join(' ');
  const { count, unit } = countDuration(ms, ['w', 'd', 'h', 'm']);
  return lengthWords(`${count}${unit}`);
}
