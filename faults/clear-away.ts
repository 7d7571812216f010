import { connectBlocking } from '../src/platform/redis/connection.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { operationKeys } from '../src/core/operations/keys.ts';
import { lockOf } from '../src/core/operations/operation.ts';
import type { Ground } from './ground.ts';
import type { Round } from './schedule.ts';
import { wait } from './wait.ts';

/** An instance leaves the list this long after it was asked about, if nothing is under way with it. */
const KEEP_INSTANCE_MS = 30_000;
/** A primary that stood still answers with what it had, until it hears for some seconds that another has taken over. */
const SURE_AFTER_MS = 6_000;

/**
 * Takes instances that nobody asks about any more out of the list, so that a long run stays as quick as a short one: each once its
 * round was played, which is later than planned where Redis was away.
 */
export function clearAway(
  sandbox: Pick<Sandbox, 'redisUrl'>,
  ground: Pick<Ground, 'remove'>,
): { after(round: Round): void; stop(): void } {
  const redis = connectBlocking({ url: sandbox.redisUrl }, () => undefined);
  redis.on('error', () => undefined);
  const stopping = new AbortController();
  // Each for itself: one that takes long must not keep hundreds of others in the list.
  const clear = async ({ instanceId, kind }: Round): Promise<void> => {
    await wait(KEEP_INSTANCE_MS);
    const id = String(instanceId);
    const locks = [lockOf(id), lockOf(id, kind.addon ?? 'backup')].map(operationKeys.lock);
    let isFree = false;
    while (!stopping.signal.aborted) {
      const wasFree = isFree;
      isFree = (await redis.exists(...locks)) === 0;
      if (isFree && wasFree) break;
      await wait(SURE_AFTER_MS);
    }
    if (!stopping.signal.aborted) ground.remove(instanceId);
  };
  return {
    after: (round) => void clear(round).catch(() => undefined),
    stop: () => {
      stopping.abort();
      redis.disconnect();
    },
  };
}
