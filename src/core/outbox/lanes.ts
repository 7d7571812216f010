import { z } from 'zod';
import type { RedisClock } from '../../platform/redis/clock.ts';
import type { RedisConnection } from '../../platform/redis/connection.ts';
import { loadScript } from '../../platform/redis/script.ts';
import type { Timings } from '../timings.ts';
import { key } from '../../platform/redis/key.ts';

/** What Slack limits together: posts in one channel, edits in the whole workspace. */
export type Lane =
  | { readonly method: 'post'; readonly channelId: string }
  /**
   * `isProgress`: it goes out only where nothing waits, and leaves the last edits of a burst to those that show an end.
   * `yieldsSince`: when it first found no room, Redis' clock, Unix ms.
   */
  | { readonly method: 'edit'; readonly isProgress: boolean; readonly yieldsSince?: number };

/** When a message may go out that has to wait. */
export interface Turn {
  /** Redis' clock, Unix ms. It asks again then. */
  readonly at: number;
  /** Its place, which it keeps by giving it, a moment of the lane's own time; progress has none. */
  readonly place?: number;
}

/**
 * Lanes that all processes share, so that messages go out at Slack's pace, one after another, and not all at once again and
 * again. Channels don't wait for each other's posts.
 */
export interface Lanes {
  /** When a message may go out. `place`: what it was given before. */
  take(lane: Lane, place: number | undefined): Promise<'now' | Turn>;
  /** Slack took no more: nothing goes out for so long (ms), and then with a larger gap between two until that has been calm for long. */
  pause(lane: Lane, pauseMs: number): Promise<void>;
}

/** So many go out at once after a quiet time: https://docs.slack.dev/apis/web-api/rate-limits allows short bursts. */
const BURST: Readonly<Record<Lane['method'], number>> = { post: 2, edit: 4 };
/** So many edits of a burst are left to ends. */
const LEFT_TO_ENDS = 2;
const MAX_GAP_MS = 5_000;
/**
 * Progress that finds no room asks again within so many gaps, or within as long as it has waited by then: a thousand cards that
 * ask each few seconds would keep the process busy.
 */
const MAX_YIELDING_GAPS = 4;
/** A lane in which nobody waited for so long starts over. */
const KEPT_MS = 60_000;

/** Whether it is an edit that shows no end. */
function isProgress(lane: Lane): boolean {
  return lane.method === 'edit' && lane.isProgress;
}

const LANE = new URL('./lane.lua', import.meta.url);
const turn = loadScript(LANE, new URL('./turn.lua', import.meta.url));
const pause = loadScript(LANE, new URL('./pause.lua', import.meta.url));

export const laneKey = (method: string, channelId: string): string => key('lane', method, channelId);

export function createLanes(
  redis: RedisConnection,
  clock: Pick<RedisClock, 'now'>,
  timings: Pick<Timings, 'postEveryMs' | 'editEveryMs'>,
): Lanes {
  const everyMs = { post: timings.postEveryMs, edit: timings.editEveryMs } as const;
  const keyOf = (lane: Lane): string =>
    laneKey(lane.method, lane.method === 'post' ? lane.channelId : 'workspace');
  const longestYieldMs = (lane: Lane, now: number): number => {
    const waitedMs = lane.method === 'edit' && lane.yieldsSince !== undefined ? now - lane.yieldsSince : 0;
    return Math.max(MAX_YIELDING_GAPS * everyMs[lane.method], waitedMs);
  };
  return {
    take: async (lane, place) => {
      const { method } = lane;
      const yields = isProgress(lane) && place === undefined;
      const left = isProgress(lane) ? LEFT_TO_ENDS : 0;
      const answer = await turn(
        redis,
        [keyOf(lane)],
        [
          clock.now(),
          place ?? '',
          everyMs[method],
          BURST[method] - 1 - left,
          KEPT_MS,
          yields ? 'yields' : '',
        ],
      );
      const [at, given] = z.tuple([z.number(), z.string()]).parse(answer);
      if (at === 0) return 'now';
      // Else all progress that waits would ask at the same moment.
      if (given === '') return { at: at + Math.random() * longestYieldMs(lane, at) };
      return { at, place: Number(given) };
    },
    pause: async (lane, pauseMs) => {
      await pause(redis, [keyOf(lane)], [clock.now(), pauseMs, everyMs[lane.method], MAX_GAP_MS, KEPT_MS]);
    },
  };
}
