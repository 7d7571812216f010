import { type Benchmark, medianOf, outcomeOf, ratioOf } from './harness/benchmark.ts';
import { type Program, startBot, stopBots } from './harness/bots.ts';
import { interleave, type Metrics } from './harness/rounds.ts';
import { send } from './harness/send.ts';

const BOT = 'the bot';
const PEER = 'bare Bolt, one command';
const STEPS = 5;
const HELP = { command: '/instances', text: 'help', count: 2_000, inFlight: 32, untilPosted: false };

/** A fresh process each time: what it once took, it keeps. */
async function measure(name: string, program: Program): Promise<Metrics> {
  const one = await startBot(name, program);
  try {
    for (let step = 0; step < STEPS; step++) await send(one, HELP);
    return { rssMib: one.process.rssMib() };
  } finally {
    await stopBots([one]);
  }
}

export const memory: Benchmark = {
  name: 'memory',
  what: 'How much memory the bot takes after 10,000 commands.',
  rounds: 2,
  run: async ({ rounds }) => {
    const variants = [
      { name: BOT, measure: () => measure(BOT, 'the bot') },
      { name: PEER, measure: () => measure(PEER, { peer: 'bolt' }) },
    ];
    const measured = await interleave(variants, rounds);
    return outcomeOf(measured, {
      memory: medianOf(measured, BOT, 'rssMib'),
      'memory ratio': ratioOf(measured, 'rssMib', BOT, PEER),
    });
  },
};
