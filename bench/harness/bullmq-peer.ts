import { startPeer } from './bots.ts';
import { commandsSince, startBenchRedis } from './redis.ts';
import type { Metrics } from './table.ts';
import { wait } from './wait.ts';

export const PEER = 'BullMQ';

const WATCHED_AT_ONCE = 50;
const CLAIMED_AT_ONCE = 200;
const HOUR_MS = 3_600_000;

/** BullMQ with so many delayed jobs. `measure` gets what asks it. */
async function withBullmq(
  count: number,
  everyMs: number,
  concurrency: number,
  measure: (peer: {
    add: (delayMs: number) => Promise<{ dueAt: number }>;
    look: () => Promise<{ cycles: number; lastAt: number }>;
    cpuMs: () => number;
    redis: Awaited<ReturnType<typeof startBenchRedis>>;
  }) => Promise<Metrics>,
): Promise<Metrics> {
  const redis = await startBenchRedis();
  const env = { REDIS_URL: redis.url };
  const peer = await startPeer(PEER, 'bullmq', env, [String(count), String(everyMs), String(concurrency)]);
  const url = `http://127.0.0.1:${peer.port}/`;
  try {
    return await measure({
      add: async (delayMs) => {
        const answer = await fetch(url, { method: 'POST', headers: { 'x-delay-ms': String(delayMs) } });
        return (await answer.json()) as { dueAt: number }; // of our own peer
      },
      look: async () => (await (await fetch(url)).json()) as { cycles: number; lastAt: number }, // of our own peer
      cpuMs: peer.cpuMs,
      redis,
    });
  } finally {
    await peer.stop();
    await redis.stop();
  }
}

/** What it costs that so many jobs delay themselves again every `everyMs`, measured for so many seconds. */
export const watchByBullmq = (count: number, everyMs: number, seconds: number): Promise<Metrics> =>
  withBullmq(count, everyMs, WATCHED_AT_ONCE, async ({ add, look, cpuMs, redis }) => {
    await add(1);
    await wait(everyMs);
    const [before, commands, botMs, redisMs] = [await look(), await redis.commands(), cpuMs(), redis.cpuMs()];
    await wait(seconds * 1_000);
    const looks = (await look()).cycles - before.cycles;
    const botUs = (1_000 * (cpuMs() - botMs)) / looks;
    const redisUs = (1_000 * (redis.cpuMs() - redisMs)) / looks;
    const all = commandsSince(commands, await redis.commands()).all;
    return { botUs, redisUs, cpuUs: botUs + redisUs, commands: all / looks };
  });

/** How long it takes until so many jobs that are due at once have run, at most `limitMs`. */
export const claimByBullmq = (count: number, limitMs: number): Promise<Metrics> =>
  withBullmq(count, HOUR_MS, CLAIMED_AT_ONCE, async ({ add, look, redis }) => {
    const before = await redis.usedBytes();
    const { dueAt } = await add(10_000);
    const kibEach = ((await redis.usedBytes()) - before) / count / 1_024;
    for (;;) {
      const { cycles, lastAt } = await look();
      if (cycles >= count || Date.now() > dueAt + limitMs) return { claimMs: lastAt - dueAt, kibEach };
      await wait(50);
    }
  });
