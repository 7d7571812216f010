import { type Benchmark, outcomeOf, ratioOf } from './harness/benchmark.ts';
import { measureSent, type Sender } from './harness/send.ts';

const BARE = 'bare Bolt, one command';
const UNKNOWN = 'the bot, an unknown word';
const HELP = 'the bot, help';

const typed = (command: string, text: string): Sender['sent'] => ({
  command,
  text,
  count: 3_000,
  inFlight: 32,
  untilPosted: false,
});

/**
 * Bolt answers with an empty body, keeps nothing and refuses no replay. The bot looks up who asks and what they may do, refuses
 * a request that it has seen before, and answers with words.
 */
const SENDERS: readonly Sender[] = [
  { name: BARE, program: { peer: 'bolt' }, sent: typed('/instances', 'help') },
  { name: UNKNOWN, program: 'the bot', sent: typed('/lamplighter', 'wibble') },
  { name: HELP, program: 'the bot', sent: typed('/instances', 'help') },
];

export const ack: Benchmark = {
  name: 'ack',
  what: 'What the acknowledgement of a command costs beside that of bare Bolt.',
  rounds: 3,
  run: async ({ rounds }) => {
    const measured = await measureSent(SENDERS, rounds);
    const perCpu = (one: string): number => ratioOf(measured, 'cpuUs', BARE, one);
    return outcomeOf(measured, { 'ack unknown': perCpu(UNKNOWN), 'ack help': perCpu(HELP) });
  },
};
