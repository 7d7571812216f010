import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseAmount } from '../../../src/core/money/amount.ts';
import { nextRuns } from '../../../src/core/schedules/next-runs.ts';
import type { When } from '../../../src/core/schedules/when.ts';
import type { NamedDay } from '../../../src/features/billing/ledger/day.ts';
import {
  type Coming,
  DAYS_AHEAD,
  hoursAhead,
  scheduledOf,
} from '../../../src/features/billing/range/scheduled.ts';
import { bookedOf } from '../../support/booked-of.ts';
import { emptyRange, outlookOf } from '../../../src/features/billing/range/range.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const ALL_HOURS = (1 << 24) - 1;
/** A Wednesday. */
const TODAY = Date.UTC(2026, 10, 18);
const NOW = TODAY + 10 * HOUR_MS;
const WEEKDAYS = [1, 2, 3, 4, 5];

function weekly(more: Partial<Extract<When, { kind: 'weekly' }>> = {}): When {
  return {
    kind: 'weekly',
    zone: 'UTC',
    rules: [
      { verb: 'start', days: WEEKDAYS, hour: 8, minute: 0 },
      { verb: 'stop', days: WEEKDAYS, hour: 20, minute: 0 },
    ],
    ...more,
  };
}

/** A schedule with the run that comes next after `after`. */
function setBy(when: When, after = NOW): Coming {
  const [run] = nextRuns(when, after, 1);
  return { when, ...(run && { next: { verb: run.verb, at: run.at, ruleAt: run.at } }) };
}

const RUNNING = 240;
const STOPPED = 24;

/** What a day costs that is charged by the hour. */
function byTheHour(hours: number): number {
  return STOPPED + ((RUNNING - STOPPED) * hours) / 24;
}

/** Which hours of a day of the weekly schedule it runs. */
function hoursOn(start: number): number {
  const weekday = new Date(start).getUTCDay();
  return weekday === 0 || weekday === 6 ? 0 : 12;
}

/** So many days until yesterday. One instance ran always until the schedule was set so many days ago; another was always stopped, where that is known. */
function historyOf(count: number, setAgo: number, isStoppedKnown = true): NamedDay[] {
  return Array.from({ length: count }, (_, index) => {
    const ago = count - index;
    const start = TODAY - ago * DAY_MS;
    const hours = ago > setAgo ? 24 : hoursOn(start);
    const bits = hours === 24 ? ALL_HOURS : hours === 0 ? 0 : 0xfff << 8;
    const other = 1_000 + ((index * 37) % 100);
    const own = byTheHour(hours);
    return {
      day: new Date(start).toISOString().slice(0, 10),
      record: {
        seen: {
          hours: ALL_HOURS,
          instances: {
            big: [
              ['1', 'web', bits],
              ...(isStoppedKnown ? [['2', 'old', 0] as [string, string, number]] : []),
            ],
          },
        },
        booked: bookedOf(
          {
            daily_charge: [
              ['1', `${own}`],
              ...(isStoppedKnown ? [['2', `${STOPPED}`] as [string, string]] : []),
              ['', `${other}`],
            ],
          },
          { total: `${own + other}` },
        ),
      },
    };
  });
}

function outlookBy(days: readonly NamedDay[], coming: readonly Coming[]) {
  const scheduled = scheduledOf(new Map([['1', coming]]), days, NOW);
  const outlook = outlookOf({
    days: days.map(({ day, record }) => ({ day, cost: parseAmount(record.booked?.total) })),
    asOf: NOW,
    scheduled,
  });
  if (!outlook) throw new Error('no range');
  return outlook;
}

/** Days that 40,000 last, in the middle. */
function likelyBy(days: readonly NamedDay[], coming: readonly Coming[]): number {
  const balance = parseAmount('40000');
  const { likely = 0 } = emptyRange(outlookBy(days, coming), balance ?? { units: 0n, scale: 0 });
  return (likely - NOW) / DAY_MS;
}

