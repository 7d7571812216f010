type Style = Intl.DateTimeFormatOptions;

/** The tokens that the bot uses. */
const TOKENS: Readonly<Record<string, Style>> = {
  date_short_pretty: { day: 'numeric', month: 'short', year: 'numeric' },
  time: { hour: 'numeric', minute: '2-digit' },
};

/** A date as Slack shows it; in UTC by default, so that a transcript is the same everywhere. Unknown tokens give the fallback. */
export function formatDate(
  seconds: number,
  format: string,
  fallback: string,
  nowMs: number,
  timeZone = 'UTC',
): string {
  if (!Number.isFinite(seconds) || Math.abs(seconds) > 8e12) return fallback;
  let known = true;
  const shown = format.replace(/\{(\w+)\}/g, (_, token: string) => {
    if (token === 'ago') return ago(nowMs / 1000 - seconds);
    const style = TOKENS[token];
    known &&= style !== undefined;
    return style ? new Intl.DateTimeFormat('en-US', { ...style, timeZone }).format(seconds * 1000) : '';
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
