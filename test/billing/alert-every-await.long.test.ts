import { describe, expect, it } from 'vitest';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { FaultPoints } from '../../src/core/base.ts';
import { INJECTIONS } from '../support/failpoints.ts';
import { type Road, walk } from '../support/road.ts';
import { readNews } from '../support/sandbox.ts';
import { allOr } from '../support/runs.ts';
import { OPS } from './watching.ts';

const LONG = { timeoutMs: 60_000 };

/** An alert's road, from the look to the card that stands and the word to the person named. */
interface Alerted extends Pick<Road, 'opened' | 'given'> {
  /** Its awaits. */
  readonly points: readonly string[];
  /** Makes it over, so that whatever was still to be reported is reported by then. */
  over(sandbox: Sandbox): Promise<unknown> | void;
  /** What the cards say in the end, each once. */
  readonly says: readonly string[];
}

const ROADS: Readonly<Record<string, Alerted>> = {
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
    given: ({ hosting }) => hosting.setBalance('harbour', 1_000),
    over: ({ hosting }) => hosting.setBalance('harbour', 50_000),
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
    over: ({ slack }) => slack.person('fin').types('#ops', '/billing alerts off'),
    says: ['Alerts were turned off'],
  },
};

/** Never the first day of a month, on which no budget is judged. */
const today = async (): Promise<number> => Date.parse('2026-11-20');
const onThatDay: FaultPoints = (part, target) => (part === 'calendar' ? { ...target, today } : target);

const escalationsIn = ({ slack }: Sandbox): number =>
  slack.person('fin').dms.filter((one) => !one.deleted).length;

const roadOf = ({ opened, given, over, says }: Alerted): Road => ({
  given,
  opened: {
    ...opened,
    timings: { billingCheckEveryMs: 100, alertFreshMs: 0, escalateAfterMs: 0 },
    env: {
      ...opened?.env,
      BILLING_CHANNELS: OPS,
      BILLING_ESCALATE_TO: 'U0FIN000001',
      LAMPLIGHTER_EVERYONE: 'finance',
    },
  },
  parts: onThatDay,
  isReported: (sandbox) =>
    sandbox.slack.until(() => readNews(sandbox).length > 0 && escalationsIn(sandbox) > 0, LONG),
  end: async (sandbox) => {
    await over(sandbox);
    for (const words of says)
      await sandbox.slack.until(() => readNews(sandbox).some((text) => text.includes(words)), LONG);
  },
});

describe.each(Object.entries(ROADS))('the alert of %s', (_name, road) => {
  describe.each(INJECTIONS)('of a bot interrupted by "%s"', (way) => {
    it.concurrent.each(allOr(road.points, 'messenger.post 1'))(
      'at %s is one card and one escalation, and its end is reported once',
      async (point) => {
        const sandbox = await walk(roadOf(road), point, way);
        const cards = readNews(sandbox);
        expect(cards).toHaveLength(road.says.length);
        for (const words of road.says) expect(cards.filter((text) => text.includes(words))).toHaveLength(1);
        expect(escalationsIn(sandbox)).toBe(1);
      },
    );
  });
});
