import type { Benchmark, Outcome, RunOptions } from './harness/benchmark.ts';
import { type Program, type Running, startBots, stopBots } from './harness/bots.ts';
import { interleave } from './harness/rounds.ts';
import { send, type Sent } from './harness/send.ts';
import { compare, ratioOf } from './harness/table.ts';

const BARE = 'bare Bolt, one command';
const UNKNOWN = 'the bot, an unknown word';
const HELP = 'the bot, help';

const typed = (command: string, text: string): Sent => ({
  command,
  text,
  count: 3_000,
  inFlight: 32,
  untilPosted: false,
});

interface Entry {
  readonly name: string;
  readonly program: Program;
  readonly sent: Sent;
}

const ENTRIES: readonly Entry[] = [
  { name: BARE, program: { peer: 'bolt' }, sent: typed('/instances', 'help') },
  { name: UNKNOWN, program: 'the bot', sent: typed('/lamplighter', 'wibble') },
  { name: HELP, program: 'the bot', sent: typed('/instances', 'help') },
];

async function run({ rounds, quiet, say }: RunOptions): Promise<Outcome> {
  const running = await startBots(ENTRIES.map(({ name, program }) => [name, program]));
  try {
    const variants = ENTRIES.flatMap(({ name, sent }) =>
      running
        .filter((one) => one.name === name)
        .map((one: Running) => ({ name, measure: () => send(one, sent) })),
    );
    say('warming up');
    for (const { measure } of variants) await measure();
    say('measuring');
    const measured = await interleave(variants, rounds, quiet);
    const metrics = [
      { key: 'cpuUs', what: 'CPU, µs' },
      { key: 'redisUs', what: 'CPU of Redis, µs' },
      { key: 'perSecond', what: 'a second' },
      { key: 'ackP50Ms', what: 'p50, ms' },
      { key: 'ackP99Ms', what: 'p99, ms' },
    ];
    const perCpu = (one: string): number => ratioOf(measured, 'cpuUs', BARE, one).median;
    return {
      tables: [compare('Acknowledgements, 32 in flight', measured, metrics, BARE)],
      figures: { 'ack unknown': perCpu(UNKNOWN), 'ack help': perCpu(HELP) },
      notes: [
        'Bolt answers with an empty body, keeps nothing and refuses no replay. The bot looks up who asks and what they may do, refuses a request that it has seen before, and answers with words.',
      ],
    };
  } finally {
    await stopBots(running);
  }
}

export const ack: Benchmark = {
  name: 'ack',
  what: 'What the acknowledgement of a command costs beside that of bare Bolt.',
  rounds: 3,
  run,
};
