/** A clock on a wall in some zone by Intl alone, beside what the bot computes with. */
const clocks = new Map<string, Intl.DateTimeFormat>();

/** What the clock in `zone` shows at a moment in Unix ms, as Unix ms as if the zone were UTC. */
export function wallAt(atMs: number, zone: string): number {
  const shown = clockOf(zone).format(atMs).match(/\d+/g)?.map(Number) ?? [];
  const [month = 1, date = 1, year = 1970, hour = 0, minute = 0, second = 0] = shown;
  return Date.UTC(year, month - 1, date, hour, minute, second) + (atMs - Math.floor(atMs / 1000) * 1000);
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
