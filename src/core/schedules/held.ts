import { isPaused } from './schedule.ts';
import type { Schedule } from './schedule-record.ts';

/** Who has a schedule that somebody paused or put off, which can be handed over. Who did it stays as it is. Times: Unix ms. Pure. */

/** Who has its pause at `now`: whoever paused it, or took that over. */
export function pauseIsOf(schedule: Schedule, now: number): string | undefined {
  return isPaused(schedule, now) ? (schedule.paused?.heldBy ?? schedule.paused?.by) : undefined;
}

/** Who has it that its next run is put off: whoever did that, or took it over. */
export function delayIsOf({ next }: Schedule): string | undefined {
  return next?.laterBy === undefined ? undefined : (next.heldBy ?? next.laterBy);
}

/** The schedule in which what `from` paused or put off is `to`'s, by ids `…/paused`, `…/later`; undefined where they don't have all of it. */
export function passedOn(
  schedule: Schedule,
  ids: readonly string[],
  { from, to, at }: { readonly from: string; readonly to: string; readonly at: number },
): Schedule | undefined {
  const { id, paused: how, next, closed: end } = schedule;
  const hasPaused = pauseIsOf(schedule, at) === from && ids.includes(`${id}/paused`);
  const hasPutOff = delayIsOf(schedule) === from && ids.includes(`${id}/later`);
  if (end || Number(hasPaused) + Number(hasPutOff) !== ids.length) return undefined;
  return {
    ...schedule,
    ...(how && hasPaused ? { paused: { ...how, heldBy: to } } : {}),
    ...(next && hasPutOff ? { next: { ...next, heldBy: to } } : {}),
  };
}
