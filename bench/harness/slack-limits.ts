import type { SlackDoubleOptions } from '../../sandbox/slack/index.ts';

type Weather = NonNullable<SlackDoubleOptions['weather']>;

/** One post a second in a channel and 50 edits a minute in a workspace, with short bursts: https://docs.slack.dev/apis/web-api/rate-limits */
const POST = { everyMs: 1_000, burst: 3 };
const EDIT = { everyMs: 1_200, burst: 5 };

/** Slack's own limits, for the double: what comes too early is answered with 429 and Retry-After in seconds. */
export function createSlackLimits(now: () => number = Date.now): Weather {
  const nextAt = new Map<string, number>();
  const take = (lane: string, { everyMs, burst }: typeof POST): ReturnType<Weather> => {
    const at = now();
    const next = Math.max(nextAt.get(lane) ?? 0, at - (burst - 1) * everyMs);
    if (next > at) return { retryAfterSeconds: Math.ceil((next - at) / 1000) };
    nextAt.set(lane, next + everyMs);
    return undefined;
  };
  return ({ method, args }) => {
    if (method === 'chat.postMessage') return take(`post ${String(args['channel'])}`, POST);
    if (method === 'chat.update') return take('edit', EDIT);
    return undefined;
  };
}
