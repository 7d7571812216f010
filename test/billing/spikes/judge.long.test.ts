import { describe, expect, it } from 'vitest';
import type { ToldSpike } from '../../../src/features/billing/ledger/day.ts';
import { isWorthALook, judge } from '../../../src/features/billing/spikes/judge.ts';
import { type Account, accountOf, type Kind, KINDS } from './accounts.ts';

const SEEDS = Array.from({ length: 27 }, (_, seed) => seed + 1);
/** So long an account is known, and then judged every day. */
const [KNOWN_DAYS, JUDGED_DAYS] = [180, 122];
const YEAR_DAYS = 365;
/** A spike is looked for so long, as its bookings may be late. */
const FOUND_WITHIN_DAYS = 4;

/** The day that is told on the day at `today`. */
function toldOn(account: Account, today: number, but?: ReadonlyMap<number, number>): string | undefined {
  const { costs, days } = account.seenOn(today, but);
  return isWorthALook(costs) ? judge(costs, days)?.day : undefined;
}

/**
 * What a spike is three times of: what the day would have cost. Until four weeks are known a weekend is compared with all days, so it is a
 * day of the last week; and what an account has now and then is no spike, so it is the dearest of all there.
 */
function dearOf(kind: Kind, { costs }: Account, at: number): number {
  const from = kind === 'bursts' ? 0 : at < 28 ? at - 7 : at;
  return Math.max(...costs.slice(from, at + 1));
}

describe.each(KINDS)('an account of %s', (kind: Kind) => {
  it('is told of about once a year at most while nothing happens', () => {
    const counts = SEEDS.map((seed) => {
      const told = new Map<string, ToldSpike>();
      const account = accountOf(kind, seed, KNOWN_DAYS + JUDGED_DAYS, told);
      for (let today = KNOWN_DAYS; today < KNOWN_DAYS + JUDGED_DAYS; today += 1) {
        const day = toldOn(account, today);
        if (day !== undefined) told.set(day, { at: 0, from: [] });
      }
      return told.size;
    });
    const perYear = (counts.reduce((all, one) => all + one, 0) / SEEDS.length) * (YEAR_DAYS / JUDGED_DAYS);
    expect(perYear).toBeLessThanOrEqual(1);
  });

  it('is told of nine of ten days that cost three times as much', () => {
    let [found, all] = [0, 0];
    for (const seed of SEEDS)
      for (const known of [12, 40, 100, 181]) {
        const at = known + (seed % 17);
        const account = accountOf(kind, seed, at + FOUND_WITHIN_DAYS + 1);
        const but = new Map([[at, 3 * dearOf(kind, account, at)]]);
        const todays = Array.from({ length: FOUND_WITHIN_DAYS }, (_, later) => at + 1 + later);
        if (!account.seenOn(at + 1).costs.at(-1)?.cost) continue;
        all += 1;
        if (todays.some((today) => toldOn(account, today, but) === account.days[at])) found += 1;
      }
    expect(found / all).toBeGreaterThanOrEqual(0.9);
  });
});
