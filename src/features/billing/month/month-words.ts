import { z } from 'zod';
import { oneOf } from '../../../core/ask/mend-words.ts';
import { Refusal } from '../../../core/refusal.ts';
import { monthCalled } from '../../../core/sentences/times.ts';
import { type Phrase, say } from '../../../platform/slack/phrase.ts';

/** The values of a label, as in `label:team`. */
type ByLabel = `label:${string}`;
export type By = 'instance' | 'type' | 'group' | ByLabel;

/** The key of a label that a month is shown by. */
export function labelIn(by: ByLabel): string {
  return by.slice('label:'.length);
}

/** Whether a month is shown by a label. */
export function isByLabel(by: By): by is ByLabel {
  return by.startsWith('label:');
}

/** What somebody asks of a month. */
export interface AskedMonth {
  /** As in "2026-10". */
  readonly month: string;
  readonly by: By;
  /** As a file. */
  readonly isCsv: boolean;
}

/** Asks for a file. */
export const CSV = '--csv';

/** Whether a word does so, as people type it. */
export function asksForFile(word: string): boolean {
  return /^(?:--)?csv$/i.test(word);
}

const BY: ReadonlyMap<string, By> = new Map([
  ['instance', 'instance'],
  ['instances', 'instance'],
  ['type', 'type'],
  ['types', 'type'],
  ['group', 'group'],
  ['groups', 'group'],
]);

/** A command that takes a month. */
interface TakesMonth {
  /** It takes `by instance`, `by type` and `--csv`, too. */
  readonly takesMore: boolean;
  /** What to type, for who has typed something else. */
  readonly example: string;
}
const OF_MONTH: TakesMonth = { takesMore: true, example: '/billing month october by type' };

/**
 * The words after `billing month`: a month by its name, as `2026-10`, or as "last month"; where the command takes more than that,
 * `by instance`, `by type`, `by group` or `by label:team`; `--csv`. Without a month it is the one of `now` (the calendar's, Unix ms). Throws a Refusal
 * for anything else.
 */
export function parseMonth(
  words: readonly string[],
  now: number,
  { takesMore, example }: TakesMonth = OF_MONTH,
): AskedMonth {
  const no = (why: Phrase): Refusal => notRead(why, example);
  const today = monthOf(now);
  let month: string | undefined;
  let by: By | undefined;
  let isCsv = false;
  const rest = words.map((word) => word.toLowerCase());
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (takesMore && asksForFile(word)) isCsv = true;
    else if (takesMore && (word === 'by' || readBy(word))) {
      by = readBy(word === 'by' ? (rest.shift() ?? '') : word);
      if (!by)
        throw no(
          say`I can show a month by instance, by type, by group, or by a label of instances, as in by label:team.`,
        );
    } else if (month === undefined) month = readMonth(word, rest, today, no);
    else throw no(say`I don't know "${word}" here.`);
  }
  if (month !== undefined && month > today) throw no(say`${monthName(month)} hasn't begun.`);
  return { month: month ?? today, by: by ?? 'instance', isCsv };
}

function readBy(word: string): By | undefined {
  const key = /^label:([\p{L}\p{N}_./-]{1,60})$/u.exec(word)?.[1];
  return key === undefined ? BY.get(word) : `label:${key}`;
}

/** The words that `parseMonth` reads as the same, shown and not as a file. */
export function monthWords({ month, by }: Pick<AskedMonth, 'month' | 'by'>): string[] {
  return [month, 'by', by];
}

/** Takes the words that belong to it from `rest`. */
function readMonth(word: string, rest: string[], today: string, no: (why: Phrase) => Refusal): string {
  if (/^20\d\d-(?:0[1-9]|1[0-2])$/.test(word)) return word;
  const isOther = word === 'this' || word === 'last' || word === 'previous';
  if (isOther && rest[0] === 'month') {
    rest.shift();
    return word === 'this' ? today : monthBefore(today);
  }
  const named = monthCalled(word);
  if (named === 0)
    throw no(
      word === '--in' ? say`Name the month without --in.` : say`I don't know a month called "${word}".`,
    );
  const typedYear = /^20\d\d$/.exec(rest[0] ?? '')?.[0];
  if (typedYear !== undefined) rest.shift();
  const ofYear = (year: number): string => `${year}-${String(named).padStart(2, '0')}`;
  const year = Number(today.slice(0, 4));
  if (typedYear !== undefined) return ofYear(Number(typedYear));
  return ofYear(year) > today ? ofYear(year - 1) : ofYear(year);
}

function notRead(why: Phrase, example: string): Refusal {
  return new Refusal(
    'bad-usage',
    say`${why} Type a month as october, 2026-10 or last month, as in ${example}.`,
    oneOf(['last', 'month'], ['this', 'month']),
  );
}

/** The month of a moment (Unix ms), as in "2026-10". */
export function monthOf(at: number): string {
  return new Date(at).toISOString().slice(0, 7);
}

export function monthBefore(month: string): string {
  return monthOf(Date.parse(`${month}-01T00:00:00Z`) - 1);
}

const MONTH = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** "October 2026". */
export function monthName(month: string): string {
  return MONTH.format(Date.parse(`${month}-01T00:00:00Z`));
}

const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' });

/** "3 October", in UTC. */
export function dayName(day: string): string {
  return DAY.format(Date.parse(`${day}T00:00:00Z`));
}

/** The last day of a month, as in "2026-10-31". */
export function lastOf(month: string): string {
  const [year, number] = month.split('-').map(Number);
  return new Date(Date.UTC(year ?? 0, number ?? 0, 0)).toISOString().slice(0, 10);
}

/** A month as agents name it. */
export const monthInput = z
  .string()
  .regex(/^\d{4}-\d{2}$/)
  .optional()
  .describe('Like 2026-10; the running month without it');
