import { describe, expect, it } from 'vitest';
import { openSandbox } from '../../sandbox/sandbox.ts';
import { createFailpoints, type Injection, INJECTIONS } from '../support/failpoints.ts';
import { QUICK } from '../support/inject.ts';
import { startRedisProxy } from '../support/redis-proxy.ts';
import { isFact } from '../support/sandbox.ts';
import { allOr } from '../support/runs.ts';
import { OPS } from '../billing/watching.ts';

/** The awaits of the road of a budget's alert, from the look to the card that stands and the word to the person named. */
const POINTS = [
  'hosting.getSpending 1',
  'calendar.today 1',
  'alarm.change 1',
  'queue.wake 1',
  'messenger.post 1',
  'alarm.change 3',
  'messenger.post 2',
];

/** One alert's whole road, the bot interrupted at one of its awaits, and another bot that takes over. */
async function inject(point: string, way: Injection): Promise<{ cards: string[]; escalations: number }> {
  const sandbox = await openSandbox({
    service: 'vultr',
    cloud: { machines: [{ name: 'web-1' }], money: { owedCents: 0, pendingCents: 100_000, history: [] } },
    bot: false,
    timings: { ...QUICK, billingCheckEveryMs: 100, alertFreshMs: 0, escalateAfterMs: 0 },
    env: {
      BILLING_BUDGET: '200 USD',
      BILLING_CHANNELS: OPS,
      BILLING_ESCALATE_TO: 'U0FIN000001',
      LAMPLIGHTER_EVERYONE: 'finance',
    },
    adapter: { limit: { requests: 100_000, seconds: 60 } },
  });
  const proxy = await startRedisProxy(sandbox.redisUrl);
  const failpoints = createFailpoints({ point, inject: way });
  // Never the first day of a month, on which nothing is judged.
  const today = async (): Promise<number> => Date.parse('2026-11-20');
  const { faultPoints } = failpoints;
  const cards = (): string[] =>
    sandbox.slack
      .channel('#ops')
      .messages.filter(({ metadata }) => metadata)
      .map((message) => sandbox.slack.read(message))
      .filter((text) => !isFact(text));
  const escalations = (): number => sandbox.slack.person('fin').dms.filter((one) => !one.deleted).length;
  const long = { timeoutMs: 60_000 };
  try {
    await sandbox.startBot({ REDIS_URL: proxy.url }, (part, target) =>
      faultPoints(part, part === 'calendar' ? { ...target, today } : target),
    );
    await failpoints.injected;
    if (way === 'crash') proxy.cut();
    if (way === 'pause') proxy.freeze();
    if (way !== 'answer lost')
      await sandbox.startBot({}, (part, target) => (part === 'calendar' ? { ...target, today } : target));
    await sandbox.slack.until(() => cards().length > 0 && escalations() > 0, long);
    if (way === 'pause') {
      proxy.thaw();
      failpoints.resume();
    }
    // Another budget ends it, so that whatever was still to be reported is reported by then.
    await sandbox.slack.person('fin').types('#ops', '/billing alerts off');
    await sandbox.slack.until(() => cards().some((text) => text.includes('turned off')), long);
    await sandbox.stopBots();
    return { cards: cards(), escalations: escalations() };
  } finally {
    proxy.cut();
    await sandbox.close();
    await proxy.stop();
  }
}

describe.each(INJECTIONS)('the alert of a budget by a bot interrupted by "%s"', (way) => {
  it.concurrent.each(allOr(POINTS, 'messenger.post 1'))(
    'at %s is one card and one escalation',
    async (point) => {
      const { cards, escalations } = await inject(point, way);
      expect(cards).toEqual([expect.stringContaining('Alerts were turned off')]);
      expect(escalations).toBe(1);
    },
  );
});
