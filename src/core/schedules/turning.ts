import type { WayBack } from '../operations/way-back.ts';
import type { Schedule } from './schedule-record.ts';

/** A schedule that turns an operation around, as the card of that operation shows it. Pure. */

/** What the card is to show of it now; undefined where it turns nothing around. */
export function wayBackOf(schedule: Schedule): WayBack | undefined {
  const { id: scheduleId, when, turns } = schedule;
  if (!turns || when.kind !== 'once') return undefined;
  const at = (schedule.next ?? schedule.open ?? schedule.last)?.at ?? when.at ?? schedule.createdAt;
  const over = overOf(schedule);
  const laterBy = schedule.next?.laterBy;
  return {
    scheduleId,
    verb: when.verb,
    at,
    ...(laterBy === undefined ? {} : { laterBy }),
    ...(over ? { over } : {}),
  };
}

/** What became of it; undefined while it waits, or runs. */
function overOf({ closed, last, next, open, paused }: Schedule): WayBack['over'] {
  if (next || open) return undefined;
  if (paused) return { how: 'no right', at: paused.at };
  if (!closed) return undefined;
  const { why, by, at, verb } = closed;
  if (why === 'overtaken') return { how: 'overtaken', by, verb, at };
  if (why === 'over' && last) return { how: last.result === 'begun' ? 'begun' : 'not run', at };
  return { how: 'kept', by, at };
}

/** The same as a text, which says whether two show the same. */
export function shownOf(schedule: Schedule): string {
  return JSON.stringify(wayBackOf(schedule) ?? {});
}

/** Whether the card of what it turns around shows something else. */
export function isShownOtherwise(schedule: Schedule): boolean {
  return schedule.turns !== undefined && schedule.turns.shown !== shownOf(schedule);
}

/** The card shows this of it. */
export function shown(schedule: Schedule, text: string): Schedule | undefined {
  const { turns } = schedule;
  return turns && turns.shown !== text ? { ...schedule, turns: { ...turns, shown: text } } : undefined;
}
