import { Temporal } from 'temporal-polyfill';
import { expect, it } from 'vitest';
import { commit } from '../../src/core/records/commit.ts';
import { confirms, previewOf } from '../batches/fleet.ts';
import {
  answeredWith,
  answerTo,
  botMessages,
  deletes,
  play,
  powerCalls,
  privateMessage,
  readAll,
  runToEnd,
} from '../support/sandbox.ts';
import { connectTo } from '../support/shared-redis.ts';

/** Of everybody who asks here. */
const ZONE = 'Europe/Berlin';

/** Rounded, more than a second. */
const SLOW_MS = 1_700;

it('a history says what was done, by whom, how long it took and how it ended', async () => {
  const sandbox = await play();
  expect(await answerTo(sandbox, 'ana', '/instances history web-1')).toContain(
    'I made no changes to web-1 (101) in the last 30 days.',
  );
  await runToEnd(sandbox, 'ana', '/instances restart breaks');
  await runToEnd(sandbox, 'ana', '/instances restart web-1');
  expect(await answerTo(sandbox, 'bob', '/instances history web-1')).toMatch(
    /@ana · restart: done, after \d+ s/,
  );
  expect(await answerTo(sandbox, 'bob', '/instances history breaks')).toMatch(
    /@ana · restart: failed: .*, after \d+ s/,
  );
});

it('a history of last month has what was done then, however long ago that is', async () => {
  const sandbox = await play();
  const redis = connectTo(sandbox);
  // Early in the month before, which is mostly more than 30 days ago.
  const at = Temporal.Now.plainDateISO(ZONE).subtract({ months: 1 }).with({ day: 1 }).toZonedDateTime(ZONE);
  await commit(redis, {
    audit: {
      what: 'asked',
      at: at.add({ hours: 30 }).epochMilliseconds,
      requestId: 'a-month-ago',
      route: 'instances.restart',
      by: 'U0ANA000001',
      target: { id: '101', name: 'web-1' },
    },
  });
  expect(await answerTo(sandbox, 'bob', '/instances history web-1 last month')).toContain('@ana · restart');
});

it('a history is there while the hosting service is not, by the exact name or id', async () => {
  const sandbox = await play();
  await runToEnd(sandbox, 'ana', '/instances restart web-1');
  sandbox.hosting.failNext({ method: 'GET' }, 503, 100);
  for (const typed of ['web-1', '101'])
    expect(await answerTo(sandbox, 'bob', `/instances history ${typed}`)).toMatch(/@ana · restart: done/);
  expect(await answerTo(sandbox, 'bob', '/instances history web-9')).toContain(
    'answered with an error (503)',
  );
});

it('a long history has pages, each for people who may see the instance', async () => {
  const sandbox = await play({ hosting: { powerMs: 5 } });
  for (let times = 0; times < 9; times += 1)
    for (const power of ['stop', 'start']) await runToEnd(sandbox, 'ana', `/instances ${power} web-1`);
  const { slack } = sandbox;
  const first = await answeredWith(sandbox, 'bob', '/instances history web-1');
  expect(slack.read(first)).toContain('(1 to 15 of 18)');
  expect(slack.read(first)).not.toContain('[ Previous ]');
  expect(await answerTo(sandbox, 'bob', '/instances history web-1 yesterday')).toMatch(
    /^I made no changes to web-1 \(101\) yesterday, [A-Z][a-z]{2} \d+\./,
  );
  const night = await answeredWith(sandbox, 'bob', '/instances history web-1 last 6 hours');
  expect(slack.read(night)).toMatch(/^Changes to web-1 \(101\) in the last 6 hours.*\(1 to 15 of 18\)/);
  await slack.person('bob').presses(night, 'Next');
  expect(slack.read(await privateMessage(sandbox, 'bob', '(16 to 18 of 18)'))).toContain(') between ');
  await slack.person('bob').presses(first, 'Next');
  const second = await privateMessage(sandbox, 'bob', 'in the last 30 days, newest first (16 to 18 of 18)');
  expect(slack.read(second)).toContain('stop: done');
  await slack.person('bob').presses(second, 'Previous');
  await privateMessage(sandbox, 'bob', '(1 to 15 of 18)');
});

it('what is gone has a history still', async () => {
  const sandbox = await play();
  await deletes(sandbox, 'web-1');
  await sandbox.settled();
  expect(sandbox.hosting.statusOf(101)).toBe('gone');
  expect(await answerTo(sandbox, 'admin', '/instances history web-1')).toMatch(/@admin · delete: done/);
  expect(await answerTo(sandbox, 'admin', '/instances history never-was')).toContain(
    'There is no instance "never-was"',
  );
});

it('"usually" is how long it took with this instance, else with any', async () => {
  const sandbox = await play({
    hosting: { powerMs: 20 },
    timings: { slowAfterMs: 60_000, patienceMs: 60_000 },
  });
  const usuallyOf = async (name: string): Promise<string | undefined> => {
    // One takes its time to stop, which is what is asked about.
    const setPower = (powerMs: number): void => sandbox.hosting.setBehavior(102, { powerMs });
    const start = async (): Promise<void> => {
      setPower(20);
      await runToEnd(sandbox, 'ana', `/instances start ${name}`);
      setPower(SLOW_MS);
    };
    setPower(SLOW_MS);
    await runToEnd(sandbox, 'ana', `/instances stop ${name}`);
    await start();
    const before = botMessages(sandbox).length;
    await sandbox.slack.person('ana').types('#ops', `/instances stop ${name}`);
    await sandbox.slack.until(() => botMessages(sandbox).length > before);
    const text = readAll(sandbox)[before] ?? '';
    await sandbox.settled();
    await start();
    return / · usually (\d+) s/.exec(text)?.[1];
  };
  for (let times = 0; times < 3; times += 1) await usuallyOf('web-1');
  expect(await usuallyOf('worker-1')).toBe('1');
  await usuallyOf('web-2');
  expect(Number(await usuallyOf('web-2'))).toBeGreaterThan(1);
  expect(await usuallyOf('web-1')).toBe('1');
});

it('a restart loop is left out of several at once, and says why', async () => {
  const sandbox = await play();
  for (let times = 1; times <= 3; times += 1) {
    await sandbox.slack.person('ana').types('#ops', '/instances restart web-1');
    if (times > 1) {
      const question = await privateMessage(sandbox, 'ana', 'restarted it');
      await sandbox.slack.person('ana').presses(question, 'Restart');
    }
    await sandbox.settled();
  }
  expect(powerCalls(sandbox, 'restart')).toBe(3);
  const preview = await previewOf(sandbox, '/instances restart web-1 web-2 worker-1');
  expect(sandbox.slack.read(preview)).toContain('looks like a restart loop; run it separately');
  await confirms(sandbox, preview, 'Restart 2');
  await sandbox.settled();
  expect(powerCalls(sandbox, 'restart')).toBe(5);
});
