import { expect, it } from 'vitest';
import { instance, worldOf } from '../../../sandbox/world.ts';
import { messageWith } from '../../support/asking.ts';
import { books, type LedgerPlay, playLedger } from '../../support/ledger.ts';
import { startKilled } from '../../support/road.ts';
import { botMessages, type PlayOptions } from '../../support/sandbox.ts';

const NOW = Date.parse('2026-11-20T12:00Z');
const ALL_DAY = 0xffffff;

/** Three instances since September, of 20 credits a day each, and one that is charged as a test books it, on Friday 20 November. */
async function open(options: PlayOptions = {}): Promise<LedgerPlay> {
  const old = { dailyCredits: 20, createdDaysAgo: 90 };
  const instances = [
    instance(101, 'web-1', old),
    instance(102, 'web-2', old),
    instance(103, 'db-1', old),
    // What is paid by the month isn't charged by the sandbox.
    instance(105, 'batch-1', { billingMode: 'monthly', createdDaysAgo: 90 }),
  ];
  const world = worldOf(instances, { historyDays: 85, balanceCredits: 50_000 });
  return playLedger({ bot: false, ...options, hosting: { world, clock: () => NOW, ...options.hosting } });
}

/** The ledger is filled, and all ran all the time, but the batch, which ran on its last day alone. */
async function fills(play: LedgerPlay): Promise<void> {
  const rows = ['web-1', 'web-2', 'db-1'].map((name, at): [string, string, number] => [
    String(101 + at),
    name,
    ALL_DAY,
  ]);
  const both = (bits: number): [string, string, number][] => [...rows, ['105', 'batch-1', bits]];
  await play.sees('2026-10-01', '2026-11-18', { hours: ALL_DAY, instances: { balanced: both(0) } });
  await play.sees('2026-11-19', '2026-11-19', { hours: ALL_DAY, instances: { balanced: both(ALL_DAY) } });
  await play.sandbox.startBot();
  await play.filled();
  await play.sandbox.settled();
}

const told = ({ sandbox }: LedgerPlay): string[] =>
  botMessages(sandbox)
    .map((message) => sandbox.slack.read(message))
    .filter((text) => /[📈🧾]/u.test(text));

