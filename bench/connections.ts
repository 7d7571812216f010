import type { Benchmark, Outcome, RunOptions } from './harness/benchmark.ts';
import { type Running, startBots, stopBots } from './harness/bots.ts';
import { interleave } from './harness/rounds.ts';
import { send, type Sent } from './harness/send.ts';
import { compare, medianOf, type Metrics } from './harness/table.ts';
import { wait } from './harness/wait.ts';

const BOT = 'the bot';
const PEER = 'Bolt + Pool + zod + default WebClient';
const CALLS = 4;
const EVERY_MS = 6_000;
const COMMANDS = 1_000;

const list = (count: number): Sent => ({
  command: '/instances',
  text: 'list',
  count,
  inFlight: Math.min(count, 32),
  untilPosted: true,
});

/** Counts connections over commands with long pauses, then calls over many commands. */
async function measure(one: Running): Promise<Metrics> {
  // What it opened before has been closed by then, where it is closed at all.
  await wait(EVERY_MS);
  const before = await one.load.count();
  for (let nth = 0; nth < CALLS; nth++) {
    await send(one, list(1));
    await wait(EVERY_MS);
  }
  const after = await one.load.count();
  await send(one, list(COMMANDS));
  const last = await one.load.count();
  return {
    slack: after.connections.slack - before.connections.slack,
    hosting: after.connections.hosting - before.connections.hosting,
    auth: (last.calls['auth.test'] ?? 0) - (after.calls['auth.test'] ?? 0),
  };
}

async function run({ rounds, quiet }: RunOptions): Promise<Outcome> {
  const running = await startBots([
    [BOT, {}],
    [PEER, { peer: 'bolt-default' }],
  ]);
  try {
    const variants = running.map((one) => ({ name: one.name, measure: () => measure(one) }));
    const measured = await interleave(variants, rounds, quiet);
    const metrics = [
      { key: 'slack', what: 'new connections to Slack' },
      { key: 'hosting', what: 'new connections to the host' },
      { key: 'auth', what: `calls of auth.test in ${COMMANDS} commands` },
    ];
    return {
      tables: [compare(`${CALLS} commands, ${EVERY_MS / 1_000} s apart`, measured, metrics)],
      goals: [
        {
          goal: 'G23 connections',
          value: Math.max(medianOf(measured, BOT, 'slack'), medianOf(measured, BOT, 'hosting')),
        },
        { goal: 'G23 auth.test', value: medianOf(measured, BOT, 'auth') },
      ],
      notes: ['Counted without TLS: each new connection would be a TLS handshake more.'],
    };
  } finally {
    await stopBots(running);
  }
}

export const connections: Benchmark = {
  name: 'connections',
  what: 'How many connections commands with pauses between them open.',
  goals: ['G23 connections', 'G23 auth.test'],
  peers: [PEER],
  rounds: 1,
  isQuick: true,
  run,
};
