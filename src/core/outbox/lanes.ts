import type { RedisConnection } from '../../platform/redis/connection.ts';
import { loadScript } from '../../platform/redis/script.ts';
import { outboxKeys } from './keys.ts';

/** What is limited together: one method of Slack in one channel. */
export interface Lane {
  readonly method: 'post' | 'edit';
  readonly channelId: string;
}

/**
 * Lanes that all processes share, so that many messages for one channel go out one after another and not all at once
 * again and again. Channels don't wait for each other.
 */
export interface Lanes {
  /**
   * When a message may go out: now, or Redis' clock, Unix ms. `turnAt`: what it was given before; it keeps its place.
   */
  take(lane: Lane, turnAt: number | undefined): Promise<number | 'now'>;
  /** Slack took no more: nothing goes out for so long (ms), and then with a gap between two. */
  pause(lane: Lane, pauseMs: number): Promise<void>;
}

/** While nothing was refused: a few at a time, so that a first refusal comes before the others have left. */
const GAP_MS = 100;
/** Slack takes about one message a second in a channel. */
const GAP_AFTER_REFUSAL_MS = 1_100;
const MAX_GAP_MS = 5_000;
/** A channel in which nothing was said for so long starts over. */
const KEPT_MS = 60_000;

const turn = loadScript(new URL('./turn.lua', import.meta.url));
const pause = loadScript(new URL('./pause.lua', import.meta.url));

export function createLanes(redis: RedisConnection): Lanes {
  const keyOf = ({ method, channelId }: Lane): string => outboxKeys.lane(method, channelId);
  return {
    take: async (lane, turnAt) => {
      const answer = await turn(redis, [keyOf(lane)], [turnAt ?? '', GAP_MS, KEPT_MS]);
      if (typeof answer !== 'number') throw new Error('taking a turn: unexpected answer of the script');
      return answer === 0 ? 'now' : answer;
    },
    pause: async (lane, pauseMs) => {
      await pause(redis, [keyOf(lane)], [pauseMs, GAP_AFTER_REFUSAL_MS, MAX_GAP_MS, KEPT_MS]);
    },
  };
}
