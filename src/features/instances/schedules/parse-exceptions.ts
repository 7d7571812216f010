import { atomsOf } from '../../../core/sentences/atoms.ts';
import { daysOutWords, introLength, readDaysOut } from '../../../core/sentences/days-out.ts';
import type { Moment } from '../../../core/sentences/times.ts';
import { weekdayOf } from '../../../core/sentences/weekdays.ts';
import {
  isLeftOut,
  listed,
  rangeWords,
  type Exception,
  MAX_DAYS_AHEAD,
  MAX_EXCEPTIONS,
  type When,
} from '../../../core/schedules/when.ts';
import type { Holidays } from '../../../core/policy/sections.ts';
import { inWords } from '../../../core/ask/mend-words.ts';
import { type Instead, Refusal } from '../../../core/refusal.ts';
import { POWERS } from '../../../platform/hosting/service.ts';
import { type Phrase, say } from '../../../platform/slack/phrase.ts';
import { clockAt, findZone } from '../../../platform/time/zoned-time.ts';

/** The words after `schedule`: those that say what is done when, and those that say on which days not. */
export interface ScheduleParts {
  readonly words: readonly string[];
  /** From `except` on; empty without one. */
  readonly except: readonly string[];
}

const EXAMPLES = say`Write them like except 2026-12-24, except 24 Dec to 1 Jan, or several with commas`;
/** How many lists of holidays are offered in place of one that there is not. */
const MAX_OFFERED = 3;
/** What says what is done; names stand before it. */
export const VERBS: ReadonlySet<string> = new Set([...POWERS, 'hours']);

/** Takes the days that are left out off the words: what follows `except`, and a time zone behind them is that of the schedule. Pure. */
export function takeExceptions(words: readonly string[]): ScheduleParts {
  const what = words.findIndex((word) => VERBS.has(word.toLowerCase()));
  const at = words.findIndex((_, index) => what >= 0 && index > what && introLength(words, index) > 0);
  if (at < 0) return { words, except: [] };
  const zone = words.slice(at + 1).filter((word, index, after) => {
    return index === after.length - 1 && findZone(word) !== undefined;
  });
  return {
    words: [...words.slice(0, at), ...zone],
    except: words.slice(at, words.length - zone.length),
  };
}

/**
 * When, without the days that the words name from `except` on. `now`: Unix ms; days are those of the zone of `when`; `holidays`: the
 * lists that there are. Throws a Refusal with one sentence.
 */
export function withoutDays(
  when: When,
  { words, except }: ScheduleParts,
  now: number,
  holidays: Holidays,
): When {
  if (except.length === 0) return when;
  const all = readAll(except, { at: now, zone: when.zone });
  refuseUnlessThere(
    all.flatMap((one) => ('list' in one ? [one.list] : [])),
    holidays,
    words,
  );
  if (when.kind === 'once') throw no(onceWords(when.date, withDays(all, holidays)));
  if (all.length > MAX_EXCEPTIONS)
    throw no(
      say`That is more than ${MAX_EXCEPTIONS} days and ranges, which is the most that one schedule leaves out`,
    );
  const turned: Instead = () => [[...words, ...daysOutWords(all.map(inOrder))]];
  const today = clockAt(now, when.zone).toPlainDate();
  const last = today.add({ days: MAX_DAYS_AHEAD }).toString();
  for (const one of all) {
    if ('list' in one) {
      const isAhead = holidays[one.list]?.some(({ to }) => to >= today.toString());
      if (!isAhead)
        throw no(say`The holidays ${one.list} are all over. Put the next ones into the policy file`);
      continue;
    }
    if (one.from > one.to)
      throw no(say`${one.from} to ${one.to} is the wrong way round: it ends before it begins`, turned);
    if (one.to < today.toString())
      throw no(say`${rangeWords(one)} is over, so there is nothing to leave out`);
    if (one.to > last)
      throw no(
        say`${rangeWords(one)} is more than ${MAX_DAYS_AHEAD} days ahead, which is the furthest I schedule`,
      );
  }
  return { ...when, except: [...all] };
}

/** Lists with their days. */
function withDays(all: readonly Exception[], holidays: Holidays): readonly Exception[] {
  return all.flatMap((one) => ('list' in one ? (holidays[one.list] ?? []) : [one]));
}

