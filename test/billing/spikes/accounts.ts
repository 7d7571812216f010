import { createRandom, type Random } from '../../../faults/random.ts';
import type { DailyCost } from '../../../src/core/money/amount.ts';
import { amountOf } from '../../../src/features/billing/ledger/daily-costs.ts';
import { dayAt, type NamedDay, type ToldSpike } from '../../../src/features/billing/ledger/day.ts';
import { daysFrom } from '../../../src/features/billing/ledger/days.ts';
import { bookedOf } from '../../support/booked-of.ts';
import { normal, within } from '../range/histories.ts';
import { FULL_DAYS, PATTERN_DAYS } from '../../../src/features/billing/spikes/judge.ts';

/** What an account's days are like. */
export const KINDS = [
  'steady',
  'weekly',
  'growing',
  'bursts',
  'month fees',
  'late bookings',
  'late days',
  'gaps',
] as const;
export type Kind = (typeof KINDS)[number];

/** An account, with what it costs on each of its days, in hundredths of a credit. */
export interface Account {
  readonly days: readonly string[];
  readonly costs: readonly number[];
  /** What of it can be seen on the day at `today`: costs and full days until the one before it. */
  seenOn(today: number, but?: ReadonlyMap<number, number>): Seen;
}

interface Seen {
  readonly costs: readonly DailyCost[];
  readonly days: readonly NamedDay[];
}

/** The account of a seed with so many days: the same for the same seed. `told`: what was told of it, by day. */
export function accountOf(
  kind: Kind,
  seed: number,
  count: number,
  told: ReadonlyMap<string, ToldSpike> = new Map(),
): Account {
  const random = createRandom(seed).fork(kind);
  const from = Date.UTC(2025, 0, 1) + random.between(0, 364) * DAY_MS;
  const days = daysFrom(dayAt(from), dayAt(from + (count - 1) * DAY_MS));
  const { costs, fees } = costsOf(kind, random, days);
  // So many days pass until all of a day is booked, and so much of it is at once.
  const [late, share] = [kind === 'late bookings' ? random.between(1, 3) : 0, within(random, 0.1, 0.7)];
  const gaps = days.map(() => kind === 'gaps' && random.chance(0.2));
  const bookedAt = (ageDays: number, cost: number): number =>
    ageDays > late ? cost : Math.round(cost * (1 - (1 - share) * (1 - (ageDays - 1) / late)));
  return {
    days,
    costs,
    seenOn: (today, but = new Map()) => {
      const dayOf = (index: number): NamedDay => {
        const day = days[index] ?? '';
        const cost = (but.get(index) ?? costs[index] ?? 0) - (fees[index] ?? 0);
        const used = bookedAt(today - index, cost);
        const spike = told.get(day);
        return {
          day,
          record: { ...(gaps[index] ? {} : chargedOf(used, fees[index] ?? 0)), ...(spike ? { spike } : {}) },
        };
      };
      const range = (length: number): NamedDay[] =>
        Array.from({ length: Math.min(length, today) }, (_, place) =>
          dayOf(Math.max(0, today - length) + place),
        );
      return {
        costs: range(PATTERN_DAYS).map(({ day, record: { booked } }) => ({
          day,
          cost: booked && amountOf(booked.total),
        })),
        days: range(FULL_DAYS),
      };
    },
  };
}

const DAY_MS = 86_400_000;

function chargedOf(used: number, fee: number): NamedDay['record'] {
  const of = (type: string, id: string, units: number): Record<string, [string, string][]> =>
    units > 0 ? { [type]: [[id, decimal(units)]] } : {};
  return {
    booked: bookedOf(
      { ...of('daily_charge', '101', used), ...of('support_plan', '', fee) },
      { total: decimal(used + fee), names: { 101: 'web-1' } },
    ),
  };
}

function decimal(units: number): string {
  return (units / 100).toFixed(2);
}

function costsOf(kind: Kind, random: Random, days: readonly string[]): { costs: number[]; fees: number[] } {
  const level = 100 * 10 ** within(random, 1, 4);
  const noise = within(random, 0.02, 0.15);
  const rate = kind === 'growing' ? within(random, 0.002, 0.01) : 0;
  const weekend = within(random, 0.3, 0.8);
  const probability = within(random, 0.03, 0.12);
  const [feeOn, fee] = [random.between(1, 28), within(random, 1, 8)];
  let [left, size, lacking] = [0, 0, 0];
  const fees: number[] = [];
  const costs = days.map((day, index) => {
    const weekday = new Date(day).getUTCDay();
    const week = kind === 'weekly' && (weekday === 0 || weekday === 6) ? weekend : 1;
    if (kind === 'bursts' && left === 0 && random.chance(probability)) {
      left = random.between(1, 3);
      size = -Math.log(1 - random.next()) * 1.5;
    }
    const burst = left > 0 ? size : 0;
    left = Math.max(0, left - 1);
    const isFee = kind === 'month fees' && Number(day.slice(8)) === feeOn;
    fees.push(isFee ? Math.round(level * fee) : 0);
    const noisy = Math.exp(noise * normal(random) - noise ** 2 / 2);
    const used = Math.round(level * ((1 + rate) ** index * week * noisy + burst));
    // Now and then what a day costs is booked with the next one.
    const isLate = kind === 'late days' && lacking === 0 && random.chance(0.05);
    const cost = isLate ? 0 : used + lacking;
    lacking = isLate ? used : 0;
    return cost + (fees.at(-1) ?? 0);
  });
  return { costs, fees };
}
