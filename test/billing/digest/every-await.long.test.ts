import { describe, expect, it } from 'vitest';
import { openSandbox, type Sandbox } from '../../../sandbox/sandbox.ts';
import { letDigestBeDue } from '../../../sandbox/phrases/due-digest.ts';
import { createFailpoints, type Injection, INJECTIONS } from '../../support/failpoints.ts';
import { startRedisProxy } from '../../support/redis-proxy.ts';
import { QUICK } from '../../support/inject.ts';
import { isFact, readAll } from '../../support/sandbox.ts';
import { allOr } from '../../support/runs.ts';

/** The awaits of a digest's road, from its second page to the message that stands. */
const POINTS = [
  'hosting.listTransactions 2',
  'digest.change 1',
  'outbox.saying 1',
  'digest.change 2',
  'posts.change 1',
  'messenger.post 1',
  'posts.change 2',
];
/** And of one that can't be made: the third of its tries, giving it up, and the message that says so. */
const FAILING_POINTS = ['digest.change 4', 'digest.change 6', 'messenger.post 1'];

/** What everybody reads in #ops. */
function read({ slack }: Sandbox): string[] {
  return slack
    .channel('#ops')
    .messages.filter(({ metadata }) => metadata)
    .map((message) => slack.read(message))
    .filter((text) => !isFact(text));
}

/** Sets a digest, stops the bot, and lets some Mondays be: the one that is due now. */
async function isDue(sandbox: Sandbox): Promise<void> {
  await sandbox.startBot();
  // On a busy machine the first may be refused, since Redis or Slack took too long.
  for (let isSet = false; !isSet;) {
    const interaction = await sandbox.slack.person('fin').types('#ops', '/billing digest weekly mon 09:00');
    await sandbox.slack.until(() => interaction.ephemeral.length > 0);
    isSet = interaction.ephemeral.some((message) =>
      sandbox.slack.read(message).includes('every Monday at 09:00'),
    );
  }
  // Said by the bot that is not interrupted.
  await sandbox.slack.until(() => readAll(sandbox).some(isFact));
  await sandbox.stopBots();
  await letDigestBeDue(sandbox);
}

/** One digest's whole road, the bot interrupted at one of its awaits, and another bot that takes over. */
async function inject(point: string, way: Injection, isBroken: boolean): Promise<readonly string[]> {
  const sandbox = await openSandbox({
    bot: false,
    timings: { ...QUICK, billingCheckEveryMs: Number.POSITIVE_INFINITY },
    env: { BILLING_CHANNELS: 'C0OPS000001', LAMPLIGHTER_EVERYONE: 'finance' },
    hosting: { rateLimit: 100_000 },
    adapter: { limit: { requests: 100_000, seconds: 60 } },
  });
  if (isBroken) sandbox.hosting.breakBalance('harbour', { answer: 200, done: true, body: '{}' });
  const proxy = await startRedisProxy(sandbox.redisUrl);
  const failpoints = createFailpoints({ point, inject: way });
  try {
    await isDue(sandbox);
    await sandbox.startBot({ REDIS_URL: proxy.url }, failpoints.faultPoints);
    await failpoints.injected;
    if (way === 'crash') proxy.cut();
    if (way === 'pause') proxy.freeze();
    if (way !== 'answer lost') await sandbox.startBot();
    await sandbox.slack.until(() => read(sandbox).length > 0, { timeoutMs: 60_000 });
    if (way === 'pause') {
      proxy.thaw();
      failpoints.resume();
    }
    // The next one is made once nothing of this one is left.
    sandbox.hosting.mendBalance('harbour');
    sandbox.hosting.topUp('harbour', 1);
    await sandbox.stopBots();
    await letDigestBeDue(sandbox);
    await sandbox.startBot();
    await sandbox.slack.until(() => read(sandbox).some((text) => text.includes('6,301 credits')), {
      timeoutMs: 60_000,
    });
    await sandbox.stopBots();
    return read(sandbox);
  } finally {
    proxy.cut();
    await sandbox.close();
    await proxy.stop();
  }
}

describe.each(INJECTIONS)('a digest of a bot interrupted by "%s"', (way) => {
  it.concurrent.each(allOr(POINTS, 'messenger.post 1'))(
    'at %s comes once, with the same sums',
    async (point) => {
      const [first, next, ...more] = await inject(point, way, false);
      const used = /In the last seven days [\d,]+ credits were used/.exec(first ?? '')?.[0];
      expect(used).toBeDefined();
      expect(next).toContain(used);
      expect(more).toEqual([]);
    },
  );

  it.concurrent.each(allOr(FAILING_POINTS, 'digest.change 6'))(
    'at %s says once that it could not be made',
    async (point) => {
      const [first, next, ...more] = await inject(point, way, true);
      expect(first).toMatch(/couldn't be made: the balance couldn't be read, 5 times in a row\./);
      expect(next).toContain('credits were used');
      expect(more).toEqual([]);
    },
  );
});
