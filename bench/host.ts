import type { Benchmark, Outcome, RunOptions } from './harness/benchmark.ts';
import { openRestarts, type Setup } from './harness/restarts.ts';
import { interleave } from './harness/rounds.ts';
import { wordsOf } from './harness/slack-summary.ts';
import { compare, medianOf, type Metric, type Metrics } from './harness/table.ts';
import { wait } from './harness/wait.ts';

const BOT = 'the bot';
const CALLS_A_MINUTE = 100;

const MANY: Setup = {
  restarts: 500,
  channels: 100,
  pace: 'at once',
  hostLimit: CALLS_A_MINUTE,
  limitMs: 900_000,
  bot: BOT,
};
const PLACE = /in line/i;

async function measureMany(): Promise<Metrics> {
  const restarts = await openRestarts(MANY);
  try {
    const metrics = await restarts.round();
    const waiting = restarts.sandbox.slack.calls.filter(({ args }) => PLACE.test(wordsOf(args)));
    return { ...metrics, toldPlace: new Set(waiting.map(({ args }) => String(args['channel']))).size };
  } finally {
    await restarts.close();
  }
}

async function runMany({ rounds, quiet }: RunOptions): Promise<Outcome> {
  const measured = await interleave([{ name: BOT, measure: measureMany }], rounds, quiet);
  const metrics: readonly Metric[] = [
    { key: 'notShown', what: 'restarts not shown as done' },
    { key: 'notMentioned', what: 'people not mentioned at the end' },
    { key: 'toldPlace', what: 'channels of 100 in which a place in line was said' },
    { key: 'hostingCalls', what: 'calls to the host a restart' },
    { key: 'tookS', what: 'until all have ended, s' },
    { key: 'botMs', what: 'CPU of the bot, ms a restart' },
  ];
  return {
    tables: [
      compare(`500 restarts at once, ${CALLS_A_MINUTE} calls a minute at the host`, measured, metrics),
    ],
    goals: [{ goal: 'host limit refused', value: medianOf(measured, BOT, 'notShown') }],
    notes: [
      `Two calls a restart at least, so ${CALLS_A_MINUTE} a minute allow no less than 5 to 10 minutes.`,
    ],
  };
}

const PAGED: Setup = {
  restarts: 5,
  channels: 1,
  pace: 'at once',
  idleInstances: 5_000,
  pageSize: 100,
  hostLimit: CALLS_A_MINUTE,
  limitMs: 60_000,
  bot: BOT,
};
const COMMANDS = 15;
const EVERY_MS = 3_500;
const ANSWER_LIMIT_MS = 15_000;
const REFUSED = /takes no more requests|does not answer|with an error|went wrong/;
const KINDS = [
  (nth: number): string => `/instances show idle-${100 * nth}`,
  (): string => '/instances',
  (nth: number): string => `/instances restart other-${nth % 8} --because x`,
] as const;

/** Types fifteen commands in the first minute after the start, and waits for each answer. */
async function measurePaged(): Promise<Metrics> {
  const restarts = await openRestarts(PAGED);
  const { slack } = restarts.sandbox;
  try {
    const delaysS: number[] = [];
    let refused = 0;
    const ask = async (nth: number): Promise<void> => {
      const from = slack.calls.length;
      const at = Date.now();
      const command = (KINDS[nth % KINDS.length] ?? KINDS[1])(nth);
      const channel = `other-${nth % 8}`;
      const { id } = slack.channel(`#${channel}`);
      const turn = await slack.person('other').types(`#${channel}`, command);
      const find = (): string[] => [
        turn.body,
        ...slack.calls
          .slice(from)
          .filter(({ args, method }) => method === 'response_url' || args['channel'] === id)
          .map(({ args }) => wordsOf(args)),
      ];
      while (find().every((words) => words === '') && Date.now() < at + ANSWER_LIMIT_MS) await wait(20);
      const words = find();
      if (words.every((one) => one === '') || words.some((one) => REFUSED.test(one))) refused += 1;
      else delaysS.push((Date.now() - at) / 1_000);
    };
    const asked: Promise<void>[] = [];
    for (let nth = 0; nth < COMMANDS; nth++) {
      asked.push(ask(nth));
      await wait(EVERY_MS);
    }
    await Promise.all(asked);
    return { refused, slowestS: Math.max(...delaysS), calls: restarts.sandbox.hosting.calls.length };
  } finally {
    await restarts.close();
  }
}

async function runPaged({ rounds, quiet }: RunOptions): Promise<Outcome> {
  const measured = await interleave([{ name: BOT, measure: measurePaged }], rounds, quiet);
  const metrics: readonly Metric[] = [
    { key: 'refused', what: `commands of ${COMMANDS} refused or not answered within 15 s` },
    { key: 'slowestS', what: 'slowest answer, s' },
    { key: 'calls', what: 'calls to the host' },
  ];
  return {
    tables: [
      compare(
        'The first minute: 5,000 instances, pages of 100, 100 calls a minute at the host',
        measured,
        metrics,
      ),
    ],
    goals: [{ goal: 'pages refused', value: medianOf(measured, BOT, 'refused') }],
    notes: [],
  };
}

export const hostLimit: Benchmark = {
  name: 'host-limit',
  what: '500 restarts at once where the host takes 100 calls a minute.',
  goals: ['host limit refused'],
  peers: [],
  rounds: 1,
  isQuick: false,
  run: runMany,
};
export const pages: Benchmark = {
  name: 'pages',
  what: 'Whether commands are answered while a list of 5,000 is read page by page.',
  goals: ['pages refused'],
  peers: [],
  rounds: 1,
  isQuick: true,
  run: runPaged,
};
