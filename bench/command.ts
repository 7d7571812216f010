import type { Benchmark, Outcome, RunOptions } from './harness/benchmark.ts';
import { startBots, stopBots } from './harness/bots.ts';
import { interleave } from './harness/rounds.ts';
import { send, type Sent } from './harness/send.ts';
import { compare, ratioOf } from './harness/table.ts';

const DEFAULT = 'Bolt + Pool + zod + default WebClient';
const BOT = 'the bot';
const LIST: Sent = { command: '/instances', text: 'list', count: 1_000, inFlight: 32, untilPosted: true };

async function run({ rounds, quiet }: RunOptions): Promise<Outcome> {
  const running = await startBots([
    [DEFAULT, { peer: 'bolt-default' }],
    [BOT, 'the bot'],
  ]);
  try {
    for (const one of running) await send(one, LIST);
    const variants = running.map((one) => ({ name: one.name, measure: () => send(one, LIST) }));
    const measured = await interleave(variants, rounds, quiet);
    const metrics = [
      { key: 'cpuUs', what: 'CPU, µs' },
      { key: 'redisUs', what: 'CPU of Redis, µs' },
      { key: 'perSecond', what: 'a second' },
      { key: 'ackP50Ms', what: 'acknowledged, p50, ms' },
      { key: 'ackP99Ms', what: 'acknowledged, p99, ms' },
      { key: 'postedP50Ms', what: 'posted, p50, ms' },
      { key: 'postedP99Ms', what: 'posted, p99, ms' },
    ];
    return {
      tables: [
        compare('/instances, 20 instances, until the answer is posted, 32 in flight', measured, metrics, BOT),
      ],
      figures: { list: ratioOf(measured, 'cpuUs', BOT, DEFAULT).median },
      notes: [
        'The peer reads the list again for each command; the bot lets all who ask within a second share one reading, and draws it for each. It also looks up who asks and what they may do, and keeps an audit.',
      ],
    };
  } finally {
    await stopBots(running);
  }
}

export const command: Benchmark = {
  name: 'command',
  what: 'What /instances costs from the request to the posted answer.',
  rounds: 3,
  run,
};
