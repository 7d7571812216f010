import { type Benchmark, outcomeOf, type Outcome, ratioOf, type RunOptions } from './harness/benchmark.ts';
import { startLoad } from './harness/load.ts';
import type { BenchProcess } from './harness/process.ts';
import { envOf, startCompiled, startShipped } from './harness/product.ts';
import { startBenchRedis } from './harness/redis.ts';
import { interleave, type Variant } from './harness/rounds.ts';

const SHIPPED = 'the bot, as npm start runs it';
const COMPILED = 'the bot, from its compiled files';

async function run({ rounds }: RunOptions): Promise<Outcome> {
  const [load, redis] = await Promise.all([startLoad(), startBenchRedis()]);
  try {
    const env = envOf({ ...load, redisUrl: redis.url });
    const variant = (name: string, start: () => Promise<BenchProcess>): Variant => ({
      name,
      measure: async () => {
        await redis.client.flushall();
        const { startMs, stop } = await start();
        await stop();
        return { startMs };
      },
    });
    const variants = [variant(SHIPPED, () => startShipped(env)), variant(COMPILED, () => startCompiled(env))];
    const measured = await interleave(variants, rounds);
    return outcomeOf(measured, { start: ratioOf(measured, 'startMs', SHIPPED, COMPILED) });
  } finally {
    load.stop();
    await redis.stop();
  }
}

export const start: Benchmark = {
  name: 'start',
  what: 'How long it takes until the bot can be sent work.',
  rounds: 5,
  run,
};
