import type { Benchmark, Outcome, RunOptions } from './harness/benchmark.ts';
import { startLoad } from './harness/load.ts';
import type { BenchProcess } from './harness/process.ts';
import { envOf, startCompiled, startShipped } from './harness/product.ts';
import { startBenchRedis } from './harness/redis.ts';
import { interleave } from './harness/rounds.ts';
import { compare, ratioOf, type Metrics } from './harness/table.ts';

const SHIPPED = 'the bot, as npm start runs it';
const COMPILED = 'the bot, from its compiled files';

async function run({ rounds, quiet }: RunOptions): Promise<Outcome> {
  const [load, redis] = await Promise.all([startLoad(), startBenchRedis()]);
  try {
    const env = envOf({ ...load, redisUrl: redis.url });
    const variant = (name: string, start: () => Promise<BenchProcess>) => ({
      name,
      measure: async (): Promise<Metrics> => {
        await redis.flush();
        const started = await start();
        const figures = { readyMs: started.startMs, cpuMs: started.cpuMs(), rssMib: started.rssMib() };
        await started.stop();
        return figures;
      },
    });
    const variants = [variant(SHIPPED, () => startShipped(env)), variant(COMPILED, () => startCompiled(env))];
    const measured = await interleave(variants, rounds, quiet);
    const metrics = [
      { key: 'cpuMs', what: 'CPU, ms' },
      { key: 'readyMs', what: 'ready after, ms' },
      { key: 'rssMib', what: 'memory, MiB' },
    ];
    return {
      tables: [compare('From the start of the process until it is ready', measured, metrics, SHIPPED)],
      figures: { start: ratioOf(measured, 'readyMs', SHIPPED, COMPILED).median },
      notes: ['The bot is ready once it has checked Redis, the token and its scopes, and its workers run.'],
    };
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
