import type { Benchmark, Outcome, RunOptions } from './harness/benchmark.ts';
import { openRestarts, type Setup } from './harness/restarts.ts';
import { interleave } from './harness/rounds.ts';
import { compare, medianOf, type Metrics } from './harness/table.ts';

const BOT = 'the bot';
const PEER = 'in-memory bot';
const PER_SECOND = 100;
const SETUP: Omit<Setup, 'bot'> = {
  restarts: 1_000,
  channels: 200,
  pace: { perSecond: PER_SECOND },
  limitMs: 180_000,
};

async function measure(bot: Setup['bot']): Promise<Metrics> {
  const restarts = await openRestarts({ ...SETUP, bot });
  try {
    return await restarts.round();
  } finally {
    await restarts.close();
  }
}

async function run({ rounds, quiet }: RunOptions): Promise<Outcome> {
  const variants = ([BOT, PEER] as const).map((name) => ({ name, measure: () => measure(name) }));
  const measured = await interleave(variants, rounds, quiet);
  const metrics = [
    { key: 'shownP50S', what: 'settled to shown, p50, s' },
    { key: 'shownP95S', what: 'settled to shown, p95, s' },
    { key: 'notShown', what: 'restarts not shown as ended' },
    { key: 'notMentioned', what: 'people not mentioned at the end' },
    { key: 'tookS', what: 'until all have ended, s' },
    { key: 'botMs', what: 'CPU of the bot, ms a restart' },
    { key: 'redisMs', what: 'CPU of Redis, ms a restart' },
  ];
  return {
    tables: [
      compare(`1,000 restarts, ${PER_SECOND} a second, in 200 channels, one process`, measured, metrics, BOT),
    ],
    goals: [{ goal: 'rate shown', value: medianOf(measured, BOT, 'shownP95S') }],
    notes: [],
  };
}

export const rate: Benchmark = {
  name: 'rate',
  what: 'How soon ends are shown where restarts arrive at a steady rate.',
  goals: ['rate shown'],
  peers: [PEER],
  rounds: 1,
  isQuick: false,
  run,
};
