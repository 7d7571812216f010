import { createOneRecord } from '../../src/core/records/one-record.ts';
import { Redis } from 'ioredis';
import { onTestFinished } from 'vitest';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { FaultPoints } from '../../src/core/base.ts';
import {
  add,
  type Amount,
  compare,
  negate,
  parseAmount,
  toDecimal,
  ZERO,
} from '../../src/core/money/amount.ts';
import type { NamedDay, Seen } from '../../src/features/billing/ledger/day.ts';
import { totalOf } from '../../src/features/billing/ledger/daily-costs.ts';
import { createDays, daysFrom, KEPT_DAYS } from '../../src/features/billing/ledger/days.ts';
import { LEDGER, type Filling } from '../../src/features/billing/ledger/filling.ts';
import { instead } from './instead.ts';
import { play, type PlayOptions } from './sandbox.ts';
import { until } from './until.ts';

const DAY_MS = 86_400_000;

/** A sandbox whose bot keeps a ledger, in which days can pass. */
export interface LedgerPlay {
  readonly sandbox: Sandbox;
  /** These, in a bot for which as many days have passed. */
  inItsDays(faultPoints: FaultPoints): FaultPoints;
  /** Resolves once all is read that is due. */
  filled(): Promise<Filling>;
  /** So many days are over, and what is due then was read. */
  passes(days: number): Promise<void>;
  /** So many days are over while no bot runs. */
  jumps(days: number): Promise<void>;
  /** The day so many days ago, as in "2026-10-03". */
  ago(days: number): string;
  /** Takes what was read of these days out of the ledger. */
  forgets(...days: readonly string[]): Promise<void>;
  /** Somebody looked on these days, and saw this. */
  sees(from: string, to: string, seen: Seen): Promise<void>;
  /** What the ledger has kept, oldest first. */
  days(): Promise<readonly NamedDay[]>;
}

export async function playLedger(options: PlayOptions = {}): Promise<LedgerPlay> {
  const clock = options.hosting?.clock ?? Date.now;
  let aheadMs = 0;
  const calendar = instead('calendar', 'today', async () => clock() + aheadMs);
  const sandbox = await play({
    faultPoints: calendar,
    ...options,
    env: { LAMPLIGHTER_EVERYONE: 'finance', BILLING_CHANNELS: 'C0OPS000001', ...options.env },
    timings: { billingCheckEveryMs: 60_000, ...options.timings },
  });
  const redis = new Redis(sandbox.redisUrl);
  onTestFinished(() => redis.disconnect());
  const filling = createOneRecord(redis, LEDGER);
  const ago: LedgerPlay['ago'] = (days) =>
    new Date(clock() + aheadMs - days * DAY_MS).toISOString().slice(0, 10);
  const filled: LedgerPlay['filled'] = async () => {
    for (;;) {
      const record = await filling.get();
      if (!record.reading && record.dueAt > clock() + aheadMs) return record;
      await until(async () => JSON.stringify(await filling.get()) !== JSON.stringify(record));
    }
  };
  const jumps: LedgerPlay['jumps'] = async (days) => {
    sandbox.hosting.passDays(days);
    aheadMs += days * DAY_MS;
    // It is due by Redis' clock, which goes on as it does.
    await filling.change((record) => ({ ...record, dueAt: 0 }));
  };
  return {
    sandbox,
    inItsDays: (faultPoints) => (part, target) => faultPoints(part, calendar(part, target)),
    filled,
    jumps,
    ago,
    passes: async (days) => {
      await jumps(days);
      await filled();
    },
    forgets: async (...days) => {
      for (const day of days)
        await createDays(redis).change(day, clock() + aheadMs, (record) => ({
          ...record,
          booked: undefined,
        }));
    },
    sees: async (from, to, seen) => {
      for (const day of daysFrom(from, to))
        await createDays(redis).change(day, clock() + aheadMs, (record) => ({ ...record, seen }));
    },
    days: () => createDays(redis).list(ago(KEPT_DAYS - 1), ago(1)),
  };
}

/** The service charges so much on each of these days besides what it charges anyway: for each of these instances, or for none. */
export function books(
  { sandbox }: LedgerPlay,
  type: string,
  amount: string,
  instanceIds: number | readonly number[] | undefined,
  from: string,
  to = from,
): void {
  for (const day of daysFrom(from, to))
    for (const instanceId of [instanceIds].flat())
      sandbox.hosting.book('harbour', {
        type,
        amount,
        at: Date.parse(`${day}T01:00Z`),
        ...(instanceId === undefined ? {} : { instanceId }),
      });
}

/** What the company's own list comes to on each day, as decimals: spent and added. */
export function toldBy({ hosting }: Sandbox, customer = 'harbour'): ReadonlyMap<string, string> {
  const days = new Map<string, { used: Amount; added: Amount }>();
  for (const { amount, created_at } of hosting.transactionsOf(customer)) {
    const day = created_at.slice(0, 10);
    const { used, added } = days.get(day) ?? { used: ZERO, added: ZERO };
    const read = parseAmount(String(amount)) ?? ZERO;
    const isUsed = compare(read, ZERO) < 0;
    days.set(day, isUsed ? { used: add(used, negate(read)), added } : { used, added: add(added, read) });
  }
  return new Map([...days].map(([day, { used, added }]) => [day, said(used, added)]));
}

/** The same of the ledger. */
export function keptOf(days: readonly NamedDay[]): ReadonlyMap<string, string> {
  return new Map(
    days.flatMap(({ day, record: { booked } }) =>
      booked ? [[day, said(totalOf(booked.used), totalOf(booked.added))] as const] : [],
    ),
  );
}

const said = (used: Amount, added: Amount): string => `${short(used)} used, ${short(added)} added`;

/** Without noughts at its end. */
function short(amount: Amount): string {
  const text = toDecimal(amount);
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}
