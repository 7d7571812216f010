import {
  type Benchmark,
  joined,
  medianOf,
  type Outcome,
  outcomeOf,
  ratioOf,
  type RunOptions,
} from './harness/benchmark.ts';
import { openRestarts, type Restarts, type Setup } from './harness/restarts.ts';
import { interleave, type Measured, type Variant } from './harness/rounds.ts';

const BOT = 'the bot';
const PEER = 'in-memory bot';
const LIMIT_MS = 120_000;
/** One person asks for one restart at a time, three times in a round. */
const ALONE = 3;

interface Part {
  readonly when: 'alone' | 'at 60' | 'at 500';
  readonly title: string;
  readonly setup: Omit<Setup, 'bot'>;
}

const part = (restarts: 60 | 500, channels: number): Part => ({
  when: `at ${restarts}`,
  title: `${restarts} restarts at once, in ${channels} channels`,
  setup: { restarts, channels, pace: 'at once', limitMs: LIMIT_MS },
});
const PARTS: readonly Part[] = [
  {
    when: 'alone',
    title: 'one restart alone',
    setup: { restarts: ALONE, channels: ALONE, pace: 'one by one', limitMs: LIMIT_MS },
  },
  part(60, 12),
  // More channels have more cards of their own, whose edits in all of a workspace don't come to their end in a round.
  part(500, 10),
];

async function run(options: RunOptions): Promise<Outcome> {
  const outcomes: Outcome[] = [];
  for (const each of PARTS) outcomes.push(await measure(each, options));
  return joined(outcomes);
}

async function measure({ when, title, setup }: Part, { rounds, say }: RunOptions): Promise<Outcome> {
  say(title);
  const open: Restarts[] = [];
  try {
    const variants: Variant[] = [];
    for (const name of [BOT, PEER] as const) {
      const restarts = await openRestarts({ ...setup, bot: name });
      open.push(restarts);
      variants.push({ name, measure: () => restarts.round() });
    }
    // The first round also looks people up.
    for (const variant of variants) await variant.measure();
    const measured = await interleave(variants, rounds);
    return outcomeOf(measured, figuresOf(when, measured));
  } finally {
    await Promise.all(open.map((one) => one.close()));
  }
}

function figuresOf(when: string, measured: Measured): Outcome['figures'] {
  const ofBot = (key: string): number => medianOf(measured, BOT, key);
  return {
    [`CPU ${when}`]: ratioOf(measured, 'cpuMs', BOT, PEER),
    [`host ${when}`]: ofBot('hostingCalls'),
    ...(when === 'alone' ? { 'posts alone': ofBot('messageCalls'), commands: ofBot('commands') } : {}),
  };
}

export const operation: Benchmark = {
  name: 'operation',
  what: 'What one restart costs, alone, among 60 and among 500 that are asked for at once.',
  rounds: 3,
  run,
};
