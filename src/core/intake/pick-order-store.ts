import { HOUR_MS } from '../../platform/time/duration.ts';
import type { RedisConnection } from '../../platform/redis/connection.ts';
import { loadScript } from '../../platform/redis/script.ts';
import { intakeKeys } from './keys.ts';

/** The order of picks in open modals: Slack may deliver a later one first, and to another process. */
export interface PickOrder {
  /** Notes a pick. False where a later one is known. `pickedAt`: Slack's time of it, as it came. */
  note(viewId: string, pickedAt: string): Promise<boolean>;
  /** The hash that the modal was given when it was last drawn again, if it was. */
  findHash(viewId: string): Promise<string | undefined>;
  /** The modal was drawn again, and has this hash. */
  drawn(viewId: string, hash: string): Promise<void>;
}

/** Longer than anybody looks at a modal. */
const KEPT_MS = HOUR_MS;

const notePick = loadScript(new URL('./note-pick.lua', import.meta.url));

export function createPickOrder(redis: RedisConnection): PickOrder {
  return {
    note: async (viewId, pickedAt) =>
      (await notePick(redis, [intakeKeys.modal(viewId)], [pickedAt, KEPT_MS])) === 1,
    findHash: async (viewId) => (await redis.hget(intakeKeys.modal(viewId), 'hash')) ?? undefined,
    drawn: async (viewId, hash) => {
      const key = intakeKeys.modal(viewId);
      await redis.multi().hset(key, 'hash', hash).pexpire(key, KEPT_MS).exec();
    },
  };
}
