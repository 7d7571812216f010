import type { ChildProcess } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { z } from 'zod';
import { freePort, launch } from './redis-process.ts';

/** What the Sentinels call the primary. */
export const NAME = 'lamplighter';
const DOWN_AFTER_MS = 1_500;
const LOOK_EVERY_MS = 50;

/** Three of them. `primaryAt`: the port of the primary. */
export async function startSentinels(
  server: string,
  root: string,
  primaryAt: number,
): Promise<{ readonly port: number; readonly child: ChildProcess }[]> {
  return Promise.all(
    [0, 1, 2].map(async (nth) => {
      const port = await freePort();
      const folder = join(root, `sentinel-${nth}`);
      mkdirSync(folder);
      const file = join(folder, 'sentinel.conf');
      writeFileSync(
        file,
        [
          `port ${port}`,
          'bind 127.0.0.1',
          `dir ${folder}`,
          `sentinel monitor ${NAME} 127.0.0.1 ${primaryAt} 2`,
          `sentinel down-after-milliseconds ${NAME} ${DOWN_AFTER_MS}`,
          `sentinel failover-timeout ${NAME} 2000`,
          `sentinel parallel-syncs ${NAME} 2`,
          '',
        ].join('\n'),
      );
      return { port, child: await launch(server, [file, '--sentinel']) };
    }),
  );
}

/** Asks one Redis or Sentinel, and lets go of it. Undefined where it gives no answer. */
export async function ask<T>(port: number, question: (redis: Redis) => Promise<T>): Promise<T | undefined> {
  const redis = new Redis({
    port,
    host: '127.0.0.1',
    retryStrategy: () => null,
    // A process on a busy machine answers late; one that stands still is given up after that.
    commandTimeout: 2_000,
    enableReadyCheck: false,
  });
  redis.on('error', () => undefined);
  try {
    return await question(redis);
  } catch {
    return undefined;
  } finally {
    redis.disconnect();
  }
}

/** The port of the primary that most Sentinels name. */
export async function primaryPort(sentinels: readonly number[]): Promise<number> {
  const named = await Promise.all(
    sentinels.map((port) =>
      ask(port, async (redis) => {
        const answer: unknown = await redis.call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', NAME);
        return Array.isArray(answer) ? Number(answer[1]) : undefined;
      }),
    ),
  );
  const counts = new Map<number, number>();
  for (const port of named) if (port !== undefined) counts.set(port, (counts.get(port) ?? 0) + 1);
  const [[most] = []] = [...counts].toSorted(([, one], [, other]) => other - one);
  if (most === undefined) throw new Error('no Sentinel answers');
  return most;
}

/** How many replicas are in step with the Redis at a port. */
export async function countInStep(port: number): Promise<number> {
  const info = (await ask(port, (redis) => redis.info('replication'))) ?? '';
  return [...info.matchAll(/^slave\d+:.*state=online/gm)].length;
}

/** Resolves once each Sentinel knows all replicas, and has asked each for its priority: until then it takes it for 100. */
export async function known(sentinels: readonly number[], priorities: readonly number[]): Promise<void> {
  const expected = priorities.toSorted((one, other) => one - other).join();
  for (;;) {
    const all = await Promise.all(sentinels.map((port) => ask(port, prioritiesAt)));
    if (all.every((one) => one === expected)) return;
    await wait(LOOK_EVERY_MS);
  }
}

async function prioritiesAt(sentinel: Redis): Promise<string> {
  const replicas = z.array(z.array(z.string())).parse(await sentinel.call('SENTINEL', 'REPLICAS', NAME));
  return replicas
    .map((said) => Number(said[said.indexOf('slave-priority') + 1]))
    .toSorted((one, other) => one - other)
    .join();
}
