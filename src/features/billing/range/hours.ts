import { nextRuns } from '../../../core/schedules/next-runs.ts';
import type { Schedule } from '../../../core/schedules/schedule-record.ts';
import type { Power } from '../../../platform/hosting/service.ts';
import { DAY_MS, HOUR_MS } from '../../../platform/time/duration.ts';

/** So many days are looked at: this one, and whole weeks after it. */
export const DAYS_AHEAD = 22;
const WEEKS_AHEAD = Math.ceil(DAYS_AHEAD / 7);
const HOURS = 24;

/** What of a schedule says when it runs. */
export type Coming = Pick<Schedule, 'when' | 'next' | 'open'>;

/**
 * The UTC hours in which an instance runs by its schedules, as bits, on each of the days from `from` on (Unix ms, the start of today). An
 * hour counts in which it runs for a part. No days where nothing is to come. Pure.
 */
export function hoursAhead(schedules: readonly Coming[], from: number): readonly number[] {
  const until = from + DAYS_AHEAD * DAY_MS;
  const runs = schedules.flatMap((one) => runsOf(one, until)).toSorted((one, other) => one.at - other.at);
  const [first] = runs;
  if (!first) return [];
  const [open] = schedules.flatMap((one) => (one.open && turns(one.open) ? [one.open] : []));
  // Until the first run it is as that run doesn't leave it, but where one is under way.
  let isOn = open ? open.verb === 'start' : first.verb === 'stop';
  let at = 0;
  return Array.from({ length: DAYS_AHEAD }, (_, day) => {
    let bits = 0;
    for (let hour = 0; hour < HOURS; hour++) {
      const starts = from + day * DAY_MS + hour * HOUR_MS;
      for (let run = runs[at]; run && run.at <= starts; run = runs[++at]) isOn = run.verb === 'start';
      let ran = isOn;
      for (let run = runs[at]; run && run.at < starts + HOUR_MS; run = runs[++at]) {
        isOn = run.verb === 'start';
        ran ||= isOn;
      }
      if (ran) bits |= 1 << hour;
    }
    return bits;
  });
}

/** Whether it starts or stops: a restart leaves what it finds. Pure. */
export function turns({ verb }: { readonly verb: Power }): boolean {
  return verb !== 'restart';
}

/** Its starts and stops before `until`, Unix ms. */
function runsOf(
  { when, next }: Coming,
  until: number,
): readonly { readonly verb: Power; readonly at: number }[] {
  if (!next) return [];
  // No more than there may be: each takes a while to find.
  const aWeek = when.kind === 'once' ? 0 : when.rules.reduce((total, { days }) => total + days.length, 0);
  return [next, ...nextRuns(when, next.ruleAt, aWeek * WEEKS_AHEAD)].filter(
    (run) => turns(run) && run.at < until,
  );
}
