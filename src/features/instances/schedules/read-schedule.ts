import type { Holidays } from '../../../core/policy/holidays-section.ts';
import type { Moment } from '../../../core/sentences/times.ts';
import { endingAt, takeEnd } from './parse-end.ts';
import { takeExceptions, withoutDays } from './parse-exceptions.ts';
import { keepingStopped, takeKeeping } from './parse-keeping.ts';
import { parseSchedule, type ScheduleWords } from './parse-schedule.ts';

/** All that the words after `schedule` mean, however they came. `holidays`: the lists that there are. Throws a Refusal with one sentence. */
export function readSchedule(typed: readonly string[], moment: Moment, holidays: Holidays): ScheduleWords {
  const { words: left, until } = takeEnd(typed, moment);
  const { words, keeps } = takeKeeping(left);
  const parts = takeExceptions(words);
  const { target, when: always } = parseSchedule(parts.words, moment);
  const open = withoutDays(always, parts, moment.at, holidays);
  const when = until === undefined ? open : endingAt(open, until, { now: moment.at, holidays });
  return { target, when: keeps ? keepingStopped(when) : when };
}
