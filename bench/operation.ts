import type { Benchmark, GoalFigure, Outcome, RunOptions } from './harness/benchmark.ts';
import { openRestarts, type Restarts, type Setup } from './harness/restarts.ts';
import { interleave } from './harness/rounds.ts';
import { compare, type Measured, medianOf, type Metric, ratioOf } from './harness/table.ts';

const BOT = 'the bot';
const PEER = 'in-memory bot';
const LIMIT_MS = 120_000;
/** One person asks for one restart at a time, three times in a round. */
const ALONE = 3;

const METRICS: readonly Metric[] = [
  { key: 'cpuMs', what: 'CPU of bot and Redis, ms a restart' },
  { key: 'botMs', what: 'CPU of the bot, ms a restart' },
  { key: 'redisMs', what: 'CPU of Redis, ms a restart' },
  { key: 'commands', what: 'Redis commands a restart, those in scripts included' },
  { key: 'slackCalls', what: 'Slack calls a restart' },
  { key: 'limited', what: 'answers 429 of Slack' },
  { key: 'hostingCalls', what: 'calls to the host a restart' },
  { key: 'notShown', what: 'restarts not shown as ended' },
  { key: 'notMentioned', what: 'people not mentioned at the end' },
  { key: 'shownP95S', what: 'settled to shown, p95, s' },
];

interface Part {
  readonly goal: string;
  readonly title: string;
  readonly setup: Omit<Setup, 'bot'>;
}

const part = (restarts: number, channels: number): Part => ({
  goal: `at ${restarts}`,
  title: `${restarts} restarts at once, in ${channels} channels`,
  setup: { restarts, channels, pace: 'at once', limitMs: LIMIT_MS },
});
const PARTS: readonly Part[] = [
  {
    goal: 'alone',
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
  return {
    tables: outcomes.flatMap(({ tables }) => tables),
    goals: outcomes.flatMap(({ goals }) => goals),
    notes: outcomes.flatMap(({ notes }) => notes),
  };
}

async function measure({ goal, title, setup }: Part, { rounds, quiet, say }: RunOptions): Promise<Outcome> {
  say(title);
  const open: Restarts[] = [];
  try {
    for (const bot of [BOT, PEER] as const) open.push(await openRestarts({ ...setup, bot }));
    const [bot, peer] = open;
    if (!bot || !peer) throw new Error('nothing is open');
    const counted = await bot.countCommands();
    await peer.round();
    const variantOf = (
      name: string,
      restarts: Restarts,
    ): { name: string; measure: () => Promise<Record<string, number>> } => ({
      name,
      measure: async () => {
        const { botMs = 0, redisMs = 0, ...others } = await restarts.round();
        return { cpuMs: botMs + redisMs, botMs, redisMs, ...others };
      },
    });
    const measured = await interleave([variantOf(BOT, bot), variantOf(PEER, peer)], rounds, quiet);
    return {
      tables: [compare(title, measured, METRICS, BOT)],
      goals: goalsOf(goal, measured),
      notes: [
        `${title}, counted in the first round, which also looks people up: ${counted.client.toFixed(0)} commands from the bot's connections and ${counted.lua.toFixed(0)} inside scripts a restart.`,
      ],
    };
  } finally {
    await Promise.all(open.map((one) => one.close()));
  }
}

function goalsOf(goal: string, measured: Measured): GoalFigure[] {
  return [
    { goal: `Redis commands ${goal}`, value: medianOf(measured, BOT, 'commands') },
    { goal: `CPU ${goal}`, value: ratioOf(measured, 'cpuMs', BOT, PEER).median },
    ...(goal === 'alone' ? [{ goal: 'G18 alone', value: medianOf(measured, BOT, 'messageCalls') }] : []),
  ];
}

export const operation: Benchmark = {
  name: 'operation',
  what: 'What one restart costs, alone, among 60 and among 500 that are asked for at once.',
  goals: ['alone', 'at 60', 'at 500']
    .flatMap((when) => [`Redis commands ${when}`, `CPU ${when}`])
    .concat('G18 alone'),
  peers: [PEER],
  rounds: 3,
  isQuick: true,
  run,
};
