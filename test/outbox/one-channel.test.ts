import { describe, expect, it } from 'vitest';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { SlackFault } from '../../sandbox/slack/index.ts';
import { instance, worldOf } from '../../sandbox/world.ts';
import { TIMINGS } from '../../src/core/timings.ts';
import { isChaos } from '../support/runs.ts';
import { play, readAll } from '../support/sandbox.ts';

/** Slack's own second is waited for: nothing shorter is a Retry-After. So only `test:chaos` asks for as many as a bad day. */
const MANY = isChaos ? 60 : 4;
const SECOND_MS = 1_000;

/** A Slack that takes one post a second in each channel, and answers 429 to more. */
function limited(): {
  weather: (call: { method: string; args: Record<string, unknown> }) => SlackFault | undefined;
  refused: () => number;
} {
  const last = new Map<unknown, number>();
  let refused = 0;
  return {
    refused: () => refused,
    weather: ({ method, args }) => {
      if (method !== 'chat.postMessage') return undefined;
      const { channel } = args;
      const now = performance.now();
      if (now - (last.get(channel) ?? -Infinity) < SECOND_MS) {
        refused += 1;
        return { retryAfterSeconds: 1 };
      }
      last.set(channel, now);
      return undefined;
    },
  };
}

const words = (sandbox: Sandbox, channel: string, name: string): string[] =>
  readAll(sandbox, channel).filter((text) => text.includes(name));

describe('many restarts at once in one channel of a Slack that takes one post a second', () => {
  it('are all done and told with few refusals, and another channel is told as quickly as ever', async () => {
    const { weather, refused } = limited();
    const world = worldOf(
      Array.from({ length: MANY + 1 }, (_, index) => instance(1_000 + index, `m-${index}`)),
    );
    const sandbox = await play({
      slack: { weather },
      hosting: { world },
      // Cards wait for their turn for longer than a person would, and each is told alone meanwhile.
      timings: {
        patienceMs: 200_000,
        slowAfterMs: 200_000,
        acceptWithinMs: 200_000,
        postEveryMs: TIMINGS.postEveryMs,
        editEveryMs: TIMINGS.editEveryMs,
      },
    });
    const ana = sandbox.slack.person('ana');
    await Promise.all(
      Array.from({ length: MANY }, (_, index) => ana.types('#ops', `/instances restart m-${index}`)),
    );
    await sandbox.slack.person('bob').types('#billing', `/instances restart m-${MANY}`);
    await sandbox.slack.until(() => words(sandbox, '#billing', `m-${MANY} `).length === 2, {
      timeoutMs: 30_000,
    });
    // The crowd is far from through.
    expect(readAll(sandbox).length).toBeLessThan(2 * MANY);
    await sandbox.settled(200_000);
    expect(readAll(sandbox)).toHaveLength(2 * MANY);
    expect(refused()).toBeLessThanOrEqual(isChaos ? MANY / 2 : MANY);
  }, 240_000);
});
