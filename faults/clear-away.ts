import { connectBlocking } from '../src/platform/redis/connection.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { operationKeys } from '../src/core/operations/keys.ts';
import { lockOf } from '../src/core/operations/operation.ts';
import type { Ground } from './ground.ts';
import type { Round, Schedule } from './schedule.ts';
import { wait } from './wait.ts';

/** An instance leaves the list this long after it was asked about, if nothing is under way with it. */
const KEEP_INSTANCE_MS = 15_000;

/** Takes instances that nobody asks about any more out of the list, so that a long run stays as quick as a short one. */
export function clearAway(
  sandbox: Pick<Sandbox, 'redisUrl'>,
  ground: Pick<Ground, 'remove'>,
  schedule: Schedule,
): { stop: () => void } {
  const start = performance.now();
  const redis = connectBlocking({ url: sandbox.redisUrl }, () => undefined);
  redis.on('error', () => undefined);
  const stopping = new AbortController();
  // Each for itself: one that takes long must not keep hundreds of others in the list.
  const clear = async ({ atMs, instanceId, kind }: Round): Promise<void> => {
    await wait(start + atMs + KEEP_INSTANCE_MS - performance.now());
    const id = String(instanceId);
    const locks = [lockOf(id), lockOf(id, kind.addon ?? 'backup')].map(operationKeys.lock);
    while (!stopping.signal.aborted && (await redis.exists(...locks)) > 0) await wait(1_000);
    if (!stopping.signal.aborted) ground.remove(instanceId);
  };
  Promise.all(schedule.rounds.map(clear)).catch(() => undefined);
  return {
    stop: () => {
      stopping.abort();
      redis.disconnect();
    },
  };
}
