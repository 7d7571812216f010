import { DAY_MS } from './duration.ts';

/** What a clock on a wall in some zone shows. A wall time is Unix ms as if the zone were UTC. */

/** The usual spelling of the zones that Intl lists; it knows others too, such as newer names of the same. */
const SPELLINGS: ReadonlyMap<string, string> = new Map(
  ['UTC', ...Intl.supportedValuesOf('timeZone')].map((zone) => [zone.toLowerCase(), zone]),
);

/** Making a formatter costs far more than using it. */
const clocks = new Map<string, Intl.DateTimeFormat>();

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

/** What the clock in `zone` shows at a moment in Unix ms. Throws RangeError where there is no such zone. */
export function wallAt(atMs: number, zone: string): number {
  const shown = clockOf(zone).format(atMs).match(/\d+/g)?.map(Number) ?? [];
  const [month = 1, date = 1, year = 1970, hour = 0, minute = 0, second = 0] = shown;
  return Date.UTC(year, month - 1, date, hour, minute, second) + (atMs - Math.floor(atMs / 1000) * 1000);
}

/**
 * The first moment, in Unix ms, at which the clock in `zone` shows `wallMs`; where it is put forward past that,
 * the first moment after the gap.
 */
export function momentOf(wallMs: number, zone: string): number {
  // No zone is a day off UTC, and none changes its clock twice within two days.
  const before = offsetAt(wallMs - DAY_MS, zone);
  const after = offsetAt(wallMs + DAY_MS, zone);
  if (before === after) return wallMs - before;
  const [early, late] = [wallMs - Math.max(before, after), wallMs - Math.min(before, after)];
  if (wallAt(early, zone) === wallMs) return early;
  if (wallAt(late, zone) === wallMs) return late;
  return firstWith(after, early, late, zone);
}

/** The first moment after `from` and up to `to` with that offset: the clock changes to it in between. */
function firstWith(offset: number, from: number, to: number, zone: string): number {
  let [without, having] = [from, to];
  while (having - without > 1) {
    const middle = Math.floor((without + having) / 2);
    if (offsetAt(middle, zone) === offset) having = middle;
    else without = middle;
  }
  return having;
}

function offsetAt(atMs: number, zone: string): number {
  return wallAt(atMs, zone) - atMs;
}

function clockOf(zone: string): Intl.DateTimeFormat {
  const known = clocks.get(zone);
  if (known) return known;
  const clock = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  clocks.set(zone, clock);
  return clock;
}
