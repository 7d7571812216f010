import { Refusal } from '../../../core/refusal.ts';
import { daysLeftOut, type When } from '../../../core/schedules/when.ts';
import { withHolidays } from '../../../core/schedules/holidays.ts';
import type { Holidays } from '../../../core/policy/sections.ts';
import { nextRuns } from '../../../core/schedules/next-runs.ts';
import { readAnyEnd, readTypedEnd } from '../../../core/sentences/end.ts';
import { introLength } from '../../../core/sentences/days-out.ts';
import type { Moment } from '../../../core/sentences/times.ts';
import { say } from '../../../platform/slack/phrase.ts';
import { DAY_MS } from '../../../platform/time/duration.ts';
import { findZone } from '../../../platform/time/zoned-time.ts';
import { VERBS } from './parse-exceptions.ts';

/** What can be typed, as the field's hint says it. */
export const PAUSE_EXAMPLES = '3d, 2w, 18:00, mon 08:00, 2026-12-24 or 2026-12-24 18:00';
/** Nothing is paused for longer. */
const MAX_DAYS = 365;
/** A day begins with what is scheduled on it. */
const MIDNIGHT = { hour: 0, minute: 0 };

/** `3d`, `18:00`, `mon 08:00`, `2026-12-24 18:00` after `now`, both Unix ms, by the clock in `zone`; undefined for anything else. */
export function parsePause(typed: string, zone: string, now: number): number | undefined {
  const until = readTypedEnd(typed, { at: now, zone }, { ofDay: MIDNIGHT })?.until;
  return until !== undefined && until <= now + MAX_DAYS * DAY_MS ? until : undefined;
}

/** A day that is its last one counts whole. */
const END_OF_DAY = { hour: 23, minute: 59 };
/** No rule is without a run for longer, but for days that are left out. */
const WEEK_DAYS = 8;
const MOST_RULES = 2;

/**
 * Takes off the words after `schedule` those that say until when it goes on: `until 2026-12-24`, and with `hours` also `for 7d`. They
 * stand after what is done when, before the days that are left out. `until`: Unix ms. Pure.
 */
export function takeEnd(
  words: readonly string[],
  moment: Moment,
): { readonly words: readonly string[]; readonly until: number | undefined } {
  const what = words.findIndex((word) => VERBS.has(word.toLowerCase()));
  const out = words.findIndex((_, index) => what >= 0 && index > what && introLength(words, index) > 0);
  const last = out < 0 ? words.length : out;
  const isHours = words[what]?.toLowerCase() === 'hours';
  const zone = words.slice(what + 1).flatMap((word) => findZone(word) ?? [])[0] ?? moment.zone;
  // "Stop at 20:00 for 2h" would mean how long it stays stopped.
  const at = words.findIndex(
    (word, index) =>
      index > what && index < last && (isHours ? /^(?:until|till?|for)$/i : /^(?:until|till?)$/i).test(word),
  );
  const end =
    what < 0 || at < 0 ? undefined : readAnyEnd(words.slice(0, last), at, { ...moment, zone }, END_OF_DAY);
  if (!end) return { words, until: undefined };
  const zones = words.slice(at, at + end.count).filter((word) => findZone(word) !== undefined);
  return { words: [...words.slice(0, at), ...zones, ...words.slice(at + end.count)], until: end.until };
}

/**
 * When, with an end. What both starts and stops ends with a start, so that nothing is left stopped. `until` and `now`: Unix ms;
 * `holidays`: the lists that there are. Throws a Refusal where it runs once anyway.
 */
export function endingAt(
  when: When,
  until: number,
  { now, holidays }: { readonly now: number; readonly holidays: Holidays },
): When {
  if (when.kind === 'once')
    throw new Refusal('bad-schedule', say`It runs once, on ${when.date}, so it has no other end.`);
  const verbs = when.rules.map(({ verb }) => verb);
  const ending = { ...when, until };
  if (!verbs.includes('start') || !verbs.includes('stop')) return ending;
  const known = withHolidays(ending, holidays);
  const days = WEEK_DAYS + (known.kind === 'weekly' ? daysLeftOut(known.except ?? []) : 0);
  const runs = nextRuns(known, Math.max(now, until - days * DAY_MS), days * MOST_RULES);
  return { ...when, until: runs.findLast(({ verb }) => verb === 'start')?.at ?? now };
}
