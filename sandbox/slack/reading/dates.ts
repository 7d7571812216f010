type Style = Intl.DateTimeFormatOptions;

/** The tokens that the bot uses. */
const TOKENS: Readonly<Record<string, Style>> = {
  date_short_pretty: { day: 'numeric', month: 'short', year: 'numeric' },
  time: { hour: 'numeric', minute: '2-digit' },
  time_secs: { hour: 'numeric', minute: '2-digit', second: '2-digit' },
};

/** Making one takes far longer than using it, and every message that is read needs some. */
const formats = new Map<string, Intl.DateTimeFormat>();
const relative = new Intl.RelativeTimeFormat('en-US');

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
    const made = formatOf(token, timeZone);
    known &&= made !== undefined;
    return made?.format(seconds * 1000) ?? '';
  });
  return known ? shown : fallback;
}

/** The format of a token; undefined where the token is not known. */
function formatOf(token: string, timeZone: string): Intl.DateTimeFormat | undefined {
  const style = TOKENS[token];
  if (!style) return undefined;
  const key = `${token} ${timeZone}`;
  const made = formats.get(key) ?? new Intl.DateTimeFormat('en-US', { ...style, timeZone });
  formats.set(key, made);
  return made;
}

function ago(seconds: number): string {
  const units: [number, Intl.RelativeTimeFormatUnit][] = [
    [86_400, 'day'],
    [3600, 'hour'],
    [60, 'minute'],
    [1, 'second'],
  ];
  const [size, unit] = units.find(([one]) => Math.abs(seconds) >= one) ?? [1, 'second' as const];
  return relative.format(-Math.trunc(seconds / size), unit);
}
