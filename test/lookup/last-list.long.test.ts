import { expect, test } from 'vitest';
import { answeredWith, answerTo, play, powerCalls, privateMessage } from '../support/sandbox.ts';

const DOWN = "The hosting service doesn't answer. This is from ";

test('while the API is down, the list is the last one that was seen, with its age, and changes nothing', async () => {
  const sandbox = await play();
  await answerTo(sandbox, 'ana', '/instances');
  await sandbox.hosting.stop();
  const list = sandbox.slack.read(await answeredWith(sandbox, 'ana', '/instances'));
  expect(list.split('\n')[0]).toMatch(/^The hosting service doesn't answer\. This is from .+, .+ ago\.$/);
  expect(list).toContain('staging (104) · stopped');
  expect(list).not.toMatch(/As of|Pick several|Restart|Stop \]/);
  const card = await answerTo(sandbox, 'ana', '/instances show web-1');
  expect(card).toContain(DOWN);
  expect(card).toContain('web-1 (101) · running');
  expect(card).not.toMatch(/\[ (?:Re)?[Ss]t/);
  for (const line of ["@lamplighter what's down?", '/instances list status:stopped'])
    expect(await answerTo(sandbox, 'ana', line), line).toMatch(/doesn't answer[^]*staging \(104\) · stopped/);
});

test('what can be picked from it is shown from it as well, until the service answers again', async () => {
  const sandbox = await play();
  const { slack, hosting } = sandbox;
  await answerTo(sandbox, 'ana', '/instances');
  await hosting.stop();
  const list = await answeredWith(sandbox, 'ana', '/instances');
  await slack.person('ana').chooses(list, 'instances.show', '104');
  await privateMessage(sandbox, 'ana', 'staging (104) · stopped');
  await hosting.start();
  expect(await answerTo(sandbox, 'ana', '/instances show staging')).toMatch(/^⚫ staging/);
});

test('it survives a restart of the bot, and is the same in every process', async () => {
  const sandbox = await play();
  await answerTo(sandbox, 'ana', '/instances');
  await sandbox.stopBots();
  await sandbox.startBot();
  await sandbox.hosting.stop();
  await sandbox.startBot();
  expect(await answerTo(sandbox, 'bob', '/instances')).toMatch(/doesn't answer[^]*web-1 \(101\) · running/);
});

test('each person sees in it only what they may', async () => {
  const sandbox = await play({ env: { LAMPLIGHTER_EVERYONE: 'none' } });
  await answerTo(sandbox, 'admin', '/lamplighter access grant viewer @ana on web-*');
  await answerTo(sandbox, 'admin', '/instances');
  await sandbox.hosting.stop();
  const list = await answerTo(sandbox, 'ana', '/instances');
  expect(list).toContain('web-1 (101)');
  expect(list).not.toContain('db-1');
  expect(await answerTo(sandbox, 'ana', '/instances show db-1')).not.toContain('running');
});

test('of an instance that is not in it, nobody is told that there is none', async () => {
  const sandbox = await play();
  await answerTo(sandbox, 'ana', '/instances');
  await sandbox.hosting.stop();
  for (const verb of ['show', 'history'])
    expect(await answerTo(sandbox, 'ana', `/instances ${verb} web-9`), verb).toContain(
      'does not answer right now',
    );
});

test('nor in an answer to a sentence', async () => {
  const sandbox = await play();
  await answerTo(sandbox, 'ana', '/instances');
  await sandbox.stopBots();
  await sandbox.hosting.stop();
  await sandbox.startBot();
  for (const line of ['is zeus-9 down?', 'please restart zeus-9 at 22:00', 'please stop web-1 and zeus-9'])
    expect(await answerTo(sandbox, 'ana', `@lamplighter ${line}`), line).toMatch(
      /^(?!.*no instance).*does not answer right now/s,
    );
});

test('a change is never begun from it', async () => {
  const sandbox = await play();
  await answerTo(sandbox, 'ana', '/instances');
  await sandbox.hosting.stop();
  const isRefused = async (line: string): Promise<void> =>
    expect(await answerTo(sandbox, 'ana', line), line).toContain('so nothing was done');
  await isRefused('/instances stop name:web-*');
  // A name that was read a second ago is as good as one of now.
  for (let times = 0; times < 2; times += 1) await answerTo(sandbox, 'ana', '/instances');
  await isRefused('/instances restart web-1');
  await sandbox.hosting.start();
  await sandbox.settled();
  expect(powerCalls(sandbox)).toBe(0);
});

test('a key that is refused is no outage: nothing old is shown', async () => {
  const sandbox = await play();
  await answerTo(sandbox, 'ana', '/instances');
  sandbox.hosting.failNext({ method: 'GET' }, 401, 10);
  expect(await answerTo(sandbox, 'ana', '/instances')).toMatch(/refused the bot's API key/);
});

test('a service that says until when it is down is not asked meanwhile, and the last list stands', async () => {
  const sandbox = await play();
  await answerTo(sandbox, 'ana', '/instances');
  sandbox.hosting.failNext({ method: 'GET' }, { answer: 503, done: false, retryAfterSeconds: 60 }, 100);
  for (let times = 0; times < 2; times += 1)
    expect(await answerTo(sandbox, 'ana', '/instances')).toContain(DOWN);
  expect(sandbox.hosting.calls.filter(({ status }) => status === 503)).toHaveLength(1);
});
