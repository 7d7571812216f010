import { expect, test } from 'vitest';
import { FAR_OFF_HOUR } from '../../sandbox/phrases/far-off-hour.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { answeredWith, answerTo, play, powerCalls } from '../support/sandbox.ts';

/** Opens somebody's Home and gives what it says once it says `words`. */
async function homeOf(sandbox: Sandbox, who: string, words: string | RegExp): Promise<string> {
  const person = sandbox.slack.person(who);
  await person.opensHome();
  return sandbox.slack.until(() => {
    const said = person.home && sandbox.slack.readView(person.home);
    return said?.match(words) ? said : undefined;
  });
}

test('the Home shows an admin what is running, and the balance with how long it lasts', async () => {
  const sandbox = await play({ hosting: { powerMs: 60_000 } });
  await sandbox.slack.person('ana').types('#ops', '/instances restart web-1');
  await sandbox.slack.until(() => powerCalls(sandbox, 'restart') === 1);
  const said = await homeOf(sandbox, 'admin', 'One operation is in progress');
  expect(said).toMatch(/web-1 \(101\)/);
  expect(said).toMatch(/💰 [\d,]+ credits · \d+ credits a day · about \d+ days left/);
  expect(said).toMatch(/\[ Instances \] \[ Transactions \] \[ Help \] \[ Refresh \]/);
});

test('the Home begins with the instances that need somebody, and leads to each', async () => {
  const sandbox = await play();
  const said = await homeOf(sandbox, 'ana', 'instances:');
  expect(said).toMatch(
    /^\d+ instances: \d+ in trouble \(.*\), .*\d+ running\.\n• 🟠 paused \(208\) · paused/,
  );
  const ana = sandbox.slack.person('ana');
  await ana.chooses(ana.home!, 'instances.show', '208');
  expect(await sandbox.slack.until(() => ana.dms.at(-1) && sandbox.slack.read(ana.dms.at(-1)!))).toContain(
    'paused (208)',
  );
});

test('the Home shows what is scheduled and the favorites, where there are any', async () => {
  const sandbox = await play();
  expect(await homeOf(sandbox, 'ana', 'instances:')).not.toMatch(/scheduled|favorite/);
  await answerTo(sandbox, 'ana', '/instances save nightly = name:web-*');
  const preview = await answeredWith(
    sandbox,
    'ana',
    `/instances schedule web-1 stop at ${FAR_OFF_HOUR} mon-fri UTC`,
  );
  await sandbox.slack.person('ana').presses(preview, 'Save');
  await sandbox.slack.until(() => sandbox.slack.transcript('#ops').includes('scheduled:'));
  const said = await homeOf(sandbox, 'ana', `stop at ${FAR_OFF_HOUR}`);
  expect(said).toContain('1 favorite');
  expect(said).toContain(`stop at ${FAR_OFF_HOUR}, Mon–Fri (UTC), for web-1.`);
  expect(said).toContain('[ Pause until… ] [ Skip next ]');
});

test('the Home shows what waits for an approval to those who may give it, and not to others', async () => {
  const sandbox = await play({ env: { LAMPLIGHTER_APPROVE: 'web-1' } });
  await sandbox.slack.person('ana').types('#ops', '/instances stop web-1');
  await sandbox.slack.until(() => sandbox.slack.transcript('#ops').includes('asks to stop'));
  expect(await homeOf(sandbox, 'bob', 'waiting for an approval')).toMatch(
    /@ana asks to stop web-1 \(101\), in #ops, until /,
  );
  expect(await homeOf(sandbox, 'guest', 'no role')).not.toContain('web-1');
});

test('a viewer, an operator and finance each see what is theirs', async () => {
  const sandbox = await play({ env: { LAMPLIGHTER_EVERYONE: 'none', LAMPLIGHTER_APPROVE: 'web-1' } });
  for (const grant of ['viewer @guest', 'operator @ana', 'operator @bob', 'finance @fin'])
    await answerTo(sandbox, 'admin', `/lamplighter access grant ${grant}`);
  await sandbox.slack.person('ana').types('#ops', '/instances stop web-1');
  await sandbox.slack.until(() => sandbox.slack.transcript('#ops').includes('asks to stop'));
  const [viewer, operator, finance] = [
    await homeOf(sandbox, 'guest', 'instances:'),
    await homeOf(sandbox, 'bob', 'instances:'),
    await homeOf(sandbox, 'fin', 'instances:'),
  ];
  expect([viewer, operator, finance].map((said) => said.includes('waiting for an approval'))).toEqual([
    false,
    true,
    false,
  ]);
  expect([viewer, operator, finance].map((said) => said.includes('💰'))).toEqual([false, false, true]);
});

