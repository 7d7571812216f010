import { parseTimeOfDay, nextMoment, type TimeOfDay } from '../../platform/time/clock-words.ts';
import { countDuration, lengthWords, parseDuration } from '../../platform/time/duration.ts';
import { type Phrase, say } from '../../platform/slack/phrase.ts';
import { clockAt, findZone } from '../../platform/time/zoned-time.ts';
import { type Atom, atomsOf } from './atoms.ts';
import { counted, type Moment, type Read, readClock, wholeSpan } from './times.ts';
import { shortDay, weekdayOf } from './weekdays.ts';
import { BACK_AT_WORK, clockWords } from './when.ts';

/** When something ends, as somebody typed it for a command. */
export interface End {
  /** Unix ms. */
  readonly until: number;
  /** The IANA name of the zone in which a time of day was understood. */
  readonly zone?: string;
  /** The shortest words for it: `for 2d`, `until fri 08:00`. */
  readonly words: readonly string[];
  /** How many words it was typed with. */
  readonly count: number;
}

/** Why "for the weekend" is no end from Monday to Thursday: what is asked for would begin at once. */
export function notYetWeekend(): Phrase {
  return say`The weekend hasn't begun, and this would begin right away. If you mean that, say until mon 08:00.`;
}

/**
 * `for 2d`, "for 2 days", "for a week", "for the weekend", `until fri 08:00`, "until friday", "till 6pm", "until tomorrow at 9",
 * each with or without a zone, which is else that of the moment. `at`: where the first of these words stands. A day without a time
 * ends at 8:00 of it. Undefined for anything else, a length of nothing, and a weekend that hasn't begun. Pure.
 */
export function readEnd(words: readonly string[], at: number, moment: Moment): End | undefined {
  const isLength = words[at]?.toLowerCase() === 'for';
  const after = words.slice(at + 1);
  const end = isLength ? readLength(after, moment) : readUntil(after, moment);
  return end && { ...end, count: end.count + 1 };
}

const ARTICLE = /^(?:a|an|the|another)$/i;

function readLength(words: readonly string[], moment: Moment): End | undefined {
  const articles = ARTICLE.test(words[0] ?? '') ? 1 : 0;
  const [word = '', second = '', third = ''] = words
    .slice(articles, articles + 3)
    .map((one) => one.toLowerCase());
  if (word === 'weekend') return weekend(articles + 1, moment);
  const isHalf = word === 'half' && ARTICLE.test(second);
  const read = isHalf ? counted(word, third) : counted(word, second);
  const whole = parseDuration(word, ['m', 'h', 'd', 'w']) === undefined ? wholeSpan(word) : word;
  const length = read?.what ?? whole;
  const ms = length === undefined ? undefined : parseDuration(length, ['m', 'h', 'd', 'w']);
  if (length === undefined || !ms) return undefined;
  return {
    until: moment.at + ms,
    words: ['for', length],
    count: articles + (read ? read.words : 1) + (isHalf ? 1 : 0),
  };
}

const FRIDAY = 5;

/** Until Monday, where the weekend has begun or is near. */
function weekend(count: number, { at: now, zone }: Moment): End | undefined {
  if (clockAt(now, zone).dayOfWeek < FRIDAY) return undefined;
  const until = nextMoment({ ...BACK_AT_WORK, weekday: 1 }, zone, now);
  return { until, zone, words: ['until', 'mon', clockWords(BACK_AT_WORK)], count };
}

/** A day, a time of it, or both, in either order. */
function readUntil(words: readonly string[], { at: now, zone: own }: Moment): End | undefined {
  const today = clockAt(now, own).dayOfWeek;
  let weekday: number | undefined;
  let time: TimeOfDay | undefined;
  let next = 0;
  for (let at = 0; at < words.length;) {
    const word = words[at]?.toLowerCase() ?? '';
    const day = word === 'tomorrow' ? (today % 7) + 1 : weekdayOf(word);
    const clock = clockIn(words, at);
    if (weekday === undefined && day !== undefined) weekday = day;
    else if (!time && clock) time = clock.what;
    else if (['at', 'on', 'morning'].includes(word)) {
      at++;
      if (word === 'morning' && weekday !== undefined) next = at;
      continue;
    } else break;
    at = next = clock && day === undefined ? clock.next : at + 1;
  }
  if (weekday === undefined && !time) return undefined;
  const named = findZone(words[next] ?? '');
  const zone = named ?? own;
  const of = time ?? BACK_AT_WORK;
  return {
    until: nextMoment({ ...of, weekday }, zone, now),
    zone,
    words: [
      'until',
      ...(weekday === undefined ? [] : [shortDay(weekday)]),
      clockWords(of),
      ...(named === undefined ? [] : [named]),
    ],
    count: named === undefined ? next : next + 1,
  };
}

/** A time of day that one word says, or two: "6pm", "6 pm", "noon", "18". */
function clockIn(words: readonly string[], at: number): Read<TimeOfDay> | undefined {
  const typed = words.slice(at, at + 2).map((word): Atom => {
    const [only] = atomsOf(word);
    return only ?? { text: '', letters: '', isMark: true };
  });
  const bare = parseTimeOfDay(words[at] ?? '');
  const read = readClock(typed, 0, bare !== undefined);
  return read && { what: read.what, next: at + read.next };
}

/** The words of an end as a button says them: "for 2 days", "until Fri 08:00". */
export function endLabel([keyword = '', first = '', ...more]: readonly string[]): string {
  const said = keyword === 'for' ? roundWords(first) : `${first.slice(0, 1).toUpperCase()}${first.slice(1)}`;
  return [keyword, said, ...more].join(' ');
}

/** `7d` as "1 week". */
function roundWords(typed: string): string {
  const ms = parseDuration(typed.toLowerCase(), ['m', 'h', 'd', 'w']);
  if (!ms) return typed;
  const { count, unit } = countDuration(ms, ['w', 'd', 'h', 'm']);
  return lengthWords(`${count}${unit}`);
}
