import { Redis } from 'ioredis';
import { expect, it } from 'vitest';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { startSettableRedis } from '../support/settable-redis.ts';
import { play, powerCalls, privateMessage, privateTexts, readAll } from '../support/sandbox.ts';

/** The clock of Redis before it is set, and after; seconds ahead of the host's. */
const SETTINGS: readonly (readonly [what: string, before: number, after: number])[] = [
  ['ten minutes back', 0, -600],
  ['a day forward', 0, 86_400],
];

/** Who connects looks at the clock, so that nobody waits until the bot does by itself. */
async function reconnect(sandbox: Sandbox): Promise<void> {
  const redis = new Redis(sandbox.redisUrl);
  await redis.call('CLIENT', 'KILL', 'TYPE', 'normal');
  redis.disconnect();
}

async function untilRead(sandbox: Sandbox, words: string): Promise<void> {
  await sandbox.slack.until(() => readAll(sandbox).some((text) => text.includes(words)));
}

it.each(SETTINGS)(
  "where Redis' clock is set %s, what is under way comes to its end and the next command is taken",
  async (_what, before, after) => {
    const redis = await startSettableRedis(before);
    const sandbox = await play({ ownRedis: true, redisUrl: redis.url, hosting: { powerMs: 800 } });
    const ana = sandbox.slack.person('ana');
    await ana.types('#ops', '/instances restart web-1');
    await sandbox.slack.until(() => powerCalls(sandbox) === 1);
    redis.setAhead(after);
    // Before the bot has looked at the clock again …
    await ana.types('#ops', '/instances stop worker-1');
    await untilRead(sandbox, 'Stopping worker-1');
    await reconnect(sandbox);
    await expect.poll(() => sandbox.logs.join('')).toContain('the clock of Redis was set');
    await untilRead(sandbox, 'Stopped worker-1');
    await untilRead(sandbox, 'Restarted web-1');
    // … and after.
    await ana.types('#ops', '/instances start worker-1');
    await untilRead(sandbox, 'Started worker-1');
    expect(privateTexts(sandbox, 'ana')).toEqual([]);
    expect(powerCalls(sandbox)).toBe(3);
  },
);

it("where Redis' clock is ten minutes ahead, nothing of what is typed or pressed now came too late", async () => {
  const redis = await startSettableRedis(600);
  const sandbox = await play({ ownRedis: true, redisUrl: redis.url });
  const ana = sandbox.slack.person('ana');
  await ana.mentions('#ops', 'restart web-1');
  await untilRead(sandbox, 'Restarted web-1');
  await ana.types('#ops', '/instances show worker-1');
  await ana.presses(await privateMessage(sandbox, 'ana', 'worker-1'), 'Stop');
  await untilRead(sandbox, 'Stopped worker-1');
});
