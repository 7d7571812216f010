import { describe, expect, it } from 'vitest';
import { openSandbox, type Sandbox, type SandboxOptions } from '../../sandbox/sandbox.ts';
import type { FaultPoints } from '../../src/core/base.ts';
import { createFailpoints, type Injection, INJECTIONS } from '../support/failpoints.ts';
import { startRedisProxy } from '../support/redis-proxy.ts';
import { QUICK } from '../support/inject.ts';
import { isFact } from '../support/sandbox.ts';
import { allOr } from '../support/runs.ts';
import { OPS } from './watching.ts';

const LONG = { timeoutMs: 60_000 };

/** An alert's road, from the look to the card that stands and the word to the person named. */
interface Road {
  /** Its awaits. */
  readonly points: readonly string[];
  readonly opened: SandboxOptions;
  /** Makes it over, so that whatever was still to be reported is reported by then. */
  end(sandbox: Sandbox): Promise<unknown> | void;
  /** What the cards say in the end, each once. */
  readonly says: readonly string[];
}

const ROADS: Readonly<Record<string, Road>> = {
  'a low balance': {
    points: [
      'hosting.getBalance 1',
      'alarm.change 1',
      'queue.wake 1',
      'alarm.change 2',
      'messenger.post 1',
      'alarm.change 3',
      'messenger.directChannel 1',
      'messenger.post 2',
      'alarm.change 5',
    ],
    opened: { hosting: { rateLimit: 100_000 } },
    end: ({ hosting }) => hosting.setBalance('harbour', 50_000),
    says: ['Over since', 'it rose by'],
  },
  'a budget': {
    points: [
      'hosting.getSpending 1',
      'calendar.today 1',
      'alarm.change 1',
      'queue.wake 1',
      'messenger.post 1',
      'alarm.change 3',
      'messenger.post 2',
    ],
    opened: {
      service: 'vultr',
      cloud: { machines: [{ name: 'web-1' }], money: { owedCents: 0, pendingCents: 100_000, history: [] } },
      env: { BILLING_BUDGET: '200 USD' },
    },
    end: ({ slack }) => slack.person('fin').types('#ops', '/billing alerts off'),
    says: ['Alerts were turned off'],
  },
};

/** Never the first day of a month, on which no budget is judged. */
const today = async (): Promise<number> => Date.parse('2026-11-20');
const onThatDay: FaultPoints = (part, target) => (part === 'calendar' ? { ...target, today } : target);

/** The whole road, the bot interrupted at one of its awaits, and another bot that takes over. */
async function inject(
  { opened, end, says }: Road,
  point: string,
  way: Injection,
): Promise<{ cards: readonly string[]; escalations: number }> {
  const sandbox = await openSandbox({
    ...opened,
    bot: false,
    timings: { ...QUICK, billingCheckEveryMs: 100, alertFreshMs: 0, escalateAfterMs: 0 },
    env: {
      ...opened.env,
      BILLING_CHANNELS: OPS,
      BILLING_ESCALATE_TO: 'U0FIN000001',
      LAMPLIGHTER_EVERYONE: 'finance',
    },
    adapter: { limit: { requests: 100_000, seconds: 60 } },
  });
  if (!opened.service) sandbox.hosting.setBalance('harbour', 1_000);
  const proxy = await startRedisProxy(sandbox.redisUrl);
  const failpoints = createFailpoints({ point, inject: way });
  const cards = (): string[] =>
    sandbox.slack
      .channel('#ops')
      .messages.filter(({ metadata }) => metadata)
      .map((message) => sandbox.slack.read(message))
      .filter((text) => !isFact(text));
  const escalations = (): number => sandbox.slack.person('fin').dms.filter((one) => !one.deleted).length;
  try {
    await sandbox.startBot({ REDIS_URL: proxy.url }, (part, target) =>
      failpoints.faultPoints(part, onThatDay(part, target)),
    );
    await failpoints.injected;
    if (way === 'crash') proxy.cut();
    if (way === 'pause') proxy.freeze();
    if (way !== 'answer lost') await sandbox.startBot({}, onThatDay);
    await sandbox.slack.until(() => cards().length > 0 && escalations() > 0, LONG);
    if (way === 'pause') {
      proxy.thaw();
      failpoints.resume();
    }
    await end(sandbox);
    for (const words of says)
      await sandbox.slack.until(() => cards().some((text) => text.includes(words)), LONG);
    await sandbox.stopBots();
    return { cards: cards(), escalations: escalations() };
  } finally {
    proxy.cut();
    await sandbox.close();
    await proxy.stop();
  }
}

describe.each(Object.entries(ROADS))('the alert of %s', (_name, road) => {
  describe.each(INJECTIONS)('of a bot interrupted by "%s"', (way) => {
    it.concurrent.each(allOr(road.points, 'messenger.post 1'))(
      'at %s is one card and one escalation, and its end is reported once',
      async (point) => {
        const { cards, escalations } = await inject(road, point, way);
        expect(cards).toHaveLength(road.says.length);
        for (const words of road.says) expect(cards.filter((text) => text.includes(words))).toHaveLength(1);
        expect(escalations).toBe(1);
      },
    );
  });
});
