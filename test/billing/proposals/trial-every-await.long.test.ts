import { createOneRecord } from '../../../src/core/records/one-record.ts';
import { describe, expect, it, onTestFinished } from 'vitest';
import { PROPOSALS } from '../../../src/features/billing/proposals/record.ts';
import { messageWith } from '../../support/asking.ts';
import { createFailpoints, type Injection, INJECTIONS } from '../../support/failpoints.ts';
import type { LedgerPlay } from '../../support/ledger.ts';
import { startRedisProxy } from '../../support/redis-proxy.ts';
import { allOr } from '../../support/runs.ts';
import { connectTo } from '../../support/shared-redis.ts';
import { until } from '../../support/until.ts';
import { open, posts } from './opened.ts';

/** The awaits of the end of a trial, from the look at it to the message that stands. */
const POINTS = [
  'proposals.get 1',
  'ledger days.list 1',
  'alarm.get 1',
  'proposals.moving 1',
  'outbox.saying 1',
  'ledger.change 1',
  'ledger.change 2',
  'ledger.change 3',
  'posts.change 1',
  'messenger.post 1',
  'posts.change 2',
];
const OVER = 'Do you want it for good?';

/** A trial of a week whose last day is over, of which nothing is told yet, while no bot runs. */
async function tried(): Promise<LedgerPlay> {
  const play = await open();
  const { sandbox } = play;
  await sandbox.startBot();
  await play.filled();
  await messageWith(sandbox, 'at night and on weekends');
  await sandbox.stopBots();
  for (const id of [101, 102]) sandbox.hosting.changeStatus(id, 'stopped');
  await play.jumps(7);
  await createOneRecord(connectTo(sandbox), PROPOSALS).change((record) => ({
    ...record,
    trial: { scheduleId: 'of-the-trial', from: play.ago(7), to: play.ago(1) },
  }));
  return play;
}

describe.each(INJECTIONS)(
  'the end of a trial, of which a bot tells that is interrupted by "%s"',
  (way: Injection) => {
    it.each(allOr(POINTS, 'proposals.moving 1'))(
      'at %s is told once, with what was promised and what it saved',
      { timeout: 60_000 },
      async (point) => {
        const play = await tried();
        const { sandbox } = play;
        const proxy = await startRedisProxy(sandbox.redisUrl);
        onTestFinished(() => proxy.stop());
        const failpoints = createFailpoints({ point, inject: way });
        await sandbox.startBot({ REDIS_URL: proxy.url }, play.inItsDays(failpoints.faultPoints));
        await failpoints.injected;
        if (way === 'crash') proxy.cut();
        if (way === 'pause') proxy.freeze();
        // What could not be told with one reading of the ledger is told with that of the next day.
        if (way === 'answer lost') await play.passes(1);
        else await sandbox.startBot();
        await until(() => posts(play).some((text) => text.includes(OVER)));
        if (way === 'pause') {
          proxy.thaw();
          failpoints.resume();
        }
        // Whatever was still to be told is told by the end of another day.
        await play.passes(1);
        await sandbox.settled();
        const told = posts(play).filter((text) => text.includes(OVER));
        expect(told).toHaveLength(1);
        expect(told[0]).toMatch(
          /saved 120 credits in 7 days, 85% of .* I promised at least [\d.]+ credits\./,
        );
        await sandbox.stopBots();
      },
    );
  },
);
