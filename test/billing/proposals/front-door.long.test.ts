import { expect, it } from 'vitest';
import type { LedgerPlay } from '../../support/ledger.ts';
import type { PostedMessage } from '../../../sandbox/slack/index.ts';
import { answeredWith, answerTo, powerCalls, privateMessage } from '../../support/sandbox.ts';
import { startKilled } from '../../support/road.ts';
import { messageWith } from '../../support/asking.ts';
import { saves } from '../../schedules/fleet.ts';
import { open, posts, sees, unseen } from './opened.ts';

async function proposed(play: LedgerPlay): Promise<PostedMessage> {
  await play.sandbox.startBot();
  await play.filled();
  return messageWith(play.sandbox, 'at night and on weekends');
}

it('proposes what nobody needs at night, tries it by a schedule that somebody saves, and tells what that has saved', async () => {
  const play = await open();
  const { sandbox } = play;
  const { slack, hosting } = sandbox;
  const post = await proposed(play);
  const text = slack.read(post);
  expect(text).toContain(
    'Stop stg-* at night and on weekends: that would save at least 171 credits a month, 28% of what they cost.',
  );
  expect(text).toContain('2 instances: stg-1 (101), stg-2 (102).');
  expect(text).toContain('They ran in nearly all hours that I saw of the last 14 nights and 2 weekends');
  const ofFinance = await answerTo(sandbox, 'fin', '/billing proposals');
  expect(ofFinance).toContain('[ Not these ]');
  expect(ofFinance).not.toContain('Try it');
  expect(await answerTo(sandbox, 'admin', '/billing proposals')).toContain('[ Try it for a week ]');
  const admin = slack.person('admin');
  await admin.presses(post, 'Try it for a week');
  const preview = await privateMessage(sandbox, 'admin', 'Save this schedule?');
  expect(slack.read(preview)).toMatch(
    /start at 08:00 and stop at 20:00, Mon–Fri \(UTC\), until .* 08:00, for exactly stg-1 \(101\), stg-2 \(102\)/,
  );
  expect(powerCalls(sandbox)).toBe(0);
  await admin.presses(preview, 'Save');
  await messageWith(sandbox, 'scheduled:');
  // The schedule runs by the clock of Redis, which no test moves.
  for (const id of [101, 102]) hosting.changeStatus(id, 'stopped');
  await play.passes(1);
  expect(await answerTo(sandbox, 'fin', '/billing proposals')).toContain(
    'stopped at night and on weekends for a trial',
  );
  for (let day = 0; day < 7; day++) await play.passes(1);
  const told = await messageWith(sandbox, 'Do you want it for good?');
  expect(slack.read(told)).toMatch(
    /Stopping stg-\* at night and on weekends saved \d+ credits in \d days, 100% of what those days cost before\. I promised at least [\d.]+ credits\./,
  );
  expect(slack.read(told)).toContain('[ Keep it ]');
  for (let day = 0; day < 8; day++) await play.passes(1);
  expect(posts(play).filter((one) => one.includes('💡'))).toHaveLength(2);
  await admin.presses(told, 'Keep it');
  await privateMessage(sandbox, 'admin', 'Mon–Fri (UTC), for exactly stg-1 (101)');
});

it('calls a trial off whose schedule somebody removes, and measures nothing of it', async () => {
  const play = await open();
  const { sandbox } = play;
  const admin = sandbox.slack.person('admin');
  await admin.presses(await proposed(play), 'Try it for a week');
  await admin.presses(await privateMessage(sandbox, 'admin', 'Save this schedule?'), 'Save');
  await messageWith(sandbox, 'scheduled:');
  await play.passes(1);
  const list = await answeredWith(sandbox, 'admin', '/instances schedules');
  await admin.presses(list, 'Remove');
  await messageWith(sandbox, 'removed');
  await play.passes(1);
  await messageWith(sandbox, "was removed or paused, so I don't measure what it saves");
  for (let day = 0; day < 8; day++) await play.passes(1);
  await sandbox.settled();
  expect(posts(play).join('\n')).not.toContain('Do you want it for good?');
});

it('leaves a group alone that somebody turned down, and says nothing more to who wants no proposals', async () => {
  const play = await open();
  const { sandbox } = play;
  const { slack } = sandbox;
  const post = await proposed(play);
  const fin = slack.person('fin');
  await fin.presses(post, 'Not these');
  await slack.until(() => slack.read(post).includes("doesn't want stg-* stopped at night"));
  expect(slack.read(post)).not.toContain('[');
  expect(await answerTo(sandbox, 'fin', '/billing proposals')).toContain('I have nothing to propose.');
  expect(await answerTo(sandbox, 'fin', '/billing proposals off')).toContain('Proposals are off.');
  expect(await answerTo(sandbox, 'fin', '/billing proposals')).toContain('@fin turned them off');
  expect(await answerTo(sandbox, 'fin', '/billing proposals on')).toContain('Proposals are on');
  expect(await answerTo(sandbox, 'fin', '/billing proposals tomorrow')).toContain('Type on or off');
});

it('never proposes what is protected', async () => {
  const play = await open({ env: { LAMPLIGHTER_PROTECTED: 'stg-*' } });
  await play.sandbox.startBot();
  await play.filled();
  expect(await answerTo(play.sandbox, 'fin', '/billing proposals')).toContain(
    'Nothing that I may propose runs in all nights and weekends.',
  );
  expect(posts(play)).toEqual([]);
});

it('never proposes what is under a schedule or frozen', async () => {
  const play = await unseen();
  const { sandbox } = play;
  await sandbox.startBot();
  await play.filled();
  expect(await answerTo(sandbox, 'fin', '/billing proposals')).toContain('I need 14 nights');
  await sees(play);
  expect(await answerTo(sandbox, 'fin', '/billing proposals')).toContain("I'd propose to stop stg-*");
  await answerTo(sandbox, 'admin', '/lamplighter freeze on stg-1 "migration"');
  expect(await answerTo(sandbox, 'fin', '/billing proposals')).toContain("I'd propose to stop stg-2");
  await saves(sandbox, 'stg-2 restart at 04:00 daily UTC', 'admin');
  expect(await answerTo(sandbox, 'fin', '/billing proposals')).toContain('Nothing that I may propose');
});

it('proposes all the same beside a schedule whose filter means nothing any more', async () => {
  // A status of the service's own is known while an instance has it.
  const play = await unseen({ hosting: { variant: { statusWords: { deploy_failed: 'hostlost' } } } });
  const { sandbox } = play;
  const { hosting } = sandbox;
  hosting.changeStatus(103, 'deploy_failed');
  await sandbox.startBot();
  await play.filled();
  await saves(sandbox, 'status:hostlost restart at 04:00 daily UTC', 'admin');
  hosting.changeStatus(103, 'stopped');
  expect(await answerTo(sandbox, 'admin', '/instances restart status:hostlost')).toContain(
    'I don\'t know the status "hostlost".',
  );
  await sees(play);
  expect(await answerTo(sandbox, 'fin', '/billing proposals')).toContain("I'd propose to stop stg-*");
});

it('proposes once, whenever its process is killed', async () => {
  const play = await open();
  const { sandbox } = play;
  for (const point of ['proposals.get 1', 'proposals.moving 1', 'outbox.saying 1']) {
    const { killed } = await startKilled(sandbox, point);
    await killed;
  }
  await sandbox.startBot();
  await play.filled();
  await messageWith(sandbox, 'at night and on weekends');
  await play.passes(1);
  await sandbox.settled();
  expect(posts(play)).toHaveLength(1);
});