describe('schedules that are set', () => {
  it('bring the same however many days hold them already', () => {
    const set = [setBy(weekly())];
    const never = likelyBy(historyOf(60, 0), []);
    const long = likelyBy(historyOf(60, 60), []);
    expect(long).toBeGreaterThan(never + 2);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 50 }), (ago) => {
        expect(Math.abs(likelyBy(historyOf(60, ago), set) - long)).toBeLessThan(1);
      }),
      { numRuns: 12 },
    );
  });

  it('are not spoken of where all days hold them', () => {
    expect(outlookBy(historyOf(60, 60), [setBy(weekly())]).basis.isScheduled).toBe(false);
    expect(outlookBy(historyOf(60, 30), [setBy(weekly())]).basis.isScheduled).toBe(true);
  });

  it('count for nothing where no day tells what a stopped instance costs, where none runs any more, or is of what nobody knows', () => {
    const of = (days: readonly NamedDay[], id: string, coming: Coming) =>
      scheduledOf(new Map([[id, [coming]]]), days, NOW);
    expect(of(historyOf(60, 0, false), '1', setBy(weekly()))).toBeUndefined();
    expect(of(historyOf(60, 0), '1', setBy(weekly({ until: NOW })))).toBeUndefined();
    expect(of(historyOf(60, 0), '7', setBy(weekly()))).toBeUndefined();
    expect(of(historyOf(60, 0), '1', setBy(weekly()))).toBeDefined();
  });

  it('leave an instance as it is that they restart', () => {
    const nightly = weekly({ rules: [{ verb: 'restart', days: [...WEEKDAYS, 6, 7], hour: 3, minute: 0 }] });
    const of = (coming: readonly Coming[]) => scheduledOf(new Map([['1', coming]]), historyOf(60, 20), NOW);
    expect(of([setBy(nightly)])).toBeUndefined();
    const { restated } = of([setBy(weekly())]) ?? {};
    expect(restated).toBeDefined();
    expect(of([setBy(weekly()), setBy(nightly)])?.restated).toEqual(restated);
    const open = { verb: 'restart', at: NOW, ruleAt: NOW, nextTryAt: NOW, tries: 0 } as const;
    expect(of([{ ...setBy(nightly), open }, setBy(weekly())])?.moreOn(TODAY)).toBe(
      of([setBy(weekly())])?.moreOn(TODAY),
    );
  });

  it('count for nothing where they only start or only stop each week, and people do the other by hand', () => {
    const half = (verb: 'start' | 'stop', hour: number): Coming =>
      setBy(weekly({ rules: [{ verb, days: WEEKDAYS, hour, minute: 0 }] }));
    const of = (...coming: readonly Coming[]) =>
      scheduledOf(new Map([['1', coming]]), historyOf(60, 20), NOW);
    expect(of(half('stop', 20))).toBeUndefined();
    expect(of(half('start', 8))).toBeUndefined();
    expect(of(half('stop', 20), half('start', 8))?.restated).toEqual(of(setBy(weekly()))?.restated);
  });

  it('end when they end: what is stopped then stays stopped, and what runs goes on', () => {
    const until = (day: number, hour: number): When =>
      weekly({ until: TODAY + day * DAY_MS + hour * HOUR_MS });
    const costs = (when: When): number[] => {
      const scheduled = scheduledOf(new Map([['1', [setBy(when)]]]), historyOf(60, 20), NOW);
      if (!scheduled) throw new Error('nothing counts');
      // It ran always eight weeks before, so that what is restated of those days tells what lasts.
      const lasting = (start: number): number => RUNNING + (scheduled.restated.get(start - 56 * DAY_MS) ?? 0);
      return [1, 3, 15, 20].map((day) => {
        const start = TODAY + day * DAY_MS;
        return Math.round(lasting(start) + scheduled.moreOn(start));
      });
    };
    // Thursday, Saturday, Thursday and Tuesday.
    expect(costs(weekly())).toEqual([132, 24, 132, 132]);
    expect(costs(until(8, 9))).toEqual([132, 24, 240, 240]);
    expect(costs(until(8, 21))).toEqual([132, 24, 24, 24]);
  });

  it('leave days out on those days alone, whatever else of that week is to come', () => {
    const without = weekly({ except: [{ from: '2026-12-03', to: '2026-12-09' }] });
    const of = (when: When) => scheduledOf(new Map([['1', [setBy(when)]]]), historyOf(60, 20), NOW);
    expect(of(without)?.restated).toEqual(of(weekly())?.restated);
    // It was stopped on Wednesday at 20:00, and stays so on the Thursday that is left out.
    expect(of(without)?.moreOn(Date.UTC(2026, 11, 3))).toBe(STOPPED - byTheHour(12));
    expect(of(weekly())?.moreOn(Date.UTC(2026, 11, 3))).toBe(0);
  });

  it('that turn a start around count what it is then, not what it is until then', () => {
    const day = { date: '2026-11-18', hour: 14, minute: 0, at: NOW + 4 * HOUR_MS };
    const back: When = { kind: 'once', zone: 'UTC', verb: 'stop', ...day };
    const days = historyOf(60, 0);
    // It has always run, so that it is stopped for good by then.
    const scheduled = scheduledOf(new Map([['1', [setBy(back)]]]), days, NOW);
    expect(scheduled?.restated.get(TODAY - DAY_MS)).toBe(STOPPED - RUNNING);
    // One that was always stopped, and was started for four hours, is what it was.
    const started = scheduledOf(new Map([['2', [setBy(back)]]]), days, NOW);
    expect(started).toBeUndefined();
  });
});

it('an instance runs in the hours that its schedules say, whatever they are', () => {
  const ruleOf = (verb: 'start' | 'stop') =>
    fc.record({
      verb: fc.constant(verb),
      days: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
      hour: fc.integer({ min: 0, max: 23 }),
      minute: fc.constantFrom(0, 15, 30),
    });
  const zones = fc.constantFrom('UTC', 'Europe/Berlin', 'Asia/Kolkata', 'America/Los_Angeles');
  fc.assert(
    fc.property(ruleOf('start'), ruleOf('stop'), zones, (start, stop, zone) => {
      const when: When = { kind: 'weekly', zone, rules: [start, stop] };
      const runs = nextRuns(when, NOW, 100);
      const hours = hoursAhead([setBy(when)], TODAY);
      expect(hours).toHaveLength(DAYS_AHEAD);
      const isOn = (at: number): boolean => {
        const last = runs.findLast((run) => run.at <= at);
        return last ? last.verb === 'start' : runs[0]?.verb === 'stop';
      };
      hours.forEach((bits, day) => {
        for (let hour = 0; hour < 24; hour++) {
          const minutes = [0, 15, 30, 45].map((minute) => minute * 60_000);
          const from = TODAY + day * DAY_MS + hour * HOUR_MS;
          expect(((bits >> hour) & 1) === 1).toBe(minutes.some((later) => isOn(from + later)));
        }
      });
    }),
    { numRuns: 25 },
  );
});
