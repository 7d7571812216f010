import { describe, expect, it } from 'vitest';
import type { Sandbox } from '../../../sandbox/sandbox.ts';
import { INJECTIONS } from '../../support/failpoints.ts';
import { type Road, walk } from '../../support/road.ts';
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

/** The road of one alert until `isTold`. */
const alert = (env: Record<string, string>, isTold: (sandbox: Sandbox) => boolean): Road => ({
  opened: {
    timings: { billingCheckEveryMs: 100, alertFreshMs: 0 },
    env: { BILLING_CHANNELS: 'C0OPS000001', LAMPLIGHTER_EVERYONE: 'finance', ...env },
    hosting: { rateLimit: 100_000 },
  },
  given: ({ hosting }) => hosting.setBalance('harbour', 1_000),
  // An end of which nobody has read the beginning is not said in Slack. What is said of a lost mail quotes the alert.
  isReported: (sandbox) =>
    until(() => isTold(sandbox) && /^Lamplighter.*\n {2}🔴/m.test(sandbox.slack.dump())),
  // From plenty, so that whatever was still to be told is told by then.
  end: ({ hosting, slack }) => {
    hosting.setBalance('harbour', 50_000);
    return slack.until(() => slack.dump().includes('it rose by'), { timeoutMs: 60_000 });
  },
});

describe.each(INJECTIONS)('what is told outside by a bot interrupted by "%s"', (way) => {
  it.concurrent.for(allOr([...POINTS, 'webhook.deliver 1'], 'webhook.deliver 1'))(
    'at %s is there by one id',
    { timeout: 150_000 },
    async (point, { onTestFinished }) => {
      const { webhook, env } = await receiver(onTestFinished);
      const count = (): number => lettersAt(webhook).filter(({ kind }) => kind === 'alert-opened').length;
      await walk(
        alert(env, () => count() > 0),
        point,
        way,
      );
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
      const isTold = ({ slack }: Sandbox): boolean => count() > 0 || slack.dump().includes(unknown);
      const { slack } = await walk(alert(env, isTold), point, way);
      expect(count()).toBeLessThanOrEqual(1);
      expect(count() === 1 || slack.dump().includes(unknown)).toBe(true);
    },
  );
});
