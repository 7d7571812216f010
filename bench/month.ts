import type { Redis } from 'ioredis';
import { nothingBooked, withTransactions } from '../src/features/billing/ledger/booked.ts';
import { dayAt, startOf } from '../src/features/billing/ledger/day.ts';
import { createDays, daysFrom, KEPT_DAYS } from '../src/features/billing/ledger/days.ts';
import { createFillingStore } from '../src/features/billing/ledger/filling.ts';
import { dayKey } from '../src/features/billing/ledger/days.ts';
import { DAY_MS } from '../src/platform/time/duration.ts';
import type { Benchmark, Outcome, RunOptions } from './harness/benchmark.ts';
import { type Running, startBots, stopBots } from './harness/bots.ts';
import { interleave } from './harness/rounds.ts';
import { send, type Sent } from './harness/send.ts';
import { compare, type Metrics } from './harness/table.ts';

const LARGE = '1,000 instances';
const SMALL = '20 instances';
const SIZES: readonly (readonly [name: string, instances: number])[] = [
  [LARGE, 1_000],
  [SMALL, 20],
];
/** The month before, so that all of both that are compared is there, whatever day it is. */
const ASKED: readonly string[] = ['month last month', 'why last month'];
const COUNT = 20;
const RUN = 'bench';
const ALL_HOURS = (1 << 24) - 1;
const MIB = 1_048_576;

/** Writes all days that the ledger keeps, of so many instances, each of which was seen in all hours and charged once a day. */
async function fill(redis: Redis, instances: number): Promise<void> {
  const days = createDays(redis);
  const now = Date.now();
  const [from, to] = [dayAt(now - (KEPT_DAYS - 1) * DAY_MS), dayAt(now - DAY_MS)];
  const named = Array.from({ length: instances }, (_, nth) => ({
    id: String(10_000 + nth),
    name: `web-${nth}`,
  }));
  for (const day of daysFrom(from, to)) {
    const createdAt = new Date(startOf(day)).toISOString();
    const charges = named.map(({ id }, nth) => ({
      id: `${day}-${id}`,
      type: 'daily_charge',
      amountCredits: `-${10 + (nth % 90)}.25`,
      instanceId: id,
      createdAt,
    }));
    const booked = withTransactions(nothingBooked(RUN, now), charges, now);
    const rows = named.map(({ id, name }): [string, string, number] => [id, name, ALL_HOURS]);
    await days.change(day, now, () => ({ booked, seen: { hours: ALL_HOURS, instances: { budget: rows } } }));
  }
  // Nothing is read of the double, which has charged nothing.
  await createFillingStore(redis).change(() => ({
    dueAt: now + KEPT_DAYS * DAY_MS,
    failures: 0,
    filled: { from, to, at: now },
  }));
}

/** How much of Redis the days of the ledger take. */
async function ledgerMib({ client }: Running['redis']): Promise<number> {
  let bytes = 0;
  for (const key of await client.keys(`${dayKey('')}*`))
    bytes += Number(await client.memory('USAGE', key, 'SAMPLES', 0));
  return bytes / MIB;
}

async function run({ rounds, quiet, say }: RunOptions): Promise<Outcome> {
  const running = await startBots(
    SIZES.map(([name]) => [name, { env: { LAMPLIGHTER_EVERYONE: 'finance' } }]),
  );
  try {
    const tables = [];
    const taken = new Map<string, number>();
    for (const [at, [name, instances]] of SIZES.entries()) {
      const one = running[at];
      if (!one) throw new Error(`${name} does not run`);
      say(`writing ${KEPT_DAYS} days of ${name}`);
      await fill(one.redis.client, instances);
      taken.set(name, await ledgerMib(one.redis));
    }
    for (const text of ASKED) {
      const sent: Sent = { command: '/billing', text, count: COUNT, inFlight: 1, untilPosted: true };
      for (const one of running) await send(one, sent);
      const variants = running.map((one) => ({
        name: one.name,
        measure: async (): Promise<Metrics> => ({
          ...(await send(one, sent)),
          ledgerMib: taken.get(one.name) ?? Number.NaN,
        }),
      }));
      const measured = await interleave(variants, rounds, quiet);
      tables.push(
        compare(
          `/billing ${text}, ${KEPT_DAYS} days, one after the other`,
          measured,
          [
            { key: 'postedP50Ms', what: 'answered, p50, ms' },
            { key: 'postedP99Ms', what: 'answered, p99, ms' },
            { key: 'cpuUs', what: 'CPU, µs' },
            { key: 'redisUs', what: 'CPU of Redis, µs' },
            { key: 'ledgerMib', what: 'the ledger in Redis, MiB' },
          ],
          LARGE,
        ),
      );
    }
    return {
      tables,
      figures: {},
      notes: [
        'Each instance was seen in all hours and has one transaction a day. An add-on each is one more.',
      ],
    };
  } finally {
    await stopBots(running);
  }
}

export const month: Benchmark = {
  name: 'month',
  what: 'How long the answer of what a month has cost takes, and what its ledger takes of Redis.',
  rounds: 3,
  run,
};
