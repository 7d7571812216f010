import type { Redis } from 'ioredis';
import { startRedisGroup } from '../sandbox/redis-group.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { connectBlocking } from '../src/platform/redis/connection.ts';
import { operationKeys } from '../src/core/operations/keys.ts';
import { type Benchmark, medianOf, type Outcome, outcomeOf, type RunOptions } from './harness/benchmark.ts';
import { checkNoAnswer } from './harness/checks.ts';
import { restartOther } from './harness/other-restart.ts';
import type { BenchProcess } from './harness/process.ts';
import { startUnlimited } from './harness/product.ts';
import { OTHER_FIRST_ID, OTHERS, openWorld } from './harness/restart-world.ts';
import { interleave, type Metrics } from './harness/rounds.ts';

const FAR = 'the bot, far from its Redis';
/** A round trip between the bot and Redis, and one to the replica that is waited for. */
const ROUND_TRIP_MS = 50;
const REPLICA_MS = 5;
const SIZE = { restarts: 0, channels: 0 };

/** A bot far from its Redis, and what is restarted by it. */
interface Far {
  readonly sandbox: Sandbox;
  readonly bot: BenchProcess;
  readonly redis: Redis;
  /** The number of the next restart. */
  nextNth: number;
}

async function openFar(): Promise<Far> {
  const startRedis = (): ReturnType<typeof startRedisGroup> =>
    startRedisGroup({ priorities: [100], delayMs: REPLICA_MS, clientDelayMs: ROUND_TRIP_MS / 2 });
  const sandbox = await openWorld(SIZE, { startRedis, env: { REDIS_REPLICAS: '1' } });
  const bot = await startUnlimited(sandbox.env);
  sandbox.slack.connect({ requestUrl: `http://127.0.0.1:${bot.port}/slack/events` });
  const redis = connectBlocking({ url: sandbox.redisUrl }, () => undefined);
  return { sandbox, bot, redis, nextNth: 0 };
}

async function closeFar({ sandbox, bot, redis }: Far): Promise<void> {
  await bot.stop();
  redis.disconnect();
  await sandbox.close();
}

/** One restart, seen to its end. */
async function measure(far: Far): Promise<Metrics> {
  const { sandbox, redis } = far;
  const nth = far.nextNth++ % OTHERS;
  // The bot asks before it restarts again what was restarted a moment ago.
  await redis.del(operationKeys.past(String(OTHER_FIRST_ID + nth)));
  const { ackMs, postMs, read } = await restartOther(sandbox, nth);
  checkNoAnswer(FAR, read);
  await sandbox.settled();
  return { ackMs, postMs };
}

async function run({ rounds }: RunOptions): Promise<Outcome> {
  const far = await openFar();
  try {
    // The first of a process is slower than all others, and looks people up.
    await measure(far);
    const measured = await interleave([{ name: FAR, measure: () => measure(far) }], rounds);
    return outcomeOf(measured, {
      'ack far': medianOf(measured, FAR, 'ackMs') / 1_000,
      'card far': medianOf(measured, FAR, 'postMs') / 1_000,
    });
  } finally {
    await closeFar(far);
  }
}

export const far: Benchmark = {
  name: 'far',
  what: 'How long people wait for a restart where Redis is 50 ms away and a replica must have each write.',
  rounds: 5,
  run,
};
