import { clockAt } from '../../platform/time/zoned-time.ts';
import type { Holidays } from '../policy/sections.ts';
import { isLeftOut, type When } from './when.ts';
import { nextRuns } from './next-runs.ts';
import type { Schedule } from './schedule-record.ts';

/**
 * The lists of holidays that schedules leave out. Their days stand in the policy file alone: a record keeps the name of a list, and its next
 * run as if the list had no day. Whether that run is left out is decided when it is due, by what the file says then. Pure.
 */

/** When it runs by the lists as they are now: each has its days, but for one that isn't there any more. */
export function withHolidays(when: When, holidays: Holidays): When {
  if (when.kind === 'once' || !when.except) return when;
  const except = when.except.map((one) => {
    if (!('list' in one)) return one;
    const days = Object.hasOwn(holidays, one.list) ? holidays[one.list] : undefined;
    return { list: one.list, ...(days && { days: [...days] }) };
  });
  return { ...when, except };
}

/** A schedule as people see it: by the lists as they are now, with the next run that they don't leave out. */
export function asItRuns(schedule: Schedule, holidays: Holidays): Schedule {
  const when = withHolidays(schedule.when, holidays);
  return { ...movedOn(schedule, when), when };
}

/** What is written down of one, but with the next run that the lists don't leave out now: what people see and press. */
export function asItIsPressed(schedule: Schedule, holidays: Holidays): Schedule {
  return movedOn(schedule, withHolidays(schedule.when, holidays));
}

/** Whether a list leaves its next run out now. */
export function isNextLeftOut(schedule: Schedule, holidays: Holidays): boolean {
  return movedOn(schedule, withHolidays(schedule.when, holidays)) !== schedule;
}

/** The lists that it leaves out and that aren't in the policy file any more, once its lists have their days. */
export function lostLists(when: When): readonly string[] {
  if (when.kind === 'once') return [];
  return (when.except ?? []).flatMap((one) => ('list' in one && !one.days ? [one.list] : []));
}

/** The lists of it without a day that is still to come, at `now`, Unix ms, once its lists have their days. */
export function ranOutLists(when: When, now: number): readonly string[] {
  if (when.kind === 'once') return [];
  const today = clockAt(now, when.zone).toPlainDate().toString();
  return (when.except ?? []).flatMap((one) =>
    'list' in one && one.days?.every(({ to }) => to < today) ? [one.list] : [],
  );
}

/** The same schedule where its next run is not left out. */
function movedOn(schedule: Schedule, when: When): Schedule {
  const { next, ...rest } = schedule;
  if (!next || when.kind === 'once' || !when.except) return schedule;
  if (!isLeftOut(clockAt(next.ruleAt, when.zone).toString(), when.except)) return schedule;
  const [run] = nextRuns(when, next.ruleAt, 1);
  return run ? { ...rest, next: { verb: run.verb, at: run.at, ruleAt: run.at } } : rest;
}
