import { Temporal } from 'temporal-polyfill';

/** The usual spelling of the zones that Intl lists; it knows others too, such as newer names of the same. */
const SPELLINGS: ReadonlyMap<string, string> = new Map(
  ['UTC', ...Intl.supportedValuesOf('timeZone')].map((zone) => [zone.toLowerCase(), zone]),
);

/**
 * An IANA zone as it is typed: UTC, or a name with a region, in any case; undefined for anything else.
 * Abbreviations such as EST are none, since some of them mean another place than people think.
 */
export function findZone(typed: string): string | undefined {
  const known = SPELLINGS.get(typed.toLowerCase());
  if (known !== undefined) return known;
  if (!/^[a-z_]{1,20}(?:\/[\w+-]{1,30}){1,2}$/i.test(typed)) return undefined;
  try {
    Intl.DateTimeFormat('en-US', { timeZone: typed });
    return typed;
  } catch {
    return undefined;
  }
}

/** The day and time that the clock in `zone` shows at a moment in Unix ms. Throws RangeError where there is no such zone. */
export function clockAt(atMs: number, zone: string): Temporal.PlainDateTime {
  return Temporal.Instant.fromEpochMilliseconds(atMs).toZonedDateTimeISO(zone).toPlainDateTime();
}

/** How far a zone is from UTC at a moment in Unix ms, as people write it: `UTC-2`, `UTC+5:30`. Throws RangeError for no zone. */
export function offsetAt(atMs: number, zone: string): string {
  const offset = Temporal.Instant.fromEpochMilliseconds(atMs).toZonedDateTimeISO(zone).offset;
  const [, sign = '', hours = '', minutes = ''] = /^([+-])(\d\d):(\d\d)/.exec(offset) ?? [];
  const [whole, part] = [Number(hours), minutes === '00' ? '' : `:${minutes}`];
  return whole === 0 && part === '' ? 'UTC' : `UTC${sign}${whole}${part}`;
}

/** When a clock shows a time. */
export interface Moment {
  /** Unix ms. */
  readonly at: number;
  /** gap: the clock skips that time, and `at` is the first moment after it · twice: `at` is the first of two. */
  readonly odd?: 'gap' | 'twice';
}

/** The moment at which the clock in `zone` shows that day and time. Throws RangeError where there is no such zone. */
export function momentOf(shown: Temporal.PlainDateTime, zone: string): Moment {
  const first = shown.toZonedDateTime(zone, { disambiguation: 'earlier' });
  const last = shown.toZonedDateTime(zone, { disambiguation: 'later' });
  if (first.epochMilliseconds === last.epochMilliseconds) return { at: first.epochMilliseconds };
  if (first.toPlainDateTime().equals(shown)) return { at: first.epochMilliseconds, odd: 'twice' };
  // What stands for a time in a gap as "earlier" lies before the gap.
  const gapEnd = first.getTimeZoneTransition('next') ?? last;
  return { at: gapEnd.epochMilliseconds, odd: 'gap' };
}
