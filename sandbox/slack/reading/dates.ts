type Style = Intl.DateTimeFormatOptions;

const DAY: Style = { day: 'numeric', month: 'long', year: 'numeric' };
const TOKENS: Readonly<Record<string, Style>> = {
  date_num: { year: 'numeric', month: '2-digit', day: '2-digit' },
  date_slash: { year: 'numeric', month: '2-digit', day: '2-digit' },
  date: DAY,
  date_pretty: DAY,
  date_short: { ...DAY, month: 'short' },
  date_short_pretty: { ...DAY, month: 'short' },
  date_long: { ...DAY, weekday: 'long' },
  date_long_pretty: { ...DAY, weekday: 'long' },
  date_long_full: { ...DAY, weekday: 'long' },
  day_divider_pretty: { ...DAY, weekday: 'long' },
  time: { hour: 'numeric', minute: '2-digit' },
  time_secs: { hour: 'numeric', minute: '2-digit', second: '2-digit' },
};

/** A date as Slack shows it, in UTC, so that a transcript is the same everywhere. Unknown tokens give the fallback. */
export function formatDate(seconds: number, format: string, fallback: string, nowMs: number): string {
  if (!Number.isFinite(seconds) || Math.abs(seconds) > 8e12) return fallback;
  let known = true;
  const shown = format.replace(/\{(\w+)\}/g, (_, token: string) => {
    if (token === 'ago') return ago(nowMs / 1000 - seconds);
    const style = TOKENS[token];
    known &&= style !== undefined;
    return style
      ? new Intl.DateTimeFormat('en-US', { ...style, timeZone: 'UTC' }).format(seconds * 1000)
      : '';
  });
  return known ? shown : fallback;
}

function ago(seconds: number): string {
  const units: [number, Intl.RelativeTimeFormatUnit][] = [
    [86_400, 'day'],
    [3600, 'hour'],
    [60, 'minute'],
    [1, 'second'],
  ];
  const [size, unit] = units.find(([one]) => Math.abs(seconds) >= one) ?? [1, 'second' as const];
  return new Intl.RelativeTimeFormat('en-US').format(-Math.trunc(seconds / size), unit);
}
