import { followedBy, mendTimes, oneOf, REASON, inWords, withAfter } from '../../core/ask/mend-words.ts';
import { type Instead, Refusal } from '../../core/refusal.ts';
import { say } from '../../platform/slack/phrase.ts';
import { nextMoment, parseTimeOfDay, parseWeekday } from '../../platform/time/clock-words.ts';
import { parseDuration } from '../../platform/time/duration.ts';
import { findZone } from '../../platform/time/zoned-time.ts';

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
const INSTANCES = inWords('Names', 'prod-*');
const LENGTHS = ['1h', '4h', '1d'];

/**
 * `on prod-* until mon 08:00 "release"`: `on`, and `until` or `for`, may be left out, and the reason not. A time without a
 * zone is one in `zone`, an IANA name. Throws a Refusal.
 */
export function parseFreeze(words: readonly string[], zone: string, now: number): FreezeWords {
  const left = [...words];
  const on = takeOn(left);
  const end = takeUntil(left, zone, now);
  const why = left.join(' ').trim();
  if (why === '') throw no(say`Why? Everyone who is refused will read it.`, followedBy(REASON));
  // "freeze 4h release" would be without an end, and for no reason that anybody gave.
  const [first = ''] = left;
  if (end.until === undefined && parseDuration(first.toLowerCase(), ['m', 'h', 'd', 'w']) !== undefined) {
    const withFor: Instead = (typed) => [typed.flatMap((word) => (word === first ? ['for', word] : [word]))];
    throw no(say`Do you mean for ${first}?`, withFor);
  }
  return {
    on,
    ...end,
    why: why.slice(0, MAX_REASON_LENGTH),
  };
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

function takeUntil(left: string[], zone: string, now: number): Pick<FreezeWords, 'until' | 'zone'> {
  const length = take(left, 'for', () =>
    no(say`For how long?`, withAfter('for', ...LENGTHS, inWords('Time', '2d'))),
  );
  if (length !== undefined) {
    const ms = parseDuration(length, ['m', 'h', 'd', 'w']);
    if (ms === undefined || ms <= 0)
      throw no(say`I don't understand the time "${length}". Try 30m, 2h or 2d.`, mendTimes);
    return { until: now + ms };
  }
  const at = left.findIndex((word) => word.toLowerCase() === 'until');
  if (at < 0) return {};
  const [, first = '', second = ''] = left.slice(at, at + 3);
  const weekday = parseWeekday(first);
  const time = parseTimeOfDay(weekday === undefined ? first : second);
  if (!time)
    throw no(
      first === ''
        ? say`Until when?`
        : say`I don't understand the time "${first}". Try mon 08:00, 18:00 or for 2h.`,
      first === ''
        ? withAfter('until', '18:00', '08:00', ['mon', '08:00'], inWords('Time', 'fri 17:00'))
        : weekday === undefined
          ? undefined
          : inTheMorning(first),
    );
  left.splice(at, weekday === undefined ? 2 : 3);
  const named = findZone(left[at] ?? '');
  if (named !== undefined) left.splice(at, 1);
  return { until: nextMoment({ ...time, weekday }, named ?? zone, now), zone: named ?? zone };
}

/** The same with an hour for the day on which people are back at work. */
function inTheMorning(day: string): Instead {
  return (words) => [
    words.flatMap((word) => (word === day ? [word.slice(0, 3).toLowerCase(), '08:00'] : [word])),
  ];
}

/**
 * Takes `on` and the patterns after it out; the commas between them may be gone. They end at `until` or `for`; without
 * those, at the reason, which is the last word. Throws where they can't be distinguished from the reason.
 */
function takeOn(left: string[]): string[] | undefined {
  const at = left.findIndex((word) => word.toLowerCase() === 'on');
  if (at < 0) return undefined;
  const after = left.slice(at + 1);
  const keyword = after.findIndex((word) => ['until', 'for'].includes(word.toLowerCase()));
  const isPlain = after.findIndex((word, index) => index > 0 && !word.includes('*'));
  const count = keyword >= 0 ? keyword : isPlain >= 0 ? isPlain : after.length;
  if (keyword < 0 && after.length - count > 1)
    throw no(
      say`I can't tell the instances from the reason. Put the reason in quotation marks, and no space after a comma.`,
    );
  left.splice(at, 1 + count);
  return patternsOf(after.slice(0, count));
}

function patternsOf(words: readonly string[]): string[] {
  const patterns = words.flatMap((word) => word.split(',')).filter((pattern) => pattern !== '');
  if (patterns.length === 0) throw no(say`On which instances?`, withAfter('on', INSTANCES));
  return patterns;
}

/** Takes a keyword and the word after it out; undefined where it isn't there. Throws `none` where none follows. */
function take(left: string[], keyword: string, none: () => Refusal): string | undefined {
  const at = left.findIndex((word) => word.toLowerCase() === keyword);
  if (at < 0) return undefined;
  const [, word] = left.splice(at, 2);
  if (word === undefined) throw none();
  return word;
}

function no(why: ReturnType<typeof say>, instead?: Instead): Refusal {
  return new Refusal('bad-freeze', instead ? why : [...why, ...say` Example: ${EXAMPLE}.`], instead);
}
