const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

const UNITS_MS = { s: SECOND_MS, m: MINUTE_MS, h: HOUR_MS, d: DAY_MS, w: 7 * DAY_MS } as const;
type DurationUnit = keyof typeof UNITS_MS;

/** `90s`, `5m`, `4w` in ms: up to five digits and one of `units`; undefined for anything else. */
export function parseDuration(text: string, units: readonly DurationUnit[]): number | undefined {
  const [, count = '', letter] = /^(\d{1,5})([a-z])$/.exec(text) ?? [];
  const unit = units.find((one) => one === letter);
  return unit && Number(count) * UNITS_MS[unit];
}

const UNIT_WORDS: Readonly<Record<string, string>> = { m: 'minute', h: 'hour', d: 'day', w: 'week' };

/** `4h` as "4 hours"; what is no such length as it was typed. */
export function lengthWords(typed: string): string {
  const [, count = '', letter = ''] = /^(\d{1,5})([mhdw])$/i.exec(typed) ?? [];
  const unit = UNIT_WORDS[letter.toLowerCase()];
  if (unit === undefined) return typed;
  return `${Number(count)} ${Number(count) === 1 ? unit : `${unit}s`}`;
}

/** A time in ms as a count of the first of `units` that it is a whole number of, else of seconds, rounded down. */
export function countDuration<Unit extends DurationUnit>(
  ms: number,
  units: readonly Unit[],
): { count: number; unit: Unit | 's' } {
  const unit = units.find((one) => ms % UNITS_MS[one] === 0) ?? 's';
  return { count: Math.floor(ms / UNITS_MS[unit]), unit };
}

/** A duration as a person says it: 40 s, 2 min, 1 h 5 min. */
export function duration(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1000));
  if (seconds <= 90) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 90 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** A time that is promised, so that it is never rounded up: whole minutes, or seconds. */
export function promised(ms: number): string {
  const { count, unit } = countDuration(ms, ['m']);
  return unit === 'm' ? `${count} min` : `${Math.max(1, count)} s`;
}
