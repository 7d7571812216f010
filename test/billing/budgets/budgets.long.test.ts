import { describe, expect, it } from 'vitest';
import { instance, worldOf } from '../../../sandbox/world.ts';
import { messageWith } from '../../support/asking.ts';
import { fileWith } from '../../support/file-with.ts';
import { type LedgerPlay, playLedger } from '../../support/ledger.ts';
import { startKilled } from '../../support/road.ts';
import { answerTo, botMessages, privateMessage, readAll } from '../../support/sandbox.ts';
import { until } from '../../support/until.ts';

const NOW = Date.parse('2026-11-20T12:00Z');

/** Two instances of 10 and 20.50 credits a day, of which 19 days of November are over. */
async function open(policy = 'costgroups: { web: name:web-* }', now = NOW): Promise<LedgerPlay> {
  const two = [
    instance(101, 'web-1', { dailyCredits: 10, createdDaysAgo: 90 }),
    instance(102, 'db-1', { dailyCredits: 20.5, createdDaysAgo: 90 }),
  ];
  const play = await playLedger({
    bot: false,
    env: { LAMPLIGHTER_POLICY: fileWith(policy) },
    hosting: { world: worldOf(two, { historyDays: 50 }), clock: () => now },
  });
  await play.sandbox.startBot();
  await play.filled();
  return play;
}

const told = ({ sandbox }: LedgerPlay): string[] =>
  readAll(sandbox).filter((text) => /budget\b.* for \w+/.test(text) && !text.includes('set a budget'));

