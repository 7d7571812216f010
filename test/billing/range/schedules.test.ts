import { expect, it } from 'vitest';
import { instance, worldOf } from '../../../sandbox/world.ts';
import { SCHEDULES } from '../../../src/core/schedules/schedule-store.ts';
import { saves } from '../../schedules/fleet.ts';
import { type LedgerPlay, playLedger } from '../../support/ledger.ts';
import { answerTo } from '../../support/sandbox.ts';
import { connectTo } from '../../support/shared-redis.ts';

const ALL_HOURS = (1 << 24) - 1;
const COUNTED = /from \d+ days of spending with the schedules that are set/;

/** Two that have always run, and one that was always stopped where `isStoppedKnown`. */
async function open(isStoppedKnown = true): Promise<LedgerPlay> {
  const tier = { tier: 'budget', dailyCredits: 100, createdDaysAgo: 90 };
  const fleet = [
    instance(101, 'stg-1', tier),
    instance(102, 'stg-2', tier),
    ...(isStoppedKnown ? [instance(103, 'old-1', { ...tier, status: 'stopped' })] : []),
  ];
  const world = worldOf(fleet, { historyDays: 50, balanceCredits: 5_000 });
  const play = await playLedger({ hosting: { world } });
  await play.filled();
  await play.sees(play.ago(45), play.ago(1), {
    hours: ALL_HOURS,
    instances: {
      budget: [
        ['101', 'stg-1', ALL_HOURS],
        ['102', 'stg-2', ALL_HOURS],
        ...(isStoppedKnown ? [['103', 'old-1', 0] as [string, string, number]] : []),
      ],
    },
  });
  return play;
}

/** The day of the range in the middle. */
function likelyIn(text: string): number {
  const [, left, likely] = /about (\d+)(?:.*?most likely (\d+))?/.exec(text) ?? [];
  return Number(likely ?? left);
}

it('counts a schedule that was set today in how long the balance lasts, and in what the month comes to', async () => {
  const { sandbox } = await open();
  const before = await answerTo(sandbox, 'fin', '/billing');
  expect(before).toMatch(/from \d+ days of spending$/m);
  await saves(sandbox, 'stg-1 hours 08:00-20:00 mon-fri', 'admin');
  const ofOne = await answerTo(sandbox, 'fin', '/billing');
  expect(ofOne).toMatch(COUNTED);
  expect(likelyIn(ofOne)).toBeGreaterThan(likelyIn(before));
  await saves(sandbox, 'stg-2 hours 08:00-20:00 mon-fri', 'admin');
  expect(likelyIn(await answerTo(sandbox, 'fin', '/billing'))).toBeGreaterThan(likelyIn(ofOne));
  expect(await answerTo(sandbox, 'fin', '/billing forecast')).toMatch(COUNTED);
  expect(await answerTo(sandbox, 'fin', '/billing what-if top up 500')).toMatch(COUNTED);
});

it('counts nothing of a schedule where no day tells what a stopped instance costs, and says nothing of it', async () => {
  const { sandbox } = await open(false);
  await saves(sandbox, 'stg-1 stg-2 hours 08:00-20:00 mon-fri', 'admin');
  const text = await answerTo(sandbox, 'fin', '/billing');
  expect(text).toMatch(/from \d+ days of spending$/m);
  expect(text).not.toContain('schedules');
});

it('shows the balance where a schedule can not be read, by the days alone', async () => {
  const { sandbox } = await open();
  await saves(sandbox, 'stg-1 hours 08:00-20:00 mon-fri', 'admin');
  expect(await answerTo(sandbox, 'fin', '/billing')).toMatch(COUNTED);
  const redis = connectTo(sandbox);
  const [id = ''] = await redis.zrange(SCHEDULES.index, '0', '0');
  await redis.hset(SCHEDULES.keyOf(id), 'record', '{"format":"of another version"}');
  const text = await answerTo(sandbox, 'fin', '/billing');
  expect(text).toMatch(/from \d+ days of spending$/m);
});
