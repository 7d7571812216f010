import type { RedisConnection } from '../../platform/redis/connection.ts';
import { loadScript } from '../../platform/redis/script.ts';
import type { Timings } from '../timings.ts';
import { outboxKeys } from './keys.ts';

/** What Slack limits together: posts in one channel, edits in the whole workspace. */
export type Lane =
  | { readonly method: 'post'; readonly channelId: string }
  /** `isProgress`: it leaves the last edits of a burst to those that show an end. */
  | { readonly method: 'edit'; readonly isProgress: boolean };

/**
 * Lanes that all processes share, so that messages go out at Slack's pace, one after another, and not all at once again and
 * again. Channels don't wait for each other's posts.
 */
export interface Lanes {
  /**
   * When a message may go out: now, or Redis' clock, Unix ms. `turnAt`: what it was given before; it keeps its place.
   */
  take(lane: Lane, turnAt: number | undefined): Promise<number | 'now'>;
  /** Slack took no more: nothing goes out for so long (ms), and then with a larger gap between two. */
  pause(lane: Lane, pauseMs: number): Promise<void>;
}

/** So many go out at once after a quiet time: https://docs.slack.dev/apis/web-api/rate-limits allows short bursts. */
const BURST: Readonly<Record<Lane['method'], number>> = { post: 2, edit: 4 };
/** So many edits of a burst are left to ends. */
const LEFT_TO_ENDS = 2;
const MAX_GAP_MS = 5_000;
/** A lane in which nothing was said for so long starts over. */
const KEPT_MS = 60_000;

const turn = loadScript(new URL('./turn.lua', import.meta.url));
const pause = loadScript(new URL('./pause.lua', import.meta.url));

export function createLanes(
  redis: RedisConnection,
  timings: Pick<Timings, 'postEveryMs' | 'editEveryMs'>,
): Lanes {
  const everyMs = { post: timings.postEveryMs, edit: timings.editEveryMs } as const;
  const keyOf = (lane: Lane): string =>
    outboxKeys.lane(lane.method, lane.method === 'post' ? lane.channelId : 'workspace');
  return {
    take: async (lane, turnAt) => {
      const { method } = lane;
      const left = lane.method === 'edit' && lane.isProgress ? LEFT_TO_ENDS : 0;
      const answer = await turn(
        redis,
        [keyOf(lane)],
        [turnAt ?? '', everyMs[method], BURST[method] - 1 - left, KEPT_MS],
      );
      if (typeof answer !== 'number') throw new Error('taking a turn: unexpected answer of the script');
      return answer === 0 ? 'now' : answer;
    },
    pause: async (lane, pauseMs) => {
      await pause(redis, [keyOf(lane)], [pauseMs, everyMs[lane.method], MAX_GAP_MS, KEPT_MS]);
    },
  };
}