describe('a budget of a cost group', () => {
  it('tells of each part of it once, where it was set, with what costs most', async () => {
    const play = await open();
    const { sandbox } = play;
    const set = await answerTo(sandbox, 'fin', '/billing budget web 205 at 50 100% pace');
    expect(set).toContain(
      '🎯 The budget of the group web is 205 credits a month, told at 50 %, at 100 % and when the pace of the month will pass it. I tell of it in #ops.',
    );
    expect(set).toMatch(
      /November has cost 190 credits so far, 92 % of it, and comes to about 301 credits at this pace\./,
    );
    expect(set).toContain("Reached already, so I don't tell of it again this month: 50 %, the pace.");
    const fact = '🎯 @fin set a budget. The budget of the group web is 205 credits a month';
    await messageWith(sandbox, fact);
    await play.passes(1);
    expect(told(play)).toEqual([]);
    await play.passes(1);
    await until(() => told(play).length === 1);
    expect(told(play)[0]).toMatch(
      /^🚨 The group web has used up its budget for November: 210 of 205 credits, which is 102 %\.\nMost of it: web-1 \(101\) 210 credits\.\nFrom the transactions of the service, as of .*\n\[ Quiet this month \] \[ All budgets \]/,
    );
    await play.passes(2);
    await sandbox.settled();
    expect(told(play)).toHaveLength(1);
    expect(await answerTo(sandbox, 'fin', '/billing budgets')).toMatch(
      /1 budget:\n.*The budget of the group web is 205 credits a month.* November has cost 230 credits so far, 112 % of it, .* I tell of it in #ops\./,
    );
  });

  it('tells of what the last day of a month has reached, which is read on the first of the next', async () => {
    const play = await open('costgroups: { web: name:web-* }', Date.parse('2026-11-30T12:00Z'));
    expect(await answerTo(play.sandbox, 'fin', '/billing budget web 295 at 100')).toContain(
      'November has cost 290 credits so far',
    );
    await play.passes(1);
    await until(() => told(play).length === 1);
    expect(told(play)[0]).toContain(
      '🚨 The group web has used up its budget for November: 300 of 295 credits',
    );
    await play.passes(1);
    await play.sandbox.settled();
    expect(told(play)).toHaveLength(1);
  });

  it('tells of the parts above once more after it was raised, and of those below what is spent in the answer', async () => {
    const play = await open();
    const { sandbox } = play;
    await answerTo(sandbox, 'fin', '/billing budget all 600 at 80 100');
    await play.passes(1);
    await until(() => told(play).length === 1);
    expect(told(play)[0]).toContain('🚨 The account has used up its budget for November: 610 of 600 credits');
    const raised = await answerTo(sandbox, 'fin', '/billing budget all 640 credits at 80 100');
    expect(raised).toContain("Reached already, so I don't tell of it again this month: 80 %.");
    await play.passes(1);
    await until(() => told(play).length === 2);
    expect(told(play)[1]).toContain(
      '🚨 The account has used up its budget for November: 640.5 of 640 credits',
    );
    expect(told(play)[1]).toMatch(/Most of it: db-1 \(102\) 430\.5 credits, web-1 \(101\) 210 credits\./);
  });

  it('is quiet for the rest of the month once somebody says so, and not in the next', async () => {
    const play = await open();
    const { sandbox } = play;
    await answerTo(sandbox, 'fin', '/billing budget web 205 at 98 99 103');
    await play.passes(2);
    await until(() => told(play).length === 1);
    const post = botMessages(sandbox).find((message) => sandbox.slack.read(message).includes('has used'));
    if (!post) throw new Error('nothing was told');
    await sandbox.slack.person('fin').presses(post, 'Quiet this month');
    await privateMessage(sandbox, 'fin', 'It is quiet for the rest of November');
    await messageWith(sandbox, '🔕 @fin made it quiet for the rest of November');
    await play.passes(4);
    await sandbox.settled();
    expect(told(play)).toHaveLength(1);
    expect(await answerTo(sandbox, 'fin', '/billing budget')).toContain('Quiet this month.');
    // 21 days of December.
    await play.passes(27);
    await until(() => told(play).length === 2);
    expect(told(play)[1]).toContain('for December');
    await sandbox.slack.person('fin').presses(post, 'Quiet this month');
    await privateMessage(sandbox, 'fin', 'That month is over');
  });

  it('says of a month at its pace that it will pass the budget', async () => {
    const play = await open(undefined, Date.parse('2026-11-01T12:00Z'));
    const { sandbox } = play;
    expect(await answerTo(sandbox, 'fin', '/billing budget web 250 at pace')).toContain(
      'I have no figures of November yet.',
    );
    await play.passes(1);
    await until(() => told(play).length === 1);
    expect(told(play)[0]).toMatch(
      /^⚠️ The group web is on course to pass its budget for November: 10 of 250 credits so far\. At this pace it comes to about 313 credits\./,
    );
  });

  it('ends once somebody says so, and is refused with why where it can not be read', async () => {
    const play = await open();
    const { sandbox } = play;
    expect(await answerTo(sandbox, 'fin', '/billing budget')).toContain(
      'There are no budgets yet. To set one, type /billing budget web 500 at 50 80 100 pace.',
    );
    await answerTo(sandbox, 'fin', '/billing budget web 205 at 100');
    expect(await answerTo(sandbox, 'fin', '/billing budget web off')).toContain(
      'The budget of the group web is off.',
    );
    await messageWith(sandbox, '🎯 @fin turned the budget of the group web off.');
    await play.passes(2);
    await sandbox.settled();
    expect(told(play)).toEqual([]);
    for (const [words, why] of [
      ['web off', 'There is no budget of the group web, so there is nothing to turn off.'],
      ['wbe off', 'There is no group of costs called "wbe". There are web, and all.'],
      ['wbe 500', 'There is no group of costs called "wbe". There are web, and all.'],
      ['web lots', `I can't read "lots" as a budget`],
      ['web 500 USD', `I can't read "500 usd" as a budget`],
      ['web 500 at 0', `I can't read "0" as a part of the budget`],
      ['web 500 at', 'At which parts of the budget should I tell?'],
    ])
      expect(await answerTo(sandbox, 'fin', `/billing budget ${words}`), words).toContain(why);
  });

  it('of a group that left the policy file tells nothing, and the doctor says so', async () => {
    const play = await open();
    const { sandbox } = play;
    await answerTo(sandbox, 'fin', '/billing budget web 205 at 93');
    const lost = 'The policy file has no cost group web any more, so I tell nothing of its budget.';
    expect(await answerTo(sandbox, 'admin', '/lamplighter doctor')).not.toContain('cost group web');
    await sandbox.stopBots();
    await sandbox.startBot({ LAMPLIGHTER_POLICY: fileWith('costgroups: { db: name:db-* }') });
    const examined = await answerTo(sandbox, 'admin', '/lamplighter doctor');
    expect(examined).toContain(lost);
    expect(examined).toContain('Put the group back into the policy file, or type /billing budget web off.');
    await play.passes(2);
    await sandbox.settled();
    expect(told(play)).toEqual([]);
    await answerTo(sandbox, 'fin', '/billing budget web off');
    expect(await answerTo(sandbox, 'admin', '/lamplighter doctor')).not.toContain(lost);
  });

  it('is told once, whenever the process that tells it is killed', async () => {
    const play = await open();
    const { sandbox } = play;
    await answerTo(sandbox, 'fin', '/billing budget web 195 at 100');
    await sandbox.stopBots();
    await play.jumps(1);
    for (const point of ['budgets.moving 1', 'ledger.change 1', 'messenger.post 1']) {
      const { killed } = await startKilled(sandbox, point, play.inItsDays);
      await killed;
    }
    await sandbox.startBot();
    await play.filled();
    await until(() => told(play).length === 1);
    await sandbox.settled();
    expect(told(play)).toHaveLength(1);
  });
});
