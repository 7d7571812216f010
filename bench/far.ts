import type { Redis } from 'ioredis';
import { startRedisGroup } from '../sandbox/redis-group.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { connectBlocking } from '../src/platform/redis/connection.ts';
import { operationKeys } from '../src/core/operations/keys.ts';
import type { Benchmark, Outcome, RunOptions } from './harness/benchmark.ts';
import { checkNoAnswer } from './harness/checks.ts';
import { figure } from './harness/figure.ts';
import { restartOther } from './harness/other-restart.ts';
import type { BenchProcess } from './harness/process.ts';
import { startUnlimited } from './harness/product.ts';
import { OTHER_FIRST_ID, OTHERS, openWorld } from './harness/restart-world.ts';
import { interleave } from './harness/rounds.ts';
import { compare, medianOf, type Measured, type Metrics } from './harness/table.ts';

/** Round trips between the bot and Redis, ms. */
const ROUND_TRIPS_MS = [0, 5, 50] as const;
const variantOf = (roundTripMs: number): string => `${roundTripMs} ms to Redis`;
const [NEAR, , FAR] = ROUND_TRIPS_MS;
/** The same to the replica that is waited for, at each of them. */
const REPLICA_MS = 5;
const SIZE = { restarts: 0, channels: 0 };
const PINGS = 5;

/** A bot far from its Redis, and what is restarted by it. */
interface Far {
  readonly name: string;
  readonly sandbox: Sandbox;
  readonly bot: BenchProcess;
  readonly redis: Redis;
  /** The number of the next restart. */
  nextNth: number;
}

async function openFar(roundTripMs: number): Promise<Far> {
  const startRedis = (): ReturnType<typeof startRedisGroup> =>
    startRedisGroup({ priorities: [100], delayMs: REPLICA_MS, clientDelayMs: roundTripMs / 2 });
  const sandbox = await openWorld(SIZE, { startRedis, env: { REDIS_REPLICAS: '1' } });
  const bot = await startUnlimited(sandbox.env);
  sandbox.slack.connect({ requestUrl: `http://127.0.0.1:${bot.port}/slack/events` });
  const redis = connectBlocking({ url: sandbox.redisUrl }, () => undefined);
  return { name: variantOf(roundTripMs), sandbox, bot, redis, nextNth: 0 };
}

async function closeFar({ sandbox, bot, redis }: Far): Promise<void> {
  await bot.stop();
  redis.disconnect();
  await sandbox.close();
}

/** One restart, seen to its end. */
async function measure(far: Far): Promise<Metrics> {
  const { name, sandbox, redis } = far;
  const nth = far.nextNth++ % OTHERS;
  // The bot asks before it restarts again what was restarted a moment ago.
  await redis.del(operationKeys.past(String(OTHER_FIRST_ID + nth)));
  const roundTripMs = await roundTripOf(redis);
  const { ackMs, postMs, shownS, read } = await restartOther(sandbox, nth);
  checkNoAnswer(name, read);
  await sandbox.settled();
  return { roundTripMs, ackMs, postMs, shownS };
}

async function roundTripOf(redis: Redis): Promise<number> {
  const from = performance.now();
  for (let pings = 0; pings < PINGS; pings += 1) await redis.ping();
  return (performance.now() - from) / PINGS;
}

async function run({ rounds, quiet, say }: RunOptions): Promise<Outcome> {
  const all: Far[] = [];
  try {
    for (const roundTripMs of ROUND_TRIPS_MS) all.push(await openFar(roundTripMs));
    say('warming up');
    // The first of a process is slower than all others, and looks people up.
    for (const far of all) await measure(far);
    say('measuring');
    const variants = all.map((far) => ({ name: far.name, measure: () => measure(far) }));
    const measured = await interleave(variants, rounds, quiet);
    const metrics = [
      { key: 'roundTripMs', what: 'round trip as it was, ms' },
      { key: 'ackMs', what: 'typed to acknowledged, ms' },
      { key: 'postMs', what: 'typed to its card, ms' },
      { key: 'shownS', what: 'settled to shown, s' },
    ];
    return {
      tables: [compare('One restart alone, each write with a replica', measured, metrics, variantOf(FAR))],
      figures: {
        'ack far': medianOf(measured, variantOf(FAR), 'ackMs') / 1_000,
        'card far': medianOf(measured, variantOf(FAR), 'postMs') / 1_000,
      },
      notes: [
        `Round trips until it was acknowledged: ${tripsUntil(measured, 'ackMs')}; until its card: ${tripsUntil(measured, 'postMs')}.`,
      ],
    };
  } finally {
    for (const far of all) await closeFar(far);
  }
}

/** By how much longer it takes far away than nearby, in round trips. */
function tripsUntil(measured: Measured, key: string): string {
  const longer = (of: string): number =>
    medianOf(measured, variantOf(FAR), of) - medianOf(measured, variantOf(NEAR), of);
  return figure(longer(key) / longer('roundTripMs'));
}

export const far: Benchmark = {
  name: 'far',
  what: 'How long people wait for a restart where Redis is 5 or 50 ms away and a replica must have each write.',
  rounds: 5,
  run,
};
