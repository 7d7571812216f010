import type { Benchmark, Outcome, RunOptions } from './harness/benchmark.ts';
import { startPeer, UNLIMITED } from './harness/bots.ts';
import { startLoad } from './harness/load.ts';
import type { BenchProcess } from './harness/process.ts';
import { envOf, startProduct } from './harness/product.ts';
import { commandsSince, startBenchRedis } from './harness/redis.ts';
import { interleave } from './harness/rounds.ts';
import { compare, type Metrics } from './harness/table.ts';
import { wait } from './harness/wait.ts';

const PROCESSES = 4;
const BOT = `the bot, ${PROCESSES} processes`;
const PEER = `BullMQ, ${PROCESSES} idle workers`;
/** What a start leaves to be done is over by then. */
const CALM_MS = 8_000;
const MEASURED_S = 15;

async function run({ rounds, quiet }: RunOptions): Promise<Outcome> {
  const load = await startLoad();
  const open: {
    name: string;
    redis: Awaited<ReturnType<typeof startBenchRedis>>;
    processes: BenchProcess[];
  }[] = [];
  try {
    for (const name of [BOT, PEER]) {
      const redis = await startBenchRedis();
      const one = { name, redis, processes: [] as BenchProcess[] };
      open.push(one);
      const env = envOf({ ...load, redisUrl: redis.url });
      for (let nth = 0; nth < PROCESSES; nth++) {
        const started =
          name === BOT ? startProduct(env, UNLIMITED) : startPeer(name, 'bullmq', env, ['0', '2000', '50']);
        one.processes.push(await started);
      }
    }
    await wait(CALM_MS);
    const variants = open.map(({ name, redis, processes }) => ({
      name,
      measure: async (): Promise<Metrics> => {
        const commands = await redis.commands();
        const cpuMs = (): number => processes.reduce((sum, one) => sum + one.cpuMs(), 0);
        const [botMs, redisMs] = [cpuMs(), redis.cpuMs()];
        await wait(MEASURED_S * 1_000);
        return {
          botMs: (cpuMs() - botMs) / MEASURED_S / PROCESSES,
          redisMs: (redis.cpuMs() - redisMs) / MEASURED_S,
          commands: commandsSince(commands, await redis.commands()).all / MEASURED_S,
          rssMib: processes.reduce((sum, one) => sum + one.rssMib(), 0) / PROCESSES,
        };
      },
    }));
    const measured = await interleave(variants, rounds, quiet);
    const metrics = [
      { key: 'botMs', what: 'CPU of a process, ms a second' },
      { key: 'redisMs', what: 'CPU of Redis, ms a second' },
      { key: 'commands', what: 'Redis commands a second, those in scripts included' },
      { key: 'rssMib', what: 'memory of a process, MiB' },
    ];
    return { tables: [compare('Nothing to do', measured, metrics, BOT)], goals: [], notes: [] };
  } finally {
    for (const { redis, processes } of open) {
      await Promise.all(processes.map((one) => one.stop()));
      await redis.stop();
    }
    load.stop();
  }
}

export const idle: Benchmark = {
  name: 'idle',
  what: 'What four processes cost with nothing to do.',
  goals: [],
  peers: [PEER],
  rounds: 2,
  isQuick: true,
  run,
};
