import { Refusal } from '../../core/refusal.ts';
import { say } from '../../platform/slack/phrase.ts';
import { nextMoment, parseTimeOfDay, parseWeekday } from '../../platform/time/clock-words.ts';
import { parseDuration } from '../../platform/time/duration.ts';
import { findZone } from '../../platform/time/wall-time.ts';

/** What the words after `freeze` mean. */
export interface FreezeWords {
  readonly on?: readonly string[];
  /** Unix ms; undefined for until somebody ends it. */
  readonly until?: number;
  /** The IANA name of the zone in which a time of day was understood. */
  readonly zone?: string;
  readonly why: string;
}

const EXAMPLE = 'freeze until mon 08:00 "release"';
const MAX_REASON_LENGTH = 300;

/**
 * `on prod-* until mon 08:00 "release"`: `on`, and `until` or `for`, may be left out, and the reason not. A time without a
 * zone is one in `zone`, an IANA name. Throws a Refusal.
 */
export function parseFreeze(words: readonly string[], zone: string, now: number): FreezeWords {
  const left = [...words];
  const on = take(left, 'on', 1)?.[0]
    ?.split(',')
    .filter((pattern) => pattern !== '');
  const end = takeUntil(left, zone, now);
  const why = left.join(' ').trim();
  if (why === '') throw no(say`Say why as well: everybody who is refused reads it.`);
  return {
    ...(on ? { on } : {}),
    ...end,
    why: why.slice(0, MAX_REASON_LENGTH),
  };
}

/** The patterns after `thaw on`; undefined where all of it is meant. Throws a Refusal. */
export function parseThaw(words: readonly string[]): readonly string[] | undefined {
  const left = [...words];
  const on = take(left, 'on', 1)?.[0]
    ?.split(',')
    .filter((pattern) => pattern !== '');
  if (left.length > 0)
    throw new Refusal(
      'bad-thaw',
      say`I can't read "${left.join(' ')}". Say it as in thaw, or thaw on prod-*.`,
    );
  return on;
}

function takeUntil(left: string[], zone: string, now: number): Pick<FreezeWords, 'until' | 'zone'> {
  const forWords = take(left, 'for', 1);
  if (forWords) {
    const ms = parseDuration(forWords[0] ?? '', ['m', 'h', 'd', 'w']);
    if (ms === undefined || ms <= 0)
      throw no(say`I don't understand the time "${forWords[0] ?? ''}". Try 30m, 2h or 2d.`);
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
        ? say`No time follows "until". Try mon 08:00 or 18:00.`
        : say`I don't understand the time "${first}". Try mon 08:00, 18:00 or for 2h.`,
    );
  left.splice(at, weekday === undefined ? 2 : 3);
  const named = findZone(left[at] ?? '');
  if (named !== undefined) left.splice(at, 1);
  return { until: nextMoment({ ...time, weekday }, named ?? zone, now), zone: named ?? zone };
}

/** Takes a keyword and the words after it out; undefined where it isn't there. Throws where too few follow. */
function take(left: string[], keyword: string, count: number): string[] | undefined {
  const at = left.findIndex((word) => word.toLowerCase() === keyword);
  if (at < 0) return undefined;
  const taken = left.splice(at, 1 + count).slice(1);
  if (taken.length < count) throw no(say`Nothing follows "${keyword}".`);
  return taken;
}

function no(why: ReturnType<typeof say>): Refusal {
  return new Refusal('bad-freeze', [...why, ...say` Say it as in ${EXAMPLE}.`]);
}
