import type { Timings } from '../../core/timings.ts';

/** How many Homes may be published: https://docs.slack.dev/apis/web-api/rate-limits names 100 a minute for views.publish. */
export interface PublishPace {
  /** Whether one more may go out now. */
  take(): boolean;
  /** Slack took no more: nothing is left of the burst. */
  slowDown(): void;
}

/** So many at once after a quiet time, and then one a second: never more than 100 in any minute. */
const BURST = 40;
const EVERY_MS = 1_000;

/** `now`: in ms. */
export function createPublishPace(now: () => number): PublishPace {
  let [left, at] = [BURST, now()];
  const refill = (): void => {
    const time = now();
    left = Math.min(BURST, left + Math.max(0, time - at) / EVERY_MS);
    at = time;
  };
  return {
    take: () => {
      refill();
      if (left < 1) return false;
      left -= 1;
      return true;
    },
    slowDown: () => {
      refill();
      left = 0;
    },
  };
}

/** A Home that Slack did not take is left alone for so many looks, and twice as many each further time. */
const RETRY_LOOKS = 5;

/** How long a Home that Slack did not take for the first time is left alone; ms. Pure. */
export function homeRetryMs({ homeEveryMs }: Pick<Timings, 'homeEveryMs'>): number {
  return RETRY_LOOKS * homeEveryMs;
}
