import type { Benchmark, Outcome, RunOptions } from './harness/benchmark.ts';
import { type Program, startBot, stopBots } from './harness/bots.ts';
import { interleave } from './harness/rounds.ts';
import { send, type Sent } from './harness/send.ts';
import { compare, medianOf, type Metrics, ratioOf } from './harness/table.ts';

const BOT = 'the bot';
const PEER = 'bare Bolt, one command';
const STEPS = 5;
const PER_STEP = 2_000;
const HELP: Sent = { command: '/instances', text: 'help', count: PER_STEP, inFlight: 32, untilPosted: false };

/** A fresh process each time: what it once took, it keeps. */
async function measure(name: string, program: Program): Promise<Metrics> {
  const one = await startBot(name, program);
  try {
    const startMib = one.process.rssMib();
    for (let step = 0; step < STEPS; step++) await send(one, HELP);
    return { startMib, afterMib: one.process.rssMib() };
  } finally {
    await stopBots([one]);
  }
}

async function run({ rounds, quiet }: RunOptions): Promise<Outcome> {
  const variants = [
    { name: BOT, measure: () => measure(BOT, 'the bot') },
    { name: PEER, measure: () => measure(PEER, { peer: 'bolt' }) },
  ];
  const measured = await interleave(variants, rounds, quiet);
  const metrics = [
    { key: 'startMib', what: 'memory once ready, MiB' },
    { key: 'afterMib', what: `memory after ${(STEPS * PER_STEP).toLocaleString('en-US')} commands, MiB` },
  ];
  return {
    tables: [compare('Resident memory', measured, metrics, BOT)],
    figures: {
      memory: medianOf(measured, BOT, 'afterMib'),
      'memory ratio': ratioOf(measured, 'afterMib', BOT, PEER).median,
    },
    notes: [],
  };
}

export const memory: Benchmark = {
  name: 'memory',
  what: 'How much memory the bot takes after 10,000 commands.',
  rounds: 2,
  run,
};
