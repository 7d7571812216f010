import { Redis } from 'ioredis';
import { openSandbox, type Sandbox } from '../sandbox/sandbox.ts';
import { instance, worldOf } from '../sandbox/world.ts';
import { operationSchema } from '../src/core/operations/operation.ts';
import { operationKeys } from '../src/core/operations/keys.ts';
import { createFleet } from './fleet.ts';

/** How long what was under way stood still after a kill, in ms, one figure for each operation. */
export interface Recovery {
  readonly what: 'worker' | 'redis';
  readonly stoodMs: readonly number[];
}

const OPERATIONS = 8;
const POLL_EVERY_MS = 25;
const LIMIT_MS = 60_000;

/**
 * Kills in the middle of work, with the waits the bot is shipped with, and measures until each operation that was
 * under way moves on. Every worker is killed at once, so that nobody is left to take over but a new one.
 */
export async function measureRecovery(
  what: Recovery['what'],
  times: number,
  say: (line: string) => void,
): Promise<Recovery> {
  const stoodMs: number[] = [];
  for (let nth = 0; nth < times; nth++) {
    const mine = await measureOnce(what, nth);
    stoodMs.push(...mine);
    say(
      `  ${what} killed, ${mine.length} operations under way: on again after at most ${(Math.max(...mine) / 1000).toFixed(1)} s`,
    );
  }
  return { what, stoodMs };
}

async function measureOnce(what: Recovery['what'], nth: number): Promise<number[]> {
  const instances = Array.from({ length: OPERATIONS }, (_, index) => instance(index + 1, `m-${index + 1}`));
  const sandbox = await openSandbox({
    bot: false,
    hosting: { world: worldOf(instances), powerMs: 20_000, rateLimit: 1_000_000 },
  });
  const fleet = createFleet({
    env: sandbox.env,
    timings: {},
    clockOffsetMs: () => 0,
    onAddresses: (requestUrl) => sandbox.slack.connect({ requestUrl }),
  });
  try {
    await fleet.start();
    await Promise.all(
      instances.map(async ({ name }) =>
        sandbox.slack.person('ana').types('#ops', `/instances restart ${name}`),
      ),
    );
    await sandbox.slack.until(() => sandbox.hosting.countCalls('POST', /restart$/) === OPERATIONS, {
      timeoutMs: LIMIT_MS,
    });
    // Each time at another moment of the same work.
    await new Promise((done) => setTimeout(done, nth * 317));
    if (what === 'redis') await sandbox.redis?.kill();
    else void Promise.all([fleet.kill('worker', 0), fleet.kill('worker', 1)]);
    const killedAt = performance.now();
    if (what === 'redis') await sandbox.redis?.restart();
    return await untilEachMoves(sandbox, what === 'redis' ? performance.now() : killedAt);
  } finally {
    await fleet.stop();
    await sandbox.close();
  }
}

/** How long after `since` each operation's record changes for the first time. */
async function untilEachMoves(sandbox: Sandbox, since: number): Promise<number[]> {
  const redis = new Redis(sandbox.redisUrl);
  try {
    const names = await redis.keys(operationKeys.operation('*'));
    const versions = async (): Promise<(string | null)[]> =>
      Promise.all(names.map((name) => redis.hget(name, 'version')));
    const records = await Promise.all(names.map((name) => redis.hget(name, 'record')));
    const isOpen = records.map(
      (record) => record !== null && operationSchema.parse(JSON.parse(record)).closedAt === undefined,
    );
    const before = await versions();
    const moved = new Map<number, number>();
    while (performance.now() - since < LIMIT_MS) {
      const now = await versions();
      now.forEach((version, index) => {
        if (isOpen[index] && version !== before[index] && !moved.has(index))
          moved.set(index, performance.now() - since);
      });
      if (moved.size === isOpen.filter(Boolean).length) return [...moved.values()];
      await new Promise((done) => setTimeout(done, POLL_EVERY_MS));
    }
    return isOpen.flatMap((open, index) => (open ? [moved.get(index) ?? Number.POSITIVE_INFINITY] : []));
  } finally {
    redis.disconnect();
  }
}