it('tells a day that costs far more than its weekday once, with its cause and with what is none', async () => {
  const play = await open();
  books(play, 'daily_charge', '-120', 105, '2026-11-19');
  await fills(play);
  const post = await messageWith(play.sandbox, '📈');
  expect(play.sandbox.slack.read(post)).toMatch(
    /^📈 Thursday 19 November cost 180 credits, 3 times as much as usual\. A usual Thursday costs about 60 credits\.\nPrices of instances are unchanged\.\nAgainst 12 November, a usual Thursday:\n• 120 credits more: batch-1 \(105\) started\. It cost nothing on 12 November\.\nFrom the transactions of the service, as of .*\n\[ It's expected \]$/,
  );
  await play.sandbox.stopBots();
  await play.sandbox.startBot();
  for (let day = 0; day < 5; day++) await play.passes(1);
  await play.sandbox.settled();
  expect(told(play)).toHaveLength(1);
});

it('says that prices of instances are unchanged only where it knows that', async () => {
  const dearer = await open();
  books(dearer, 'daily_charge', '-120', 101, '2026-11-19');
  await fills(dearer);
  const text = dearer.sandbox.slack.read(await messageWith(dearer.sandbox, '📈'));
  expect(text).toContain('Thursday 19 November cost 180 credits, 3 times as much as usual.');
  expect(text).toContain("120 credits more aren't explained.");
  expect(text).not.toContain('unchanged');

  const unseen = await open();
  books(unseen, 'daily_charge', '-120', 105, '2026-11-19');
  await unseen.sandbox.startBot();
  await unseen.filled();
  expect(unseen.sandbox.slack.read(await messageWith(unseen.sandbox, '📈'))).not.toContain('unchanged');
});

it('tells no day as a spike that makes up for what was missing on the days before', async () => {
  const play = await open();
  books(play, 'daily_charge', '-40', 105, '2026-10-01', '2026-11-16');
  books(play, 'daily_charge', '-120', 105, '2026-11-19');
  await fills(play);
  expect(told(play)).toEqual([]);
  await play.passes(1);
  await play.sandbox.settled();
  expect(told(play)).toEqual([]);
});

it('tells no day as a spike that a charge of each month falls on, and the first of them as what it is', async () => {
  const monthly = await open();
  books(monthly, 'support_plan', '-300', undefined, '2026-10-19');
  books(monthly, 'support_plan', '-300', undefined, '2026-11-19');
  await fills(monthly);
  expect(told(monthly)).toEqual([]);

  const first = await open();
  books(first, 'support_plan', '-300', undefined, '2026-11-19');
  await fills(first);
  await messageWith(first.sandbox, '🧾');
  const [text = '', ...more] = told(first);
  expect(more).toEqual([]);
  expect(text).toMatch(
    /^🧾 Thursday 19 November cost 300 credits more than usual, for support plan\. Without that it cost 60 credits, about as usual\.\nPrices of instances are unchanged\.\n/,
  );
  expect(text).toContain('300 credits more: support plan: 300, and 0 on 12 November.');
});

it('calls a day as usual without a charge only where all else of it is', async () => {
  const play = await open();
  books(play, 'support_plan', '-300', undefined, '2026-10-19');
  books(play, 'support_plan', '-500', undefined, '2026-11-19');
  books(play, 'daily_charge', '-120', 105, '2026-11-19');
  await fills(play);
  const text = play.sandbox.slack.read(await messageWith(play.sandbox, '19 November'));
  expect(text).toContain('📈 Thursday 19 November cost 680 credits');
  expect(text).toContain('300 credits of it came a month before as well.');
  expect(text).not.toContain('about as usual');
});

it('leaves in peace for the month what somebody says is expected, and tells of something else', async () => {
  const play = await open();
  books(play, 'daily_charge', '-120', 105, '2026-11-19');
  await fills(play);
  const { slack } = play.sandbox;
  const post = await messageWith(play.sandbox, '📈');
  await slack.person('fin').presses(post, "It's expected");
  await slack.until(() => slack.read(post).includes('expected it'));
  expect(slack.read(post)).toBe(
    '📈 Thursday 19 November cost 180 credits. @fin expected it. I tell nothing more of what batch-1 (105) costs in November 2026.',
  );
  books(play, 'daily_charge', '-500', 105, '2026-11-25');
  await play.jumps(6);
  await play.filled();
  await play.sandbox.settled();
  expect(told(play)).toHaveLength(1);
  books(play, 'daily_charge', '-500', 105, '2026-11-26');
  books(play, 'daily_charge', '-400', 101, '2026-11-26');
  await play.passes(1);
  await slack.until(() => told(play).length === 2);
  expect(told(play)[1]).toContain('500 credits of it is expected, as somebody has answered.');
  // In December it is told again.
  books(play, 'daily_charge', '-5000', 105, '2026-12-05');
  await play.jumps(9);
  await play.filled();
  await slack.until(() => told(play).length === 3);
});

it.each([
  ['says who had the bot start what that day costs more for', 0, true],
  ['says nobody who had it start that only since', 1, false],
])('%s', async (_says, daysAgo, isSaid) => {
  const world = worldOf(
    [
      instance(101, 'web-1', { dailyCredits: 20, createdDaysAgo: 90 }),
      instance(102, 'big-1', { billingMode: 'monthly', createdDaysAgo: 90, status: 'stopped' }),
    ],
    { historyDays: 50, balanceCredits: 50_000 },
  );
  const play = await playLedger({ hosting: { world } });
  const { sandbox } = play;
  await play.filled();
  await sandbox.slack.person('admin').types('#ops', '/instances start big-1');
  await messageWith(sandbox, 'Started big-1');
  await sandbox.settled();
  books(play, 'daily_charge', '-200', 102, play.ago(daysAgo));
  await play.passes(1);
  const text = sandbox.slack.read(await messageWith(sandbox, '📈'));
  expect(text).toContain('200 credits more: big-1 (102) started.');
  expect(text.includes('@admin had me start big-1 (102) that day.')).toBe(isSaid);
});

it('tells a day once, whenever its process is killed, and with two of them', async () => {
  const play = await open();
  const { sandbox } = play;
  books(play, 'daily_charge', '-120', 105, '2026-11-19');
  // In this order each is reached, whatever else the bot says meanwhile.
  for (const point of ['ledger days.moving 60', 'ledger.change 4', 'outbox.saying 1']) {
    const { killed } = await startKilled(sandbox, point, play.inItsDays);
    await killed;
  }
  await Promise.all([sandbox.startBot(), sandbox.startBot()]);
  await play.filled();
  await messageWith(sandbox, '📈');
  await play.passes(1);
  await sandbox.settled();
  expect(told(play)).toHaveLength(1);
});