function refuseUnlessThere(lists: readonly string[], holidays: Holidays, words: readonly string[]): void {
  const unknown = lists.filter((list) => !Object.hasOwn(holidays, list));
  const names = Object.keys(holidays);
  if (unknown.length === 0) return;
  if (names.length === 0) throw no(say`I can't read the days "${unknown.join(' ')}". ${EXAMPLES}`);
  throw no(
    say`There are no holidays called "${unknown.join(' ')}" in the policy file, which has ${listed(names.map((name) => say`${name}`))}. Days are written like 2026-12-24, or 24 Dec to 1 Jan`,
    () => names.slice(0, MAX_OFFERED).map((name) => [...words, 'except', name]),
  );
}

function onceWords(date: string, days: readonly Exception[]): Phrase {
  return isLeftOut(date, days)
    ? say`It runs once, on ${date}, and that day is left out, so it would never run`
    : say`It runs once, on ${date}, so there is nothing to leave out`;
}

function readAll(except: readonly string[], moment: Moment): readonly Exception[] {
  // Among marks, a dash that stands alone gets lost.
  const atoms = atomsOf(except.map((word) => (/^[-–—]+$/.test(word) ? 'to' : word)).join(' '));
  const read = readDaysOut(atoms, 0, moment, true);
  const intro = introLength(except, 0);
  const left = atoms.slice(read?.next ?? intro).filter(({ isMark }) => !isMark);
  if (read && left.length === 0) return read.what;
  if (left.some(({ text }) => isOfWeek(text)))
    throw no(say`I leave out dates, not days of the week. Name the days on which it runs, like mon-thu`);
  if (left.length === 0)
    throw new Refusal('bad-schedule', say`Which days should it leave out? ${EXAMPLES}.`, (words) => [
      [...words, inWords('Days', '24 Dec to 1 Jan')],
    ]);
  throw no(say`I can't read the days "${left.map(({ letters }) => letters).join(' ')}". ${EXAMPLES}`);
}

function isOfWeek(text: string): boolean {
  return weekdayOf(text) !== undefined || /^week(?:day|end)s?$/.test(text);
}

function inOrder(one: Exception): Exception {
  return 'list' in one || one.from <= one.to ? one : { from: one.to, to: one.from };
}

function no(why: Phrase, instead?: Instead): Refusal {
  return new Refusal('bad-schedule', say`${why}.`, instead);
}

/** "and keep it stopped", "kept off in between", "enforced". */
const KEEPS =
  /(?:^| )(?:and |but |, )?(?:(?:keep|keeping|leave) (?:(?:it|them|these|those|all|everything) )?(?:stopp?ed|off|down)|kept (?:stopp?ed|off|down)|enforced?|strict(?:ly)?)(?: (?:in between|until then|meanwhile|then))?(?= |$)/i;

/** How it is asked for. */
export const KEEP_IT_STOPPED = ['and', 'keep', 'it', 'stopped'];

/** Takes off the words after `schedule` those that ask to keep stopped what was stopped; they stand after what is done when. Pure. */
export function takeKeeping(words: readonly string[]): {
  readonly words: readonly string[];
  readonly keeps: boolean;
} {
  const names = namesIn(words);
  const [what, ...rest] = words.slice(names.length);
  const after = rest.join(' ');
  if (what === undefined || !KEEPS.test(after)) return { words, keeps: false };
  const left = after.replace(KEEPS, ' ').split(' ').filter(Boolean);
  return { words: [...names, what, ...left], keeps: true };
}

/** The words before the one that says what is done. */
function namesIn(words: readonly string[]): readonly string[] {
  const what = words.findIndex((word) => VERBS.has(word.toLowerCase()));
  return what < 0 ? words : words.slice(0, what);
}

/** When, with what it stops kept stopped until its next start. Throws a Refusal where nothing says until when. */
export function keepingStopped(when: When): When {
  const verbs = when.kind === 'weekly' ? when.rules.map(({ verb }) => verb) : [];
  if (when.kind === 'weekly' && verbs.includes('stop') && verbs.includes('start'))
    return { ...when, keeps: true };
  throw new Refusal(
    'bad-schedule',
    say`I can only keep it stopped until a time. Say from when to when it runs, like hours 08:00-20:00 mon-fri and keep it stopped.`,
    (words) => [[...namesIn(words), 'hours', inWords('Hours', '08:00-20:00 mon-fri'), ...KEEP_IT_STOPPED]],
  );
}
