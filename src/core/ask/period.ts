import { Temporal } from 'temporal-polyfill';
import { Refusal } from '../refusal.ts';
import { type Phrase, say } from '../../platform/slack/phrase.ts';

/** Days of the calendar: Unix ms, without the end; and the same in words. */
export interface Period {
  readonly since: number;
  readonly until: number;
  /** "October 2026". */
  readonly name: string;
  /** "October 2026 (UTC)". */
  readonly words: Phrase;
  /** "in October 2026 (UTC)". */
  readonly when: Phrase;
}

/**
 * `2026-10`, `2026-q3`, `2026-10-05` or `2026-10-05..2026-10-11`, both days included, by the clock in `zone`, an IANA name. Throws
 * a Refusal for any other.
 */
export function parsePeriod(typed: string, zone = 'UTC'): Period {
  const { first, last, words, when } = readMonths(typed) ?? readDays(typed) ?? unreadable(typed);
  const at = (day: Temporal.PlainDate): number => day.toZonedDateTime(zone).epochMilliseconds;
  const inUtc = zone === 'UTC' ? say` (UTC)` : say``;
  return {
    since: at(first),
    until: at(last.add({ days: 1 })),
    name: words,
    words: say`${words}${inUtc}`,
    when: say`${when} ${words}${inUtc}`,
  };
}

const MONTH = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' });

interface Days {
  readonly first: Temporal.PlainDate;
  readonly last: Temporal.PlainDate;
  readonly words: string;
  readonly when: 'in' | 'on' | 'from';
}

function readMonths(typed: string): Days | undefined {
  const [, year = '', quarter, month] = /^(20\d\d)-(?:q([1-4])|(0[1-9]|1[0-2]))$/i.exec(typed) ?? [];
  if (year === '') return undefined;
  const start = quarter === undefined ? Number(month) : Number(quarter) * 3 - 2;
  const first = Temporal.PlainDate.from({ year: Number(year), month: start, day: 1 });
  const last = first.add({ months: quarter === undefined ? 1 : 3 }).subtract({ days: 1 });
  const words =
    quarter === undefined
      ? MONTH.format(first.toZonedDateTime('UTC').epochMilliseconds)
      : `Q${quarter} ${year}`;
  return { first, last, words, when: 'in' };
}

function readDays(typed: string): Days | undefined {
  const [, from, to = from] = /^(20\d\d-\d\d-\d\d)(?:\.\.(20\d\d-\d\d-\d\d))?$/.exec(typed) ?? [];
  if (from === undefined || to === undefined || from > to) return undefined;
  try {
    const words = from === to ? from : `${from} to ${to}`;
    return {
      first: Temporal.PlainDate.from(from),
      last: Temporal.PlainDate.from(to),
      words,
      when: from === to ? 'on' : 'from',
    };
  } catch {
    return undefined;
  }
}

function unreadable(typed: string): never {
  throw new Refusal(
    'bad-last',
    say`I can't read "${typed}". Say --in 2026-10 for a month, --in 2026-q3, --in 2026-10-05 or --in 2026-10-05..2026-10-11.`,
  );
}
