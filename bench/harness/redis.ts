import { Redis } from 'ioredis';
import { type PrivateRedis, startRedis } from '../../sandbox/redis.ts';
import { cpuMsOf } from './cpu.ts';
import { pin } from './machine.ts';

/** How often each command ran, by its name in lower case: those inside of scripts count as well. */
export type Commands = ReadonlyMap<string, number>;

/** A private Redis of a benchmark, on the bot's core, which tells what it has done. */
export interface BenchRedis {
  readonly url: string;
  /** The CPU time that it has used, in ms. */
  cpuMs(): number;
  commands(): Promise<Commands>;
  readonly client: Redis;
  stop(): Promise<void>;
}

/** Looks at a Redis that runs already, and moves it to the bot's core. */
export function watchRedis({
  url,
  pid,
}: Pick<PrivateRedis, 'url' | 'pid'>): Omit<BenchRedis, 'stop'> & { close(): void } {
  if (pid === undefined) throw new Error('Redis does not run');
  pin('bot', pid);
  const client = new Redis(url, { maxRetriesPerRequest: null });
  client.on('error', () => undefined);
  return {
    url,
    client,
    cpuMs: () => cpuMsOf(pid),
    commands: async () => parseCommands(await client.info('commandstats')),
    close: () => client.disconnect(),
  };
}

/** Starts a Redis as a sandbox has it: on a socket, with an append-only file that is synced at each write. */
export async function startBenchRedis(): Promise<BenchRedis> {
  const redis = await startRedis();
  const watched = watchRedis(redis);
  return {
    ...watched,
    stop: async () => {
      watched.close();
      await redis.stop();
    },
  };
}

/** What our own looking adds is not the bot's. */
const LOOKING = new Set(['info', 'flushall']);

/** Pure: the commands of `INFO commandstats`. */
function parseCommands(info: string): Commands {
  const lines = [...info.matchAll(/^cmdstat_([^:]+):calls=(\d+)/gm)];
  return new Map(
    lines
      .map(([, name = '', calls]) => [name.toLowerCase(), Number(calls)] as const)
      .filter(([name]) => !LOOKING.has(name)),
  );
}

/** Pure: how many commands ran in between. */
export function commandsSince(before: Commands, after: Commands): number {
  return [...after].reduce((sum, [name, calls]) => sum + Math.max(0, calls - (before.get(name) ?? 0)), 0);
}
