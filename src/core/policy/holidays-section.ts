import { Temporal } from 'temporal-polyfill';
import { z } from 'zod';

/** Days of the calendar, the first and the last of them included: `2026-12-24`. */
interface Days {
  readonly from: string;
  readonly to: string;
}

/** The days of each list of holidays, by its name. */
export type Holidays = Readonly<Record<string, readonly Days[]>>;

/** Begins with a letter, since a day begins with a digit. */
const NAME = /^[\p{Ll}\p{Lo}][\p{Ll}\p{Lo}\p{N}._-]{0,79}$/u;
const DAYS = /^(\d{4}-\d{2}-\d{2})(?:\.\.(\d{4}-\d{2}-\d{2}))?$/;
const A_DAY = 'must be a day like 2026-12-25, or days like 2026-12-24..2027-01-01';
/** A schedule that leaves them out looks at each of them, one after the other. */
const MOST_DAYS = 400;
const TOO_LONG = `must be at most ${MOST_DAYS} days from the first to the last`;
const SOME = 'must be a list of days like 2026-12-25';

const days = z.string(A_DAY).transform((text, context): Days => {
  const [, from = '', to = from] = DAYS.exec(text) ?? [];
  const isRange = isDay(from) && isDay(to) && from <= to;
  if (isRange && Temporal.PlainDate.from(from).until(to).days < MOST_DAYS) return { from, to };
  context.addIssue({ code: 'custom', message: isRange ? TOO_LONG : A_DAY });
  return z.NEVER;
});

/** The section `holidays` of a policy file: lists of days by their names. Each message is the end of a sentence. */
export const holidaysSection = z.record(
  z.string().regex(NAME, 'must be a name in lower case that begins with a letter, without spaces'),
  z.array(days, SOME).min(1, 'must have at least one day; leave it out if it has none'),
  'must be a map of names to lists of days',
);

function isDay(text: string): boolean {
  try {
    return Temporal.PlainDate.from(text).toString() === text;
  } catch {
    return false;
  }
}
