import { describe, expect, it } from 'vitest';
import { openSandbox, type Sandbox } from '../../../sandbox/sandbox.ts';
import { createFailpoints, type Injection, INJECTIONS } from '../../support/failpoints.ts';
import { QUICK } from '../../support/inject.ts';
import { startRedisProxy } from '../../support/redis-proxy.ts';
import { until } from '../../support/until.ts';
import { allOr } from '../../support/runs.ts';
import { lettersAt, mailbox, receiver } from './opened.ts';

/** The awaits of what is told outside, from the look to the answer of whoever gets it. */
const POINTS = [
  'outbox.saying 1',
  'alarm.change 1',
  'queue.wake 1',
  'posts.change 1',
  'posts.change 2',
  'posts.change 3',
];

/** One alert whose bot is interrupted at one of its awaits, and another bot that takes over, until `isTold`. */
async function interrupted(
  { point, way, env }: { point: string; way: Injection; env: Record<string, string> },
  isTold: (sandbox: Sandbox) => boolean,
): Promise<string> {
  const sandbox = await openSandbox({
    bot: false,
    timings: { ...QUICK, billingCheckEveryMs: 100, alertFreshMs: 0 },
    env: { BILLING_CHANNELS: 'C0OPS000001', LAMPLIGHTER_EVERYONE: 'finance', ...env },
    hosting: { rateLimit: 100_000 },
    adapter: { limit: { requests: 100_000, seconds: 60 } },
  });
  sandbox.hosting.setBalance('harbour', 1_000);
  const proxy = await startRedisProxy(sandbox.redisUrl);
  const failpoints = createFailpoints({ point, inject: way });
  try {
    await sandbox.startBot({ REDIS_URL: proxy.url }, failpoints.faultPoints);
    await failpoints.injected;
    if (way === 'crash') proxy.cut();
    if (way === 'pause') proxy.freeze();
    if (way !== 'answer lost') await sandbox.startBot();
    // An end of which nobody has read the beginning is not said in Slack. What is said of a lost mail quotes the alert.
    await until(() => isTold(sandbox) && /^Lamplighter.*\n {2}🔴/m.test(sandbox.slack.dump()));
    if (way === 'pause') {
      proxy.thaw();
      failpoints.resume();
    }
    // From plenty, so that whatever was still to be told is told by then.
    sandbox.hosting.setBalance('harbour', 50_000);
    await sandbox.slack.until(() => sandbox.slack.dump().includes('it rose by'), { timeoutMs: 60_000 });
    await sandbox.stopBots();
    return sandbox.slack.dump();
  } finally {
    proxy.cut();
    await sandbox.close();
    await proxy.stop();
  }
}

describe.each(INJECTIONS)('what is told outside by a bot interrupted by "%s"', (way) => {
  it.concurrent.for(allOr([...POINTS, 'webhook.deliver 1'], 'webhook.deliver 1'))(
    'at %s is there by one id',
    { timeout: 150_000 },
    async (point, { onTestFinished }) => {
      const { webhook, env } = await receiver(onTestFinished);
      const count = (): number => lettersAt(webhook).filter(({ kind }) => kind === 'alert-opened').length;
      await interrupted({ point, way, env }, () => count() > 0);
      expect(count()).toBe(1);
    },
  );

  it.concurrent.for(allOr([...POINTS, 'mail.deliver 1'], 'mail.deliver 1'))(
    'at %s is one mail, or is said to be unknown',
    { timeout: 150_000 },
    async (point, { onTestFinished }) => {
      const { smtp, env } = await mailbox(onTestFinished);
      const count = (): number => smtp.mails.filter((one) => one.includes('critical')).length;
      const unknown = "I can't say whether a mail arrived";
      const told = await interrupted(
        { point, way, env },
        ({ slack }) => count() > 0 || slack.dump().includes(unknown),
      );
      expect(count()).toBeLessThanOrEqual(1);
      expect(count() === 1 || told.includes(unknown)).toBe(true);
    },
  );
});