test('a viewer sees in the Home what is scheduled, without buttons that are not theirs', async () => {
  const sandbox = await play({ env: { LAMPLIGHTER_EVERYONE: 'none' } });
  await answerTo(sandbox, 'admin', '/lamplighter access grant viewer @guest');
  await answerTo(sandbox, 'admin', '/lamplighter access grant operator @bob');
  const preview = await answeredWith(
    sandbox,
    'admin',
    `/instances schedule web-1 stop at ${FAR_OFF_HOUR} UTC`,
  );
  await sandbox.slack.person('admin').presses(preview, 'Save');
  await sandbox.slack.until(() => sandbox.slack.transcript('#ops').includes('scheduled:'));
  expect(await homeOf(sandbox, 'guest', `stop at ${FAR_OFF_HOUR}`)).not.toMatch(
    /Pause until|Skip next|Remove/,
  );
  expect(await homeOf(sandbox, 'bob', `stop at ${FAR_OFF_HOUR}`)).toContain('[ Pause until… ] [ Skip next ]');
});

test('the Home of somebody who may not see the balance has neither figures nor a way to them', async () => {
  const sandbox = await play();
  const said = await homeOf(sandbox, 'ana', 'Nothing is in progress');
  expect(said).not.toMatch(/credits|💰|Transactions|Usage|Alerts/);
  expect(said).toContain('[ Instances ] [ Help ] [ Refresh ]');
  // The balance is read once to say why one is paused.
  expect(sandbox.hosting.countCalls('GET', /usage|transactions/)).toBe(0);
});

test.each(['guest', 'stranger'])('the Home of a %s shows nothing but help', async (who) => {
  const sandbox = await play();
  const said = await homeOf(sandbox, who, 'no role');
  expect(said).not.toMatch(/running|credits|Instances/);
  expect(said).toContain('[ Help ]');
});

test('what is pressed in the Home is answered in the direct messages', async () => {
  const sandbox = await play();
  const ana = sandbox.slack.person('ana');
  await homeOf(sandbox, 'ana', 'Nothing is in progress');
  await ana.presses(ana.home!, 'Instances');
  const answer = await sandbox.slack.until(() => ana.dms.at(-1));
  expect(sandbox.slack.read(answer)).toMatch(/^\d+ instances: \d+ in trouble/);
  expect(answer.ephemeralFor).toBeUndefined();
});

test('the button Refresh draws the Home again, and says nothing elsewhere', async () => {
  const sandbox = await play({ hosting: { powerMs: 60_000 } });
  const ana = sandbox.slack.person('ana');
  await homeOf(sandbox, 'ana', 'Nothing is in progress');
  await ana.types('#ops', '/instances stop web-2');
  await sandbox.slack.until(() => powerCalls(sandbox, 'stop') === 1);
  await ana.presses(ana.home!, 'Refresh');
  await sandbox.slack.until(() => sandbox.slack.readView(ana.home!).includes('One operation is in progress'));
  expect(ana.dms).toEqual([]);
});

test('what runs can be canceled in the Home, which then shows that it has ended', async () => {
  const sandbox = await play({ timings: { cancelWindowMs: 60_000 } });
  const admin = sandbox.slack.person('admin');
  await admin.types('#ops', '/instances delete web-2');
  const modal = await sandbox.slack.until(() => admin.views.at(-1));
  await admin.submits(modal, { typed: 'web-2' });
  await sandbox.slack.until(() => sandbox.slack.channel('#ops').messages.length > 0);
  await homeOf(sandbox, 'admin', '[ Cancel ]'.replaceAll(/[[\]]/g, '.'));
  await admin.presses(admin.home!, 'Cancel');
  await sandbox.slack.until(() => sandbox.slack.readView(admin.home!).includes('has ended, and its card'));
  await sandbox.settled();
  expect(sandbox.slack.transcript('#ops')).toContain('@admin canceled it. Nothing was done.');
  expect(sandbox.hosting.statusOf(102)).toBe('running');
});

test('a service that does not answer leaves a Home that says what is missing', async () => {
  const sandbox = await play();
  sandbox.hosting.breakBalance('harbour', { answer: 503, done: false });
  const said = await homeOf(sandbox, 'admin', 'something is missing here');
  expect(said).toContain('Nothing is in progress');
});

test('opening the messages of the app draws no Home', async () => {
  const sandbox = await play();
  const ana = sandbox.slack.person('ana');
  await ana.opensHome('messages');
  await homeOf(sandbox, 'ana', 'Nothing is in progress');
  expect(sandbox.slack.calls.filter(({ method }) => method === 'views.publish')).toHaveLength(1);
});

test('a Home that Slack does not take is left at that', async () => {
  const sandbox = await play();
  const ana = sandbox.slack.person('ana');
  sandbox.slack.failNext('views.publish', { error: 'internal_error' });
  await ana.opensHome();
  await sandbox.slack.until(() =>
    sandbox.slack.calls.some(({ method, ok }) => method === 'views.publish' && ok === false),
  );
  await homeOf(sandbox, 'ana', 'Nothing is in progress');
  expect(ana.dms).toEqual([]);
});
