import { countDuration } from '../../platform/time/duration.ts';

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
