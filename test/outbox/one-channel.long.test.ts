import { describe, expect, it } from 'vitest';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { type PaceLimits, SLACK_PACE } from '../../sandbox/slack/api/pace-limit.ts';
import { instance, worldOf } from '../../sandbox/world.ts';
import { TIMINGS } from '../../src/core/timings.ts';
import { allOr, isChaos } from '../support/runs.ts';
import { play, readAll } from '../support/sandbox.ts';

/** Slack's own seconds are waited for: nothing shorter is a Retry-After. So only `test:chaos` asks for as many as a bad day. */
const MANY = isChaos ? 60 : 8;

/** A Slack that takes nothing at once. */
const STRICT: PaceLimits = {
  postsOfChannel: { burst: 1, everyMs: 1_000 },
  edits: { burst: 1, everyMs: 1_200 },
};

const { ownCards, postEveryMs, editEveryMs, sameEditEveryMs, boardEveryMs } = TIMINGS;
const { apiTimeoutMs, slackTimeoutMs, patienceMs } = TIMINGS;

const refused = (sandbox: Sandbox): number =>
  sandbox.slack.calls.filter(({ error }) => error === 'ratelimited').length;
const isTold = (sandbox: Sandbox, channel: string, name: string, who: string): boolean =>
  readAll(sandbox, channel)
    .flatMap((text) => text.split('\n'))
    .some((line) => line.includes(who) && line.includes(`Restarted ${name} `) && !line.includes('✅'));

describe('many restarts at once in one channel under the limits of Slack', () => {
  it.each(allOr([SLACK_PACE, STRICT], SLACK_PACE))(
    'reach each asker in few calls, and another channel as quickly as ever: %j',
    async (paceLimits) => {
      const world = worldOf(
        Array.from({ length: MANY + 1 }, (_, index) => instance(1_000 + index, `m-${index}`)),
      );
      const sandbox = await play({
        slack: { paceLimits },
        hosting: { world },
        // As the bot is shipped, where these limits are met; a call that a busy machine answers late is no fault.
        timings: {
          ownCards,
          postEveryMs,
          editEveryMs,
          sameEditEveryMs,
          boardEveryMs,
          apiTimeoutMs,
          slackTimeoutMs,
          patienceMs,
        },
      });
      const people = ['ana', 'bob'];
      const askerOf = (index: number): string => people[index % 2] ?? 'ana';
      await Promise.all(
        Array.from({ length: MANY }, (_, index) =>
          sandbox.slack.person(askerOf(index)).types('#ops', `/instances restart m-${index}`),
        ),
      );
      await sandbox.slack.person('bob').types('#billing', `/instances restart m-${MANY}`);
      await sandbox.slack.until(() => isTold(sandbox, '#billing', `m-${MANY}`, '@bob'), {
        timeoutMs: 60_000,
      });
      await sandbox.settled(120_000);
      for (let index = 0; index < MANY; index++)
        expect(isTold(sandbox, '#ops', `m-${index}`, `@${askerOf(index)}`), `m-${index}`).toBe(true);
      const messages = sandbox.slack.calls.filter(({ method }) => method.startsWith('chat.'));
      expect(messages.length).toBeLessThanOrEqual(3 * (MANY + 1));
      expect(refused(sandbox)).toBeLessThanOrEqual(MANY / 2);
    },
    240_000,
  );
});
