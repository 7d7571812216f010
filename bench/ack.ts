import type { Benchmark, Outcome, RunOptions } from './harness/benchmark.ts';
import { hasPeers, type Program, type Running, startBots, stopBots, UNLIMITED } from './harness/bots.ts';
import { interleave } from './harness/rounds.ts';
import { send, type Sent } from './harness/send.ts';
import { rank, ratioOf } from './harness/table.ts';

const RAW = 'raw node:http, HMAC and parse';
const BARE = 'bare Bolt, one command';
const HANDLERS = 60;
const MANY = `Bolt, ${HANDLERS} commands registered one by one`;
const UNKNOWN = 'the bot, an unknown word';
const MORE = 'the bot with 50 more verbs, an unknown word';
const HELP = 'the bot, help';
const WRITTEN = 'the bot, a restart, written down first';
const NOT_WRITTEN = 'the bot, a restart, not written down';

const COUNT = 3_000;
const IN_FLIGHT = 32;

const typed = (command: string, text: string): Sent => ({
  command,
  text,
  count: COUNT,
  inFlight: IN_FLIGHT,
  untilPosted: false,
});
const TO_PEER = typed('/instances', 'help');
const NONSENSE = typed('/lamplighter', 'wibble');

interface Entry {
  readonly name: string;
  readonly program: Program;
  readonly sent: Sent;
}

const ENTRIES: readonly Entry[] = [
  { name: RAW, program: { peer: 'raw' }, sent: TO_PEER },
  { name: BARE, program: { peer: 'bolt', args: ['1'] }, sent: TO_PEER },
  { name: MANY, program: { peer: 'bolt', args: [String(HANDLERS)] }, sent: TO_PEER },
  ...(hasPeers
    ? [
        { name: 'hubot', program: { peer: 'hubot' }, sent: TO_PEER },
        { name: 'chat SDK', program: { peer: 'chat-sdk' }, sent: TO_PEER },
      ]
    : []),
  { name: UNKNOWN, program: {}, sent: NONSENSE },
  { name: MORE, program: { altered: { ...UNLIMITED, verbs: 50 } }, sent: NONSENSE },
  { name: HELP, program: {}, sent: TO_PEER },
  // What is written down is done by workers, so that it is not measured with the acknowledgement.
  {
    name: WRITTEN,
    program: { env: { LAMPLIGHTER_ROLE: 'web' } },
    sent: typed('/instances', 'restart web-3'),
  },
  {
    name: NOT_WRITTEN,
    program: { env: { LAMPLIGHTER_ROLE: 'web' }, altered: { ...UNLIMITED, writesNothingDown: true } },
    sent: typed('/instances', 'restart web-3'),
  },
];

async function run({ rounds, quiet, say }: RunOptions): Promise<Outcome> {
  const running = await startBots(ENTRIES.map(({ name, program }) => [name, program]));
  try {
    const sentBy = (one: Running): Sent => ENTRIES.find(({ name }) => name === one.name)?.sent ?? TO_PEER;
    for (const one of running) {
      say(`${one.name}: warming up`);
      await send(one, sentBy(one));
    }
    say('measuring');
    const variants = running.map((one) => ({ name: one.name, measure: () => send(one, sentBy(one)) }));
    const measured = await interleave(variants, rounds, quiet);
    const metrics = [
      { key: 'cpuUs', what: 'CPU, µs' },
      { key: 'redisUs', what: 'CPU of Redis, µs' },
      { key: 'perSecond', what: 'a second' },
      { key: 'ackP50Ms', what: 'p50, ms' },
      { key: 'ackP99Ms', what: 'p99, ms' },
    ];
    const bases = [
      { key: 'cpuUs', base: RAW, what: 'CPU / raw' },
      { key: 'cpuUs', base: BARE, what: 'CPU / bare Bolt' },
      { key: 'perSecond', base: BARE, what: 'a second / bare Bolt' },
    ];
    const cpu = (over: string, under: string): number => ratioOf(measured, 'cpuUs', over, under).median;
    return {
      tables: [rank(`Acknowledgements, ${IN_FLIGHT} in flight`, measured, metrics, bases)],
      goals: [
        { goal: 'G1 unknown word', value: cpu(BARE, UNKNOWN) },
        { goal: 'G1 help', value: cpu(BARE, HELP) },
        { goal: 'G1 written down', value: cpu(BARE, WRITTEN) },
        { goal: 'G2', value: cpu(MANY, UNKNOWN) },
        { goal: 'G3', value: cpu(UNKNOWN, RAW) },
        { goal: 'G4', value: cpu(MORE, UNKNOWN) },
      ],
      notes: [
        'Peers answer with an empty body, keep nothing and refuse no replay. The bot looks up who asks and what they may do, refuses a request that it has seen before, and answers with words; a restart is in Redis, on disk, before it is acknowledged. The last row is the same bot with that left out, to show what it costs.',
        ...(hasPeers ? [] : ['hubot and the chat SDK are not installed: npm ci --prefix bench']),
      ],
    };
  } finally {
    await stopBots(running);
  }
}

export const ack: Benchmark = {
  name: 'ack',
  what: 'How many commands a second are acknowledged by the whole app, and what one costs.',
  goals: ['G1 unknown word', 'G1 help', 'G1 written down', 'G2', 'G3', 'G4'],
  peers: ENTRIES.filter(({ program }) => 'peer' in program).map(({ name }) => name),
  rounds: 3,
  isQuick: true,
  run,
};
