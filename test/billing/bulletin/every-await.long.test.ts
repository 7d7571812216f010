import { describe, expect, it } from 'vitest';
import type { Sandbox } from '../../../sandbox/sandbox.ts';
import { INJECTIONS } from '../../support/failpoints.ts';
import { type Road, walk } from '../../support/road.ts';
import { isFact, readAll, readNews } from '../../support/sandbox.ts';
import { allOr } from '../../support/runs.ts';
import { OPS } from '../watching.ts';
import { BULLETINS, type Row } from './bulletins.ts';

/** Sets a bulletin, and lets some time pass: the one that is due now. */
async function isDue(sandbox: Sandbox, { line, words, said, ...of }: Row): Promise<void> {
  // On a busy machine the first may be refused, since Redis or Slack took too long.
  for (let isSet = false; !isSet;) {
    const interaction = await sandbox.slack.person('fin').types('#ops', `${line} ${words}`);
    await sandbox.slack.until(() => interaction.ephemeral.length > 0);
    isSet = interaction.ephemeral.some((message) => sandbox.slack.read(message).includes(said));
  }
  // Said by the bot that is not interrupted.
  await sandbox.slack.until(() => readAll(sandbox).some(isFact));
  await sandbox.stopBots();
  await of.isDue(sandbox);
}

const LONG = { timeoutMs: 60_000 };
const made = (of: Row): Road => ({
  opened: {
    timings: { billingCheckEveryMs: 60_000 },
    env: { BILLING_CHANNELS: OPS, LAMPLIGHTER_EVERYONE: 'finance' },
    hosting: { rateLimit: 100_000 },
  },
  before: (sandbox) => isDue(sandbox, of),
  isReported: (sandbox) => sandbox.slack.until(() => readNews(sandbox).length > 0, LONG),
  // The next one is made once nothing of this one is left.
  end: async (sandbox) => {
    of.mends(sandbox);
    of.moves(sandbox);
    await sandbox.stopBots();
    await of.isDue(sandbox);
    await sandbox.startBot();
    await sandbox.slack.until(() => readNews(sandbox).some((text) => text.includes(of.moved)), LONG);
  },
});

describe.each(BULLETINS)('a $called', (of) => {
  /** The awaits of its road, from the days that it tells of to the message that stands. */
  const points = [
    ...of.awaits,
    'outbox.saying 1',
    `${of.called}.change 1`,
    'posts.change 1',
    'messenger.post 1',
    'posts.change 2',
  ];
  /** And of one that can't be made: the third of its tries, giving it up, and the message that says so. */
  const [third, last] = [3, 5].map((at) => `${of.called}.change ${at}`);

  describe.each(INJECTIONS)('of a bot interrupted by "%s"', (way) => {
    it.concurrent.each(allOr(points, 'messenger.post 1'))(
      'at %s comes once, with the same sums',
      async (point) => {
        const [first = '', next, ...more] = readNews(await walk(made(of), point, way));
        expect(first).toMatch(of.tells);
        expect(next).toContain(/[\d,]+ credits were used/.exec(first)?.[0]);
        expect(more).toEqual([]);
      },
    );

    it.concurrent.each(allOr([third!, last!, 'messenger.post 1'], last!))(
      'at %s says once that it could not be made',
      async (point) => {
        const [first, next, ...more] = readNews(await walk({ ...made(of), given: of.breaks }, point, way));
        expect(first).toContain(`couldn't be made: ${of.why}, 5 times in a row.`);
        expect(next).toContain(of.moved);
        expect(more).toEqual([]);
      },
    );
  });
});
