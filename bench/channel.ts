import {
  type Benchmark,
  joined,
  medianOf,
  type Outcome,
  outcomeOf,
  type RunOptions,
} from './harness/benchmark.ts';
import { type OtherRestart, restartOther } from './harness/other-restart.ts';
import { OTHERS } from './harness/restart-world.ts';
import { openRestarts, type Setup } from './harness/restarts.ts';
import { interleave, type Metrics } from './harness/rounds.ts';
import { percentile, wait } from './harness/stats.ts';

const BOT = 'the bot';
const OTHERS_ALONE = OTHERS / 2;

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
    const measured = await interleave([variant], options.rounds);
    const found = Object.entries(figures).map(([id, key]) => [id, medianOf(measured, BOT, key)] as const);
    outcomes.push(outcomeOf(measured, Object.fromEntries(found)));
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
    const p95 = (of: readonly OtherRestart[]): number =>
      percentile(
        of.map(({ postMs }) => postMs),
        0.95,
      );
    return { ...metrics, postRatio: p95(await Promise.all(among)) / p95(alone) };
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
