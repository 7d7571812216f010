import type { Benchmark, Outcome, RunOptions } from './harness/benchmark.ts';
import { type Program, type Running, startBots, stopBots, UNLIMITED } from './harness/bots.ts';
import { interleave } from './harness/rounds.ts';
import { send, type Sent } from './harness/send.ts';
import { type Measured, rank, ratioOf } from './harness/table.ts';

const RAW = 'raw node:http';
const DEFAULT = 'Bolt + Pool + zod + default WebClient';
const BOT = 'the bot';
const NOT_WRITTEN = 'the bot, nothing written down';
type Programs = readonly (readonly [string, Program])[];
const PROGRAMS: Programs = [
  [RAW, { peer: 'raw', args: ['post'] }],
  [DEFAULT, { peer: 'bolt-default' }],
  [BOT, {}],
];
/** What it costs that an answered read is on Redis' disk, so that a replay of it is refused. */
const WITH_AND_WITHOUT: Programs = [
  ...PROGRAMS,
  [NOT_WRITTEN, { altered: { ...UNLIMITED, writesNothingDown: true } }],
];
const LIST: Sent = { command: '/instances', text: 'list', count: 1_000, inFlight: 32, untilPosted: true };
const METRICS = [
  { key: 'cpuUs', what: 'CPU, µs' },
  { key: 'redisUs', what: 'CPU of Redis, µs' },
  { key: 'perSecond', what: 'a second' },
  { key: 'ackP50Ms', what: 'acknowledged, p50, ms' },
  { key: 'ackP99Ms', what: 'acknowledged, p99, ms' },
  { key: 'postedP50Ms', what: 'posted, p50, ms' },
  { key: 'postedP99Ms', what: 'posted, p99, ms' },
  { key: 'standstillMs', what: 'longest standstill of the load, ms' },
];

/** Runs all programs with the same load, in turns. */
async function measure(programs: Programs, sent: Sent, { rounds, quiet }: RunOptions): Promise<Measured> {
  const running: readonly Running[] = await startBots(programs);
  try {
    for (const one of running) await send(one, sent);
    return await interleave(
      running.map((one) => ({ name: one.name, measure: () => send(one, sent) })),
      rounds,
      quiet,
    );
  } finally {
    await stopBots(running);
  }
}

async function runCommand(options: RunOptions): Promise<Outcome> {
  const measured = await measure(PROGRAMS, LIST, options);
  const bases = [
    { key: 'cpuUs', base: RAW, what: 'CPU / raw' },
    { key: 'cpuUs', base: DEFAULT, what: 'CPU / default' },
  ];
  return {
    tables: [
      rank('/instances, 20 instances, until the answer is posted, 32 in flight', measured, METRICS, bases),
    ],
    goals: [
      { goal: 'G6', value: ratioOf(measured, 'cpuUs', BOT, DEFAULT).median },
      { goal: 'G7', value: ratioOf(measured, 'cpuUs', BOT, RAW).median },
    ],
    notes: [
      'The peers read the list again for each command; the bot lets all who ask within a second share one reading, and draws it once for those who may see and press everything, as all may here. It also looks up who asks and what they may do, and keeps an audit.',
    ],
  };
}

/** So many seconds of commands at each rate. */
const SECONDS = 6;
const RATES = [100, 500] as const;

async function runLatency(options: RunOptions): Promise<Outcome> {
  const outcomes: Outcome[] = [];
  for (const perSecond of RATES) {
    options.say(`${perSecond} a second`);
    const sent = { ...LIST, count: perSecond * SECONDS, perSecond };
    const measured = await measure(WITH_AND_WITHOUT, sent, options);
    const bases = [
      { key: 'ackP99Ms', base: RAW, what: 'acknowledged, p99 / raw' },
      { key: 'ackP99Ms', base: DEFAULT, what: 'acknowledged, p99 / default' },
    ];
    const p99 = (one: string, other: string): number => ratioOf(measured, 'ackP99Ms', one, other).median;
    outcomes.push({
      tables: [rank(`/instances, ${perSecond} a second, whatever comes back`, measured, METRICS, bases)],
      goals:
        perSecond === 500
          ? [
              { goal: 'G5 raw', value: p99(BOT, RAW) },
              { goal: 'G5 Bolt', value: p99(BOT, DEFAULT) },
            ]
          : [],
      notes: [],
    });
  }
  return {
    tables: outcomes.flatMap(({ tables }) => tables),
    goals: outcomes.flatMap(({ goals }) => goals),
    notes: [],
  };
}

const PEERS = [RAW, DEFAULT];
export const command: Benchmark = {
  name: 'command',
  what: 'What /instances costs from the request to the posted answer.',
  goals: ['G6', 'G7'],
  peers: PEERS,
  rounds: 3,
  isQuick: true,
  run: runCommand,
};
export const ackLatency: Benchmark = {
  name: 'ack-latency',
  what: 'How soon a command is acknowledged at fixed rates.',
  goals: ['G5 raw', 'G5 Bolt'],
  peers: PEERS,
  rounds: 3,
  isQuick: true,
  run: runLatency,
};
