import { type Benchmark, joined, type Outcome, type RunOptions } from './harness/benchmark.ts';
import { type OtherRestart, restartOther } from './harness/other-restart.ts';
import { OTHERS } from './harness/restart-world.ts';
import { openRestarts, type Setup } from './harness/restarts.ts';
import { interleave } from './harness/rounds.ts';
import { percentile } from './harness/stats.ts';
import { compare, type Metric, type Metrics, medianOf } from './harness/table.ts';
import { wait } from './harness/wait.ts';

const BOT = 'the bot';
const OTHERS_ALONE = OTHERS / 2;

const METRICS: readonly Metric[] = [
  { key: 'limited', what: 'answers 429' },
  { key: 'slackCalls', what: 'Slack calls a restart' },
  { key: 'messageCalls', what: 'posts and edits a restart' },
  { key: 'shownP50S', what: 'settled to shown, p50, s' },
  { key: 'shownP95S', what: 'settled to shown, p95, s' },
  { key: 'tookS', what: 'until all have ended, s' },
  { key: 'botMs', what: 'CPU of the bot, ms a restart' },
  { key: 'redisMs', what: 'CPU of Redis, ms a restart' },
];
const OTHER_METRICS: readonly Metric[] = [
  { key: 'postAloneMs', what: 'another channel alone: typed to first post, p95, ms' },
  { key: 'postAmongMs', what: 'another channel in the middle: typed to first post, p95, ms' },
  { key: 'postRatio', what: '… divided' },
  { key: 'shownAloneS', what: 'another channel alone: settled to shown, p95, s' },
  { key: 'shownAmongS', what: 'another channel in the middle: settled to shown, p95, s' },
];

interface Part {
  readonly title: string;
  readonly setup: Setup;
  /** How far apart others restart in other channels meanwhile. */
  readonly otherEveryMs?: number;
  /** Which metric is which figure. */
  readonly figures: Readonly<Record<string, string>>;
}

const part = (restarts: number, channels: number, limitMs: number): Pick<Part, 'title' | 'setup'> => ({
  title: `${restarts} restarts at once in ${channels === 1 ? 'one channel' : `${channels} channels`}, under Slack's limits`,
  setup: { restarts, channels, pace: 'at once', hasSlackLimits: true, limitMs, bot: BOT },
});
const PARTS: readonly Part[] = [
  {
    ...part(60, 1, 150_000),
    otherEveryMs: 1_500,
    figures: { 'posts at 60': 'messageCalls', '429 at 60': 'limited', 'other at 60': 'postRatio' },
  },
  {
    ...part(500, 1, 180_000),
    otherEveryMs: 4_000,
    figures: {
      'posts at 500': 'messageCalls',
      '429 at 500': 'limited',
      'shown at 500': 'shownP95S',
      'other at 500': 'postRatio',
    },
  },
  { ...part(500, 10, 180_000), figures: { '429 in ten': 'limited' } },
];

async function run(options: RunOptions): Promise<Outcome> {
  const outcomes: Outcome[] = [];
  for (const { title, setup, otherEveryMs, figures } of PARTS) {
    options.say(title);
    const variant = { name: BOT, measure: () => measure(setup, otherEveryMs) };
    const measured = await interleave([variant], options.rounds, options.quiet);
    const metrics = otherEveryMs ? [...METRICS, ...OTHER_METRICS] : METRICS;
    const found = Object.entries(figures).map(([id, key]) => [id, medianOf(measured, BOT, key)] as const);
    outcomes.push({
      tables: [compare(title, measured, metrics)],
      figures: Object.fromEntries(found),
      notes: [],
    });
  }
  return joined(outcomes);
}

/** One round in a workspace of its own, because a bot that was limited is slower for a while. */
async function measure(setup: Setup, otherEveryMs: number | undefined): Promise<Metrics> {
  const restarts = await openRestarts(setup);
  try {
    if (otherEveryMs === undefined) return await restarts.round();
    // The first of a process is slower than all others.
    await restartOther(restarts.sandbox, 0);
    const alone: OtherRestart[] = [];
    for (let nth = 1; nth < OTHERS_ALONE; nth++) alone.push(await restartOther(restarts.sandbox, nth));
    const among: Promise<OtherRestart>[] = [];
    const metrics = await restarts.round(async () => {
      for (let nth = OTHERS_ALONE; nth < OTHERS; nth++) {
        await wait(otherEveryMs);
        among.push(restartOther(restarts.sandbox, nth));
      }
      await Promise.all(among);
    });
    const others = await Promise.all(among);
    const p95 = (of: readonly OtherRestart[], key: 'postMs' | 'shownS'): number =>
      percentile(
        of.map((one) => one[key]),
        0.95,
      );
    const [postAloneMs, postAmongMs] = [p95(alone, 'postMs'), p95(others, 'postMs')];
    return {
      ...metrics,
      postAloneMs,
      postAmongMs,
      postRatio: postAmongMs / postAloneMs,
      shownAloneS: p95(alone, 'shownS'),
      shownAmongS: p95(others, 'shownS'),
    };
  } finally {
    await restarts.close();
  }
}

export const channel: Benchmark = {
  name: 'channel',
  what: "Many restarts at once in one channel under Slack's limits of a post a second and 50 edits a minute, and who else waits for that.",
  rounds: 1,
  run,
};
