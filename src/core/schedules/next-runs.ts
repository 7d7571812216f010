import { Temporal } from 'temporal-polyfill';
import type { Power } from '../../platform/hosting/service.ts';
import { clockAt, type Moment, momentOf } from '../../platform/time/zoned-time.ts';
import { daysLeftOut, isLeftOut, type ScheduleRule, type When } from './when.ts';

/** One run of a schedule that is to come. */
export interface Run extends Moment {
  readonly verb: Power;
  /** The day and time that was asked for, as the clock in the zone would show it: 2026-03-29T02:30. */
  readonly asked: string;
  /** What the clock there shows then: another time where the one that was asked for is skipped. */
  readonly shown: string;
}

/** Past a week, every rule has had its day. */
const WEEK = 7;

/**
 * The next `count` runs strictly after `afterMs` (Unix ms), in their order. A time that the clock skips runs at the first
 * moment after the gap; of one that it shows twice, the first counts. Of two runs at one moment, as in a gap, the one that
 * was asked for later counts. None is on a day there that is left out, or past its end. Pure.
 */
export function nextRuns(when: When, afterMs: number, count: number): readonly Run[] {
  if (when.kind === 'once') {
    const named = runOn(Temporal.PlainDate.from(when.date), when, when.zone);
    const run =
      when.at === undefined
        ? named
        : { verb: when.verb, at: when.at, asked: named.asked, shown: named.asked };
    return run.at > afterMs ? [run].slice(0, count) : [];
  }
  const { rules, zone, except = [], until = Number.POSITIVE_INFINITY } = when;
  // A time in a gap runs on the next day where midnight is skipped.
  const first = clockAt(afterMs, zone).toPlainDate().subtract({ days: 1 });
  const days = (count + 1) * WEEK + 1 + daysLeftOut(except);
  const found: Run[] = [];
  for (let ahead = 0; ahead <= days && found.length <= count; ahead++) {
    const day = first.add({ days: ahead });
    const ofDay = rules
      .filter((rule) => rule.days.includes(day.dayOfWeek))
      .toSorted((one, other) => minutesOf(one) - minutesOf(other))
      .map((rule) => runOn(day, rule, zone))
      .filter(({ at, shown }) => at > afterMs && at <= until && !isLeftOut(shown, except));
    for (const run of ofDay) {
      if (found.at(-1)?.at === run.at) found.pop();
      found.push(run);
    }
  }
  return found.slice(0, count);
}

function runOn(
  day: Temporal.PlainDate,
  { verb, hour, minute }: Omit<ScheduleRule, 'days'>,
  zone: string,
): Run {
  const asked = day.toPlainDateTime({ hour, minute });
  const moment = momentOf(asked, zone);
  return { ...moment, verb, asked: toMinute(asked), shown: toMinute(clockAt(moment.at, zone)) };
}

function minutesOf({ hour, minute }: ScheduleRule): number {
  return hour * 60 + minute;
}

function toMinute(shown: Temporal.PlainDateTime): string {
  return shown.toString({ smallestUnit: 'minute' });
}
