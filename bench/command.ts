import { type Benchmark, outcomeOf, ratioOf } from './harness/benchmark.ts';
import { measureSent } from './harness/send.ts';

const DEFAULT = 'Bolt + Pool + zod + default WebClient';
const BOT = 'the bot';
const LIST = { command: '/instances', text: 'list', count: 1_000, inFlight: 32, untilPosted: true };

/**
 * The peer reads the list again for each command; the bot lets all who ask within a second share one reading, and draws it
 * for each. It also looks up who asks and what they may do, and keeps an audit.
 */
export const command: Benchmark = {
  name: 'command',
  what: 'What /instances costs from the request to the posted answer.',
  rounds: 3,
  run: async ({ rounds }) => {
    const senders = [
      { name: DEFAULT, program: { peer: 'bolt-default' }, sent: LIST },
      { name: BOT, program: 'the bot', sent: LIST },
    ] as const;
    const measured = await measureSent(senders, rounds);
    return outcomeOf(measured, { list: ratioOf(measured, 'cpuUs', BOT, DEFAULT) });
  },
};
