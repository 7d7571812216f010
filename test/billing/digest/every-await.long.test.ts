import { describe, expect, it } from 'vitest';
import type { Sandbox } from '../../../sandbox/sandbox.ts';
import { letDigestBeDue } from '../../../sandbox/phrases/due-digest.ts';
import { INJECTIONS } from '../../support/failpoints.ts';
import { type Road, walk } from '../../support/road.ts';
import { isFact, readAll } from '../../support/sandbox.ts';
import { allOr } from '../../support/runs.ts';

/** The awaits of a digest's road, from the days that it tells of to the message that stands. */
const POINTS = [
  'ledger days.list 1',
  'hosting.getBalance 1',
  'outbox.saying 1',
  'digest.change 1',
  'posts.change 1',
  'messenger.post 1',
  'posts.change 2',
];
/** And of one that can't be made: the third of its tries, giving it up, and the message that says so. */
const FAILING_POINTS = ['digest.change 3', 'digest.change 5', 'messenger.post 1'];

/** What everybody reads in #ops. */
function read({ slack }: Sandbox): string[] {
  return slack
    .channel('#ops')
    .messages.filter(({ metadata }) => metadata)
    .map((message) => slack.read(message))
    .filter((text) => !isFact(text));
}

/** Sets a digest, and lets some Mondays be: the one that is due now. */
async function isDue(sandbox: Sandbox): Promise<void> {
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

const LONG = { timeoutMs: 60_000 };
const MADE: Road = {
  opened: {
    timings: { billingCheckEveryMs: 60_000 },
    env: { BILLING_CHANNELS: 'C0OPS000001', LAMPLIGHTER_EVERYONE: 'finance' },
    hosting: { rateLimit: 100_000 },
  },
  before: isDue,
  isReported: (sandbox) => sandbox.slack.until(() => read(sandbox).length > 0, LONG),
  // The next one is made once nothing of this one is left.
  end: async (sandbox) => {
    sandbox.hosting.mendBalance('harbour');
    sandbox.hosting.topUp('harbour', 1);
    await sandbox.stopBots();
    await letDigestBeDue(sandbox);
    await sandbox.startBot();
    await sandbox.slack.until(() => read(sandbox).some((text) => text.includes('6,301 credits')), LONG);
  },
};
const BROKEN: Road = {
  ...MADE,
  given: ({ hosting }) => hosting.breakBalance('harbour', { answer: 200, done: true, body: '{}' }),
};

describe.each(INJECTIONS)('a digest of a bot interrupted by "%s"', (way) => {
  it.concurrent.each(allOr(POINTS, 'messenger.post 1'))(
    'at %s comes once, with the same sums',
    async (point) => {
      const [first, next, ...more] = read(await walk(MADE, point, way));
      const used = /In the last seven days [\d,]+ credits were used/.exec(first ?? '')?.[0];
      expect(used).toBeDefined();
      expect(next).toContain(used);
      expect(more).toEqual([]);
    },
  );

  it.concurrent.each(allOr(FAILING_POINTS, 'digest.change 5'))(
    'at %s says once that it could not be made',
    async (point) => {
      const [first, next, ...more] = read(await walk(BROKEN, point, way));
      expect(first).toMatch(/couldn't be made: the balance couldn't be read, 5 times in a row\./);
      expect(next).toContain('credits were used');
      expect(more).toEqual([]);
    },
  );
});
