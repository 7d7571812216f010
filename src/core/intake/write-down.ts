import { setTimeout as wait } from 'node:timers/promises';
import { type Ask, REQUEST_KEPT_MS, requestKeys } from '../ask/ask.ts';
import { newId } from '../../platform/id.ts';
import { refusedWriteIn } from '../../platform/redis/away.ts';
import type { RedisClock } from '../../platform/redis/clock.ts';
import { redisFaultOf, type RedisConnection } from '../../platform/redis/connection.ts';
import { loadScript } from '../../platform/redis/script.ts';
import { toStored } from '../../platform/redis/stored.ts';
import { requireReplicas } from '../../platform/redis/survive.ts';
import type { Timings } from '../timings.ts';
import { key } from '../../platform/redis/key.ts';

export const intakeKeys = {
  /** One signed delivery or event that has been seen; holds a token of who took it. */
  delivery: (deliveryId: string): string => key('delivery', deliveryId),
  /** What a request is answered with, until that has been delivered. */
  reply: (requestId: string): string => key('reply', requestId),
} as const;

/** How long a delivery is known to have come. */
export const DELIVERY_REMEMBERED_MS = 24 * 3_600_000;

/** A request was certainly not written down. */
export class NotWritten extends Error {
  constructor(why: string, options?: ErrorOptions) {
    super(`writing a request down: ${why}`, options);
    this.name = 'NotWritten';
  }
}

/** A Redis that restarts is away for a moment, and nobody needs to hear of it: tried again for part of the time. */
const SHARE_FOR_TRYING_AGAIN = 0.7;
const TRY_AGAIN_AFTER_MS = 40;

const accept = loadScript(new URL('./accept.lua', import.meta.url));

/** What Redis refuses is certainly not written. */
function orNotWritten(error: unknown): never {
  throw refusedWriteIn(error) ? new NotWritten('Redis refuses it', { cause: error }) : error;
}

/**
 * Writes a request down, again and again for part of the time that there is. Throws NotWritten where it certainly was not, and
 * anything else where nobody can tell.
 */
export async function writeAgain(
  ask: Ask,
  clock: RedisClock,
  timings: Timings,
  write: ReturnType<typeof createWrite>,
): Promise<'accepted' | 'duplicate'> {
  const tryAgainUntil = ask.askedAt + timings.writeDownWithinMs * SHARE_FOR_TRYING_AGAIN;
  const token = newId();
  let lost: unknown;
  for (;;) {
    try {
      return await write(ask, token);
    } catch (error) {
      if (!(error instanceof NotWritten)) lost = error;
      if (clock.now() >= tryAgainUntil) throw lost ?? error;
      await wait(TRY_AGAIN_AFTER_MS);
    }
  }
}

/** How a request is written down: how much later than others the sweep wakes its job (ms), and whether it must outlive this Redis. */
interface HowWritten {
  readonly sweptLaterMs: number;
  readonly survives: boolean;
}

/** Writes one request down, once. Throws NotReplicated where it must survive and that is not certain. */
export function createWrite(
  redis: RedisConnection,
  clock: RedisClock,
  timings: Timings,
): (ask: Ask, token: string, how?: HowWritten) => Promise<'accepted' | 'duplicate'> {
  return async (ask, token, { sweptLaterMs, survives } = { sweptLaterMs: 0, survives: true }) => {
    if (!clock.isSet() || redis.status !== 'ready')
      throw new NotWritten('Redis does not answer', { cause: redisFaultOf(redis) });
    if (survives) await requireReplicas(redis).catch(orNotWritten);
    const latest = ask.askedAt + timings.writeDownWithinMs;
    const run = (): Promise<unknown> =>
      accept(
        redis,
        keysOf(ask),
        [
          ask.id,
          toStored(ask),
          clock.atRedis(latest),
          DELIVERY_REMEMBERED_MS,
          REQUEST_KEPT_MS,
          clock.now() + sweptLaterMs,
          token,
        ],
        survives,
      ).catch(orNotWritten);
    let answer = await run();
    if (answer === 'late' && clock.now() < latest) {
      // Redis' clock has been set since it was last read.
      await clock.look().catch(() => undefined);
      answer = await run();
    }
    if (answer === 'accepted' || answer === 'duplicate') return answer;
    throw new NotWritten(String(answer));
  };
}

/** What stands of a request as long as nothing has come of it. */
function keysOf({ id }: Ask): string[] {
  return [requestKeys.request(id), requestKeys.open, intakeKeys.delivery(id)];
}
