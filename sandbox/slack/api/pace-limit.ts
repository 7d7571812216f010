import type { ApiCall } from './calls.ts';
import type { SlackFault } from './faults.ts';

/** How often something may happen: `burst` times at once, and once every `everyMs` after that. */
interface Pace {
  readonly burst: number;
  readonly everyMs: number;
}

/** How often an app may post in one channel, and edit in the whole workspace. */
export interface PaceLimits {
  readonly postsOfChannel: Pace;
  readonly edits: Pace;
}

/** About one post a second in a channel with short bursts, 50 edits a minute: https://docs.slack.dev/apis/web-api/rate-limits */
export const SLACK_PACE: PaceLimits = {
  postsOfChannel: { burst: 3, everyMs: 1_000 },
  edits: { burst: 5, everyMs: 1_200 },
};

/** The 429 of a call that comes too soon. `clock` in ms. */
export function limitPace(
  limits: PaceLimits,
  clock: () => number,
): (call: Pick<ApiCall, 'method' | 'args'>) => SlackFault | undefined {
  /** When each limit would be back at its full burst. */
  const fullAt = new Map<string, number>();
  return ({ method, args }) => {
    const isPost = method === 'chat.postMessage';
    if (!isPost && method !== 'chat.update') return undefined;
    const { burst, everyMs } = isPost ? limits.postsOfChannel : limits.edits;
    const name = isPost ? `post ${String(args.channel)}` : 'edit';
    const next = Math.max(fullAt.get(name) ?? 0, clock()) + everyMs;
    const waitMs = next - clock() - burst * everyMs;
    if (waitMs > 0) return { retryAfterSeconds: Math.ceil(waitMs / 1_000) };
    fullAt.set(name, next);
    return undefined;
  };
}
