import { describe, expect, it } from 'vitest';
import { openSandbox } from '../../sandbox/sandbox.ts';
import type { PostedMessage } from '../../sandbox/slack/index.ts';
import { createFailpoints, type Injection, INJECTIONS } from '../support/failpoints.ts';
import { startRedisProxy } from '../support/redis-proxy.ts';
import { QUICK } from '../support/inject.ts';
import { allOr } from '../support/runs.ts';

/** The awaits of an alert's road, from the look to the card that stands and the word to the people named. */
const POINTS = [
  'hosting.getBalance 1',
  'alarm.change 1',
  'queue.wake 1',
  'alarm.change 2',
  'messenger.post 1',
  'alarm.change 3',
  'messenger.directChannel 1',
  'messenger.post 2',
  'alarm.change 5',
];
const OPS = 'C0OPS000001';

interface Reported {
  /** What stands in #ops in the end. */
  readonly cards: readonly string[];
  /** How often the person named was notified. */
  readonly escalations: number;
}

/** One alert's whole road, the bot interrupted at one of its awaits, and another bot that takes over. */
async function inject(point: string, way: Injection): Promise<Reported> {
  const sandbox = await openSandbox({
    bot: false,
    timings: { ...QUICK, billingCheckEveryMs: 100, alertFreshMs: 0, escalateAfterMs: 0 },
    env: { BILLING_CHANNELS: OPS, BILLING_ESCALATE_TO: 'U0FIN000001', LAMPLIGHTER_EVERYONE: 'finance' },
    hosting: { rateLimit: 100_000 },
    adapter: { limit: { requests: 100_000, seconds: 60 } },
  });
  sandbox.hosting.setBalance('harbour', 1_000);
  const proxy = await startRedisProxy(sandbox.redisUrl);
  const failpoints = createFailpoints({ point, inject: way });
  const cards = (): string[] =>
    sandbox.slack
      .channel('#ops')
      .messages.filter(({ metadata }) => metadata)
      .map((message) => sandbox.slack.read(message));
  try {
    await sandbox.startBot({ REDIS_URL: proxy.url }, failpoints.faultPoints);
    await failpoints.injected;
    if (way === 'crash') proxy.cut();
    if (way === 'pause') proxy.freeze();
    if (way !== 'answer lost') await sandbox.startBot();
    const escalations = (): PostedMessage[] => sandbox.slack.person('fin').dms.filter((one) => !one.deleted);
    await sandbox.slack.until(() => cards().length > 0 && escalations().length > 0, { timeoutMs: 60_000 });
    if (way === 'pause') {
      proxy.thaw();
      failpoints.resume();
    }
    // From plenty and back, so that whatever was still to be reported is reported by then.
    sandbox.hosting.setBalance('harbour', 50_000);
    await sandbox.slack.until(() => cards().some((text) => text.includes('it rose by')), {
      timeoutMs: 60_000,
    });
    await sandbox.slack.until(() => cards().some((text) => text.includes('Over since')), {
      timeoutMs: 60_000,
    });
    await sandbox.stopBots();
    return { cards: cards(), escalations: escalations().length };
  } finally {
    proxy.cut();
    await sandbox.close();
    await proxy.stop();
  }
}

describe.each(INJECTIONS)('an alert of a bot interrupted by "%s"', (way) => {
  it.concurrent.each(allOr(POINTS, 'messenger.post 1'))(
    'at %s is one card and one escalation, and its end is reported once',
    async (point) => {
      const { cards: texts, escalations } = await inject(point, way);
      expect(texts.filter((text) => text.includes('Over since'))).toHaveLength(1);
      expect(texts.filter((text) => text.includes('it rose by'))).toHaveLength(1);
      expect(texts).toHaveLength(2);
      expect(escalations).toBe(1);
    },
  );
});
