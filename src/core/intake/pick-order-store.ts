import { HOUR_MS } from '../../platform/time/duration.ts';
import type { RedisConnection } from '../../platform/redis/connection.ts';
import { commit } from '../records/commit.ts';
import { holds } from '../records/conditions.ts';
import { field, keep } from '../records/writes.ts';
import { intakeKeys } from './keys.ts';

/** The order of picks in open modals: Slack may deliver a later one first, and to another process. */
export interface PickOrder {
  /** Takes a pick for the latest. False where a later one is known. `pickedAt`: Slack's time of it, as it came. */
  takeLatest(viewId: string, pickedAt: string): Promise<boolean>;
  /** The hash that the modal was given when it was last drawn again, if it was. */
  findHash(viewId: string): Promise<string | undefined>;
  /** The modal was drawn again, and has this hash. */
  drawn(viewId: string, hash: string): Promise<void>;
}

/** Longer than anybody looks at a modal. */
const KEPT_MS = HOUR_MS;

export function createPickOrder(redis: RedisConnection): PickOrder {
  return {
    takeLatest: async (viewId, pickedAt) => {
      const modal = intakeKeys.modal(viewId);
      for (;;) {
        const latest = (await redis.hget(modal, 'pickedAt')) ?? '';
        if (Number(latest) > Number(pickedAt)) return false;
        const { result } = await commit<'moved'>(redis, {
          if: [holds(modal, 'pickedAt', latest, 'moved')],
          write: [field(modal, 'pickedAt', pickedAt), keep(modal, KEPT_MS)],
        });
        if (result === 'written') return true;
      }
    },
    findHash: async (viewId) => (await redis.hget(intakeKeys.modal(viewId), 'hash')) ?? undefined,
    drawn: async (viewId, hash) => {
      const key = intakeKeys.modal(viewId);
      await redis.multi().hset(key, 'hash', hash).pexpire(key, KEPT_MS).exec();
    },
  };
}
