import { fileURLToPath } from 'node:url';
import { checkSignatures } from './checks.ts';
import { type Load, startLoad } from './load.ts';
import { type BenchProcess, startProcess } from './process.ts';
import { envOf, startUnlimited } from './product.ts';
import { type BenchRedis, startBenchRedis } from './redis.ts';

const PEERS = fileURLToPath(new URL('../peers/', import.meta.url));

/** A program to measure: the bot, or a peer in bench/peers. */
export type Program = 'the bot' | { readonly peer: string };

/** A program that runs with a load and a Redis beside it. */
export interface Running {
  readonly name: string;
  readonly process: BenchProcess;
  readonly url: string;
  readonly redis: BenchRedis;
  readonly load: Load;
  /** The number of the next request. */
  nextNth: number;
}

/** Starts a peer by the name of its file. */
export function startPeer(
  name: string,
  peer: string,
  env: Readonly<Record<string, string>>,
): Promise<BenchProcess> {
  return startProcess({ name, words: [`${PEERS}${peer}.mjs`], env, core: 'bot' });
}

/** Starts a program with a load and a Redis of its own, and checks which requests it takes. */
export async function startBot(name: string, program: Program): Promise<Running> {
  const [load, redis] = await Promise.all([startLoad(), startBenchRedis()]);
  const env = envOf({ apiUrl: load.apiUrl, hostingUrl: load.hostingUrl, redisUrl: redis.url });
  const process = await (program === 'the bot' ? startUnlimited(env) : startPeer(name, program.peer, env));
  const url = `http://127.0.0.1:${process.port}/slack/events`;
  await checkSignatures(name, url, load.respondUrl);
  return { name, process, url, redis, load, nextNth: 1 };
}

/** Starts several, one after another; ends those that run where one fails. */
export async function startBots(
  programs: readonly (readonly [name: string, program: Program])[],
): Promise<Running[]> {
  const running: Running[] = [];
  try {
    for (const [name, program] of programs) running.push(await startBot(name, program));
    return running;
  } catch (error) {
    await stopBots(running);
    throw error;
  }
}

/** Ends all. */
export async function stopBots(running: readonly Running[]): Promise<void> {
  for (const { process, load, redis } of running) {
    await process.stop();
    load.stop();
    await redis.stop();
  }
}
